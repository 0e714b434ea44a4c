// mlpd, section 4.1: from buffer to buffer.
#include "grammars/mlpd/walk.hpp"

#include "grammars/mlpd/file_machine.hpp"
#include "validator/view.hpp"

namespace tracelint::mlpd {
namespace {

constexpr uint64_t kLargestBuffer = 65536;  // len, of what the runtime writes
constexpr uint64_t kFirstNegative = uint64_t{1} << 31;
constexpr size_t kIdSize = 4;
constexpr uint64_t kReadAgainFreely = 1024;  // bytes, beyond as many as were passed

constexpr std::string_view kTwoFiles =
    "a file header begins here: two profiles were put into one file, one behind the other";
constexpr std::string_view kAppended =
    "captures from a device that was reset, or from a pipe that lost bytes, look like this";

// What belongs to one header; forgotten where another one follows.
struct Section {
    Section(Window& window, ValidationContext& context, const HeaderFacts& header, WalkMode mode)
        : findings(context.report),
          session(context, findings, header.version),
          times(session.file(), session.threads()),
          events({window, context, findings, session, times}, header, layout_version(header, context.settings), mode) {}

    Findings findings;
    Session session;
    ThreadTimes times;
    EventReader events;
};

class Walk {
  public:
    Walk(Window& window, ValidationContext& context, WalkMode mode) : window_(window), context_(context), mode_(mode) {}

    void run() {
        while (stage_ != Stage::over) {
            was_suspect_ = is_suspect_;
            take(look());
        }
        finish_section();
        auto& statistics = context_.statistics;
        statistics.emplace_back("records", index_);
        if (buffers_ != 0) statistics.emplace_back(kBuffer.name, buffers_);
        statistics.insert(statistics.end(), events_.begin(), events_.end());
    }

  private:
    using How = EventReader::How;
    using BufferView = View<kBuffer>;

    FileEvent look() {
        switch (stage_) {
            case Stage::start: return look_at_header();
            case Stage::rescan: return scan();
            default: return look_at_buffer();
        }
    }
    void take(FileEvent met);
    FileEvent look_at_header();
    FileEvent look_at_buffer();
    FileEvent read_buffer(const BufferView& header, bool is_damaged);
    FileEvent scan();
    bool leads_on(uint64_t at, Bytes opening);
    bool is_whole(uint64_t end);
    uint64_t rescan_place();
    void give_up();
    void finish_section();

    BufferView buffer(Bytes bytes) const { return {bytes.data(), at_, ByteOrder::little, index_}; }

    Window& window_;
    ValidationContext& context_;
    const WalkMode mode_;
    std::optional<Section> section_;

