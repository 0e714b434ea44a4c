// samply, section 5.3: lines in step with inlining.
#include "grammars/samply/sync.hpp"

#include "validator/sort_by_key.hpp"

namespace tracelint::samply {
namespace {

// A stretch of code with one innermost function; it reaches to the next one's start.
struct Segment {
    uint32_t start;
    uint32_t function;
};

class Sync {
  public:
    Sync(const Info2& info, const TreeLists& lists, const std::vector<Span>& spans, const Strings& files,
         ValidationContext& context, Findings& findings)
        : info_(info), lists_(lists), spans_(spans), files_(files), context_(context), findings_(findings) {}

    bool check() {
        Scratch scratch(context_.budget);
        if (!cut_into_segments(scratch)) return false;
        if (!scratch.assign(mismatches_, lists_.functions.count(), Mismatch{})) return false;
        check_lines();
        report_collected();
        return true;
    }

  private:
    struct Mismatch {
        uint32_t first_line = 0;
        uint32_t count = 0;
    };

    // The spans lie in each other or apart, since NESTING had nothing to say. An event is where one begins or ends:
    // the offset, then ends before starts, then the number of the span, by which callers come before their callees.
    static constexpr uint64_t kStart = uint64_t{1} << 31;

    bool cut_into_segments(Scratch& scratch) {
        Scratch of_events(context_.budget);
        std::vector<uint64_t> events;
        if (!of_events.reserve(events, 2 * spans_.size()) || !sort_events(events)) return false;
        std::vector<uint32_t> functions;  // those that are open
        if (!scratch.reserve(segments_, events.size() + 1) || !of_events.reserve(functions, spans_.size() + 1))
            return false;
        functions.push_back(0);  // the outer one is everywhere
        segments_.push_back({0, 0});
        for (const uint64_t event : events) {
            const auto offset = static_cast<uint32_t>(event >> 32);
            if ((event & kStart) != 0)
                functions.push_back(function_of(spans_[event & (kStart - 1)]));
            else
                functions.pop_back();
            if (segments_.back().start != offset) segments_.push_back({offset, 0});
            segments_.back().function = functions.back();
        }
        return true;
    }

    bool sort_events(std::vector<uint64_t>& events) {
        Scratch scratch(context_.budget);
        std::vector<uint64_t> sorting;
        if (!scratch.reserve(sorting, 2 * spans_.size())) return false;
        for (size_t i = 0; i < spans_.size(); ++i) {
            events.push_back(uint64_t{spans_[i].start} << 32 | kStart | i);
            events.push_back((uint64_t{spans_[i].last} + 1) << 32 | i);
        }
        sort_by_key(std::span(events), sorting, [](uint64_t event) { return event >> 31; }, context_.work);
        return true;
    }

    uint32_t function_of(const Span& span) const {
        return static_cast<uint32_t>(lists_.calls[span.call].get<"function_index">());
    }

    uint64_t offset_of(uint64_t line) const { return lists_.lines[line].get<"code_offset">(); }

    // Lines ascend, so the segments are walked once.
    void check_lines() {
        const uint64_t count = lists_.lines.count(), code_size = *info_.code_size;
        uint64_t before = kNone;
        uint64_t offset = count == 0 ? code_size : offset_of(0);
        for (uint64_t i = 0; offset < code_size; ++i) {  // behind the last line is the end of the code
            const uint64_t next = i + 1 < count ? offset_of(i + 1) : code_size;
            const size_t segment_before = segment_;
            while (segment_ + 1 < segments_.size() && segments_[segment_ + 1].start <= offset) ++segment_;
            if (segment_ == segment_before && offset > before && repeats(i)) {
                if (redundant_++ == 0) first_redundant_ = lists_.lines[i].place<"code_offset">();
            }
            if (offset < next) check_line(i, std::min(next, code_size));
            before = offset;
            offset = next;
        }
    }

    // T22, T23 and S11 of a line that covers the code up to `end`.
    void check_line(uint64_t number, uint64_t end) {
        const View<kLineRecord> line = lists_.lines[number];
        const uint32_t function = segments_[segment_].function;
        const View<kFunctionRecord> described = lists_.functions[function];
        if (files_.differ(line.get<"file_index">(), described.get<"file_index">())) {
            if (mismatches_[function].count++ == 0) mismatches_[function].first_line = static_cast<uint32_t>(number);
            return;
        }
        check_end(line, end);
        const uint64_t at = line.get<"line_number">(), start = described.get<"start_line">();
        if (at != 0 && at < start) findings_.add(kLineBeforeFunctionStart, line.place<"line_number">(), {at, start});
    }

    // Whether the line says what the one before it says.
    bool repeats(uint64_t number) const {
        constexpr uint64_t kPayload = View<kLineRecord>::offset_of<"file_index">();
        const uint8_t* line = lists_.lines[number].data();
        const uint8_t* before = lists_.lines[number - 1].data();
        return std::memcmp(line + kPayload, before + kPayload, lists_.lines.kSize - kPayload) == 0;
    }

    void check_end(const View<kLineRecord>& line, uint64_t end) {
        const uint32_t function = segments_[segment_].function;
        for (size_t i = segment_ + 1; i < segments_.size() && segments_[i].start < end; ++i) {
            if (segments_[i].function == function) continue;
            return findings_.add(kLineSpansInlineBoundary, line.place<"code_offset">(),
                                 {function, segments_[i].start, segments_[i].function});
        }
    }

    void report_collected() {
        for (uint64_t function = 0; function < mismatches_.size(); ++function) {
            if (mismatches_[function].count == 0) continue;
            const uint64_t number = mismatches_[function].first_line;
            findings_.add(kLineFileMismatch, lists_.lines[number].place<"file_index">(),
                          {offset_of(number), function, mismatches_[function].count});
        }
        if (redundant_ > 0) findings_.add(kLineRecordRedundant, first_redundant_, {redundant_});
    }

    const Info2& info_;
    const TreeLists& lists_;
    const std::vector<Span>& spans_;
    const Strings& files_;
    ValidationContext& context_;
    Findings& findings_;
    std::vector<Segment> segments_;
    size_t segment_ = 0;                // that holds the line under consideration
    std::vector<Mismatch> mismatches_;  // by function
    uint64_t redundant_ = 0;
    Place first_redundant_;
};

}  // namespace

bool check_sync(const Info2& info, const TreeLists& lists, const std::vector<Span>& spans, const Strings& files,
                ValidationContext& context, Findings& findings) {
    return Sync(info, lists, spans, files, context, findings).check();
}

}  // namespace tracelint::samply
