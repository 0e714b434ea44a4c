// The lines, compared with the inlined calls that they lie in (sections 3.1.5 and 5.3).
#include "grammars/samply/line_match.hpp"

#include "validator/memory/sort_by_key.hpp"

namespace tracelint::samply {
namespace {

// A range of code with one innermost function. It extends to the start of the next one.
struct Segment {
    uint32_t start;
    uint32_t function;
};

constexpr Rule kLineFileMismatch{
    .id = "samply/line-file-mismatch",
    .severity = Severity::warning,
    .statement = "a line belongs to the file of the function that its code is inlined from",
    .message =
        "the line at {0x} is in another file than its innermost function, function_list[{1}]; {2 such line|such lines} "
        "in all",
    .why = "readers show the function with a line of another file; macros and includes cause this as well",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLineSpansInlineBoundary{
    .id = "samply/line-spans-inline-boundary",
    .severity = Severity::warning,
    .statement = "a line record ends where the innermost function changes",
    .message = "the record begins in function_list[{0}] and extends past {1x}, where function_list[{2}] begins",
    .why = "readers show a line of one function in another",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLineRecordRedundant{
    .id = "samply/line-record-redundant",
    .severity = Severity::note,
    .statement = "each contiguous range of one location has one line record",
    .message =
        "the record repeats the previous one, and no inlined range begins or ends "
        "between them; {0 such record|such records} in all",
    .why = "it wastes space",
    .spec = "3.1.5 LineRecord",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

class LineMatch {
  public:
    LineMatch(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
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

    // The nesting is clean, so two spans are either nested or disjoint. An event is the start or end of a span: in 64
    // bits the code offset, a bit that is set for starts, and the number of the span. In this order ends precede
    // starts, and callers their callees.
    static constexpr uint64_t kStart = uint64_t{1} << 31;

    bool cut_into_segments(Scratch& scratch) {
        Scratch of_events(context_.budget);
        ScratchVector<uint64_t> events;
        if (!of_events.reserve(events, 2 * spans_.size()) || !sort_events(events)) return false;
        ScratchVector<uint32_t> functions;  // those that are open
        if (!scratch.reserve(segments_, events.size() + 1) || !of_events.reserve(functions, spans_.size() + 1))
            return false;
        functions.push_back(0);  // the outer function covers everything
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

    bool sort_events(ScratchVector<uint64_t>& events) {
        Scratch scratch(context_.budget);
        ScratchVector<uint64_t> sorting;
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

    // Lines ascend, so one pass over the segments suffices.
    void check_lines() {
        const uint64_t count = lists_.lines.count(), code_size = *info_.code_size;
        uint64_t before = kNone;
        uint64_t offset = count == 0 ? code_size : offset_of(0);
        for (uint64_t i = 0; offset < code_size; ++i) {  // the last line extends to the end of the code
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

    // Checks a line that covers code up to `end`.
    void check_line(uint64_t number, uint64_t end) {
        const View<kLineRecord> line = lists_.lines[number];
        const uint32_t function = segments_[segment_].function;
        const View<kFunctionRecord> described = lists_.functions[function];
        if (files_.differ(line.get<"file_index">(), described.get<"file_index">())) {
            if (mismatches_[function].count++ == 0) mismatches_[function].first_line = static_cast<uint32_t>(number);
            return;
        }
        check_end(line, end);
        check_line_in_function(line.get<"line_number">(), described.get<"start_line">(), line.place<"line_number">(),
                               findings_);
    }

    // Whether the line has the location of the previous one.
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
            return findings_.add<kLineSpansInlineBoundary>(line.place<"code_offset">(),
                                                           {function, segments_[i].start, segments_[i].function});
        }
    }

    void report_collected() {
        for (uint64_t function = 0; function < mismatches_.size(); ++function) {
            if (mismatches_[function].count == 0) continue;
            const uint64_t number = mismatches_[function].first_line;
            findings_.add<kLineFileMismatch>(lists_.lines[number].place<"file_index">(),
                                             {offset_of(number), function, mismatches_[function].count});
        }
        if (redundant_ > 0) findings_.add<kLineRecordRedundant>(first_redundant_, {redundant_});
    }

    const Info2& info_;
    const TreeLists& lists_;
    const ScratchVector<Span>& spans_;
    const Strings& files_;
    ValidationContext& context_;
    Findings& findings_;
    ScratchVector<Segment> segments_;
    size_t segment_ = 0;                  // that contains the current line
    ScratchVector<Mismatch> mismatches_;  // by function
    uint64_t redundant_ = 0;
    Place first_redundant_;
};

}  // namespace

bool check_line_match(const Info2& info, const TreeLists& lists, const ScratchVector<Span>& spans, const Strings& files,
                      ValidationContext& context, Findings& findings) {
    return LineMatch(info, lists, spans, files, context, findings).check();
}

namespace {}  // namespace
constinit const RuleList kLineMatchRules = rules<&kLineFileMismatch, &kLineSpansInlineBoundary, &kLineRecordRedundant>;

}  // namespace tracelint::samply