    Stage stage_ = Stage::start;
    uint64_t at_ = 0;
    uint64_t index_ = 0;  // of the next record
    // What is looked at is likely no buffer, by a fault that was said; so is what comes behind it. A rescan need not
    // say so: it finds buffers alone.
    bool was_suspect_ = false, is_suspect_ = false;
    Diagnostic met_;  // what a rule of the machine would say
    uint64_t buffers_ = 0;
    uint64_t read_again_ = 0;       // bytes, by rescans
    std::optional<Budget> budget_;  // as it was before the section
    std::vector<std::pair<std::string_view, uint64_t>> events_;
};

void Walk::take(FileEvent met) {
    const FileEdge& edge = kFileMachine.at(stage_, met);
    const bool is_silent = was_suspect_ && edge.rule == &kBadBufferId && met != FileEvent::second_header;
    const bool is_silent_end = was_suspect_ && met_.place.length < kIdSize;
    if (edge.rule != nullptr && !is_silent && !is_silent_end) {
        met_.rule = edge.rule;
        context_.report.add(met_);
    }
    if (met == FileEvent::cut_header || edge.to == Stage::rescan) section_->session.taint_all();
    if (met == FileEvent::second_header) finish_section();
    stage_ = edge.to;
}

FileEvent Walk::look_at_header() {
    const std::optional<HeaderFacts> header = check_header(window_, context_, at_);
    if (!header) return FileEvent::unreadable_header;
    budget_ = context_.budget;
    section_.emplace(window_, context_, *header, mode_);
    at_ = header->end;
    is_suspect_ = header->in_doubt;
    return FileEvent::header;
}

FileEvent Walk::look_at_buffer() {
    const Bytes bytes = window_.view(at_, kBufferHeaderSize);
    if (bytes.empty()) return FileEvent::end_of_file;
    met_ = {.place = buffer(bytes).whole(bytes.size()), .numbers = {bytes.size()}};
    if (bytes.size() < kIdSize) return FileEvent::cut_header;

    const BufferView header = buffer(bytes);
    const uint64_t id = header.get<"id">();
    if (id == kBufferId) {
        if (bytes.size() < kBufferHeaderSize) return FileEvent::cut_header;
        if (header.get<"len">() < kFirstNegative) return read_buffer(header, false);
        met_ = {.place = header.place<"len">(), .numbers = {header.get<"len">()}};
        at_ += kBufferHeaderSize;
        ++index_;
        return FileEvent::negative_length;
    }
    met_ = {.place = header.place<"id">(), .numbers = {id}};
    met_.hint = id == kHeaderId ? kTwoFiles : kAppended;
    if (id == kHeaderId) return FileEvent::second_header;
    if (!leads_on(at_, bytes)) return FileEvent::foreign_bytes;
    return read_buffer(buffer(window_.view(at_, kBufferHeaderSize)), true);
}

// Whether `opening`, the bytes from `at` on, seems to be the header of a buffer: it leads to another one, or to the
// end of the file.
bool Walk::leads_on(uint64_t at, Bytes opening) {
    if (opening.size() < kBufferHeaderSize) return false;
    const uint64_t length = BufferView(opening.data(), at, ByteOrder::little, 0).get<"len">();
    if (length > kLargestBuffer) return false;
    const auto size = static_cast<size_t>(kBufferHeaderSize + length);
    const Bytes all = window_.view(at, size + kIdSize);
    if (all.size() <= size) return all.size() == size;
    return all.size() >= size + kIdSize && load(all.data() + size, kIdSize, ByteOrder::little) == kBufferId;
}

// Rules 16 and 18 to 22, and the events.
FileEvent Walk::read_buffer(const BufferView& header, bool is_damaged) {
    Section& section = *section_;
    const uint64_t length = header.get<"len">(), thread_id = header.get<"thread_id">();
    const Place length_place = header.place<"len">();
    Report& report = context_.report;
    BufferFrame frame;
    frame.begin = at_ + kBufferHeaderSize;
    frame.end = frame.begin + length;
    frame.time_base = header.get<"time_base">();
    frame.ptr_base = header.get<"ptr_base">();
    frame.obj_base = header.get<"obj_base">();
    frame.method_base = header.get<"method_base">();
    if (length == 0) report.add(kEmptyBuffer, length_place);
    if (thread_id == 0) report.add(kZeroThreadId, header.place<"thread_id">());
    if (frame.time_base == 0) report.add(kZeroTimeBase, header.place<"time_base">());
    section.findings.begin_buffer();
    section.session.begin_buffer(thread_id, {at_, kBufferHeaderSize, index_, &kBuffer});
    section.times.begin_buffer(section.session.thread(), frame.time_base, header.place<"time_base">());
    ++buffers_;
    ++index_;
    const How how = section.events.read(frame, index_);
    section.session.end_buffer();
    if (how != How::complete) ++index_;

    is_suspect_ = how == How::failed;
    const bool is_cut = how == How::cut || (how == How::failed && !is_whole(frame.end));
    if (how != How::complete) section.times.excuse();
    section.times.end_buffer();
    if (is_cut) {
        met_ = {.place = length_place, .numbers = {length, window_.size() - frame.begin}};
        const bool is_in_hand = frame.end - section.events.failed_at() <= context_.limits.record;
        if (is_in_hand || how == How::cut)
            at_ = rescan_place();
        else
            give_up();
        return FileEvent::cut_buffer;
    }
    if (length > kLargestBuffer) report.add(kOversizedBuffer, length_place, {length});
    if (how == How::failed) {
        report.add(section.events.fault());
        section.session.taint();
    }
    at_ = frame.end;
    return is_damaged ? FileEvent::damaged_id : FileEvent::buffer;
}

// Where the search for the next buffer begins in one that the file cuts: at the event that could not be read. Of all
// bytes no more are read once more than were passed, or a file of such buffers would take for ever.
uint64_t Walk::rescan_place() {
    const uint64_t failed = std::min(section_->events.failed_at(), window_.size());
    const uint64_t stopped = std::clamp(section_->events.stopped_at(), failed, window_.size());
    const uint64_t again = stopped - failed;
    if (read_again_ + again > failed + kReadAgainFreely) return stopped;
    if (!section_->findings.read_again(failed, stopped)) return stopped;
    read_again_ += again;
    context_.work.add(again);
    return failed;
}

// The bytes in which to search were passed, as they are more than may be kept.
void Walk::give_up() {
    context_.limit_hit = true;
    at_ = window_.size();
    context_.report.add(kTrackingLimit, {at_, 0}, {context_.limits.record});
}

// Whether the file has the bytes up to `end`. Those behind a framing fault are kept as far as the limit allows, as a
// rescan would begin there.
bool Walk::is_whole(uint64_t end) {
    const uint64_t from = section_->events.failed_at();
    const uint64_t kept = std::min(end - from, context_.limits.record);
    return window_.view(from, static_cast<size_t>(kept)).size() >= kept && window_.reaches(end);
}

// Rescan: the first buffer that leads on to another one, or to the end of the file.
FileEvent Walk::scan() {
    constexpr uint8_t id[] = {kBufferId & 0xff, kBufferId >> 8 & 0xff, kBufferId >> 16 & 0xff, kBufferId >> 24 & 0xff};
    for (;;) {
        const Bytes bytes = window_.view(at_, kBufferHeaderSize);
        if (bytes.size() < kBufferHeaderSize) return FileEvent::end_of_file;
        const size_t places = bytes.size() - kBufferHeaderSize + 1;
        const void* found = std::memchr(bytes.data(), id[0], places);
        if (found == nullptr) {
            at_ += places;
            continue;
        }
        const auto skipped = static_cast<size_t>(static_cast<const uint8_t*>(found) - bytes.data());
        at_ += skipped;
        const Bytes candidate = bytes.subspan(skipped);
        if (std::equal(std::begin(id), std::end(id), candidate.begin()) && leads_on(at_, candidate))
            return FileEvent::next_buffer;
        ++at_;
    }
}

// The file, or the first of two that were put together, ends.
void Walk::finish_section() {
    if (!section_) return;
    if (!window_.ended_early()) section_->session.finish();
    std::vector<std::pair<std::string_view, uint64_t>> counts;
    section_->events.count(counts);
    for (const auto& [name, count] : counts) {
        const auto known = std::ranges::find(events_, name, &std::pair<std::string_view, uint64_t>::first);
        if (known == events_.end())
            events_.emplace_back(name, count);
        else
            known->second += count;
    }
    section_.reset();
    context_.budget.return_to(*budget_);
}

}  // namespace

uint16_t layout_version(const HeaderFacts& header, const Settings& settings) {
    const bool has_il_offsets = kVariants[settings.of(kVariant)] == "bt-il-offset";
    return has_il_offsets && header.version == kNewestVersion ? kIlOffsetVersion : header.version;
}

void validate_file(Window& window, ValidationContext& context, WalkMode mode) { Walk(window, context, mode).run(); }

}  // namespace tracelint::mlpd
