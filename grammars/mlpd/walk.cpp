// mlpd, section 4.1: the walk over a file, from buffer to buffer.
//
// A file has a header and buffers. A buffer belongs to one thread and has a length, a time base, and events without any
// framing of their own. look() classifies the bytes at the cursor, and the machine (machine_file.hpp) decides what
// happens next; EventReader (walk_events.hpp) reads the events of a buffer.
//
// A damaged length loses the start of the next buffer. The walk then searches for the next bytes that look like a
// buffer in every respect, at most 65,588 bytes ahead, so that the time stays linear. From there on the file is lossy:
// rules that need complete data are silent. A second file header starts everything afresh (Section).
#include "grammars/mlpd/mlpd.hpp"

#include <map>

#include "grammars/mlpd/machine_file.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::mlpd {
namespace {

constexpr size_t kIdSize = 4;
constexpr uint64_t kReadAgainFreely = 1024;  // bytes that may be read again in addition to those already passed

constexpr std::string_view kTwoFiles = "a file header begins here: two profiles were concatenated into one file";
constexpr std::string_view kAppended =
    "captures from a device that was reset, or from a pipe that lost bytes, look like this";

// Everything that belongs to one file header; a second header starts afresh.
struct Section {
    Section(Window& window, ValidationContext& context, const HeaderFacts& header, Plans& plans, WalkMode mode)
        : findings(context.report),
          session(context, findings, header.version),
          times(session.file(), session.threads()),
          events({window, context, findings, session, times, plans}, header, mode) {}

    Findings findings;
    Session session;
    ThreadTimes times;
    EventReader events;
};

class Walk {
  public:
    Walk(Window& window, ValidationContext& context, WalkMode mode) : window_(window), context_(context), mode_(mode) {}

    void run() {
        while (stage_ != Stage::over) take(kFileMachine, stage_, look(), *this);
        const bool is_whole = section_ && !section_->session.file().lossy && !context_.limit_hit && plans_.size() == 1;
        finish_section();
        auto& statistics = context_.statistics;
        statistics.emplace_back("records", index_);
        if (buffers_ != 0) statistics.emplace_back(kBuffer.name, buffers_);
        if (skipped_bytes_ != 0) statistics.emplace_back(kSkippedBytes, skipped_bytes_);
        for (const auto& [version, plans] : plans_) add_counts(plans);
        const auto has = [&](std::string_view name) {
            return std::ranges::any_of(statistics, [&](const auto& entry) { return entry.first.starts_with(name); });
        };
        if (is_whole) check_requested_events(context_.report, facts_, has);
    }

    // --- what take() calls
    void report(const Rule& rule, FileEvent) {
        found_.rule = &rule;
        context_.report.add(found_);
    }
    void accept(FileEvent event);
    void skip(FileEvent event);
    void stop(FileEvent) {}

  private:
    using How = EventReader::How;
    using BufferView = View<kBuffer>;

    FileEvent look() {
        switch (stage_) {
            case Stage::start: return look_at_header();
            case Stage::events: return look_at_events();
            case Stage::rescan: return scan();
            default: return look_at_buffer();
        }
    }
    FileEvent look_at_header();
    FileEvent find_buffer();
    FileEvent look_at_buffer();
    FileEvent look_at_events();
    FileEvent scan();
    void read_events();
    void pass_events();
    bool leads_on(uint64_t at, Bytes opening);
    bool is_whole(uint64_t end);
    uint64_t rescan_place();
    void give_up(uint64_t limit);
    void finish_section();
    void add_counts(const Plans& plans);

    BufferView buffer() const { return {header_.data(), at_, ByteOrder::little, index_}; }

    Window& window_;
    ValidationContext& context_;
    const WalkMode mode_;
    std::map<uint16_t, Plans> plans_;  // of the versions of the sections, at most 18
    std::optional<Section> section_;
    HeaderFacts facts_;  // of the last header

    Stage stage_ = Stage::start;
    uint64_t at_ = 0;
    uint64_t index_ = 0;  // of the next record
    Diagnostic found_;    // what a rule of the machine would report
    uint64_t buffers_ = 0;
    uint64_t read_again_ = 0;       // bytes that rescans read again
    uint64_t skipped_bytes_ = 0;    // behind a fault, up to the next buffer
    std::optional<Budget> budget_;  // as it was before the section

    // The current buffer.
    std::array<uint8_t, kBufferHeaderSize> header_{};
    BufferFrame frame_;
    Place length_place_;
    How how_ = How::complete;
};

FileEvent Walk::look_at_header() {
    const std::optional<HeaderFacts> header = check_header(window_, context_, at_);
    if (!header) return FileEvent::unreadable_header;
    budget_ = context_.budget;
    const uint16_t version = layout_version(*header, context_.settings);
    Plans& plans = plans_.try_emplace(version, version).first->second;
    section_.emplace(window_, context_, *header, plans, mode_);
    at_ = header->end;
    facts_ = *header;
    return header->in_doubt ? FileEvent::doubtful_header : FileEvent::header;
}

FileEvent Walk::look_at_buffer() {
    const Bytes bytes = window_.view(at_, kBufferHeaderSize);
    if (bytes.empty()) return FileEvent::end_of_file;
    std::copy_n(bytes.begin(), std::min(bytes.size(), header_.size()), header_.begin());
    const BufferView header = buffer();
    found_ = {.place = header.whole(bytes.size()), .numbers = {bytes.size()}};
    if (bytes.size() < kIdSize) return FileEvent::cut_id;

    const uint64_t id = header.get<"id">();
    if (id == kBufferId) {
        if (bytes.size() < kBufferHeaderSize) return FileEvent::cut_header;
        if (header.get<"len">() < kFirstNegative) return FileEvent::buffer;
        found_ = {.place = header.place<"len">(), .numbers = {header.get<"len">()}};
        return FileEvent::negative_length;
    }
    found_ = {.place = header.place<"id">(), .numbers = {id}};
    found_.hint = id == kHeaderId ? kTwoFiles : kAppended;
    if (id == kHeaderId) return FileEvent::second_header;
    return leads_on(at_, bytes) ? FileEvent::damaged_id : FileEvent::foreign_bytes;
}

FileEvent Walk::look_at_events() {
    const bool is_cut = how_ == How::cut || (how_ == How::failed && !is_whole(frame_.end));
    if (!is_cut) return how_ == How::failed ? FileEvent::events_failed : FileEvent::events_read;
    found_ = {.place = length_place_, .numbers = {frame_.end - frame_.begin, window_.size() - frame_.begin}};
    return FileEvent::events_cut;
}

void Walk::accept(FileEvent event) {
    switch (event) {
        case FileEvent::buffer:
        case FileEvent::damaged_id: return read_events();
        case FileEvent::events_read:
        case FileEvent::events_failed: return pass_events();
        case FileEvent::second_header: return finish_section();
        default: return;
    }
}

// The skipped bytes may hold events of any thread.
void Walk::skip(FileEvent event) {
    section_->session.taint_all();
    if (event == FileEvent::negative_length) {
        at_ += kBufferHeaderSize;
        ++index_;
    }
    if (event == FileEvent::events_cut) {
        const uint64_t end = how_ == How::cut ? window_.size() : frame_.end;
        const uint64_t size = end - section_->events.began_at();
        if (size > context_.limits.record)
            give_up(context_.limits.record);
        else if (section_->events.failed_at() != section_->events.began_at() || window_.affordable(size) < size)
            give_up(context_.limits.memory);
        else
            at_ = rescan_place();
    }
}

// Whether `opening`, the bytes from `at` on, looks like a buffer header: its len leads to another buffer or to the end
// of the file.
bool Walk::leads_on(uint64_t at, Bytes opening) {
    if (opening.size() < kBufferHeaderSize) return false;
    const uint64_t length = BufferView(opening.data(), at, ByteOrder::little, 0).get<"len">();
    if (length > kLargestBuffer) return false;
    const auto size = static_cast<size_t>(kBufferHeaderSize + length);
    const Bytes all = window_.view(at, size + kIdSize);
    if (all.size() <= size) return all.size() == size;
    return all.size() >= size + kIdSize && load(all.data() + size, kIdSize, ByteOrder::little) == kBufferId;
}

constexpr Rule kEmptyBuffer{
    .id = "mlpd/empty-buffer",
    .severity = Severity::note,
    .statement = "a buffer holds events",
    .message = "len is 0: the buffer holds no event",
    .why = "harmless to readers; old runtimes wrote empty buffers, current ones do not",
    .spec = "3.3 Buffer header",
    .since = "0.1.0",
};

constexpr Rule kZeroThreadId{
    .id = "mlpd/zero-thread-id",
    .severity = Severity::warning,
    .statement = "thread_id identifies a thread",
    .message = "thread_id is 0",
    .why = "the events of all such buffers are counted as those of one thread; a bug in the Mono 4.8 runtime did this",
    .spec = "3.3 Buffer header",
    .since = "0.1.0",
};

constexpr Rule kZeroTimeBase{
    .id = "mlpd/zero-time-base",
    .severity = Severity::note,
    .statement = "time_base is the time at which the buffer starts",
    .message = "time_base is 0",
    .why = "all times of the buffer are at the start of the clock, long before those of other buffers",
    .spec = "3.3 Buffer header",
    .since = "0.1.0",
};

void Walk::read_events() {
    Section& section = *section_;
    const BufferView header = buffer();
    const uint64_t length = header.get<"len">(), thread_id = header.get<"thread_id">();
    length_place_ = header.place<"len">();
    frame_.begin = at_ + kBufferHeaderSize;
    frame_.end = frame_.begin + length;
    frame_.time_base = header.get<"time_base">();
    frame_.ptr_base = header.get<"ptr_base">();
    frame_.obj_base = header.get<"obj_base">();
    frame_.method_base = header.get<"method_base">();
    if (length == 0) context_.report.add<kEmptyBuffer>(length_place_);
    if (thread_id == 0) context_.report.add<kZeroThreadId>(header.place<"thread_id">());
    if (frame_.time_base == 0) context_.report.add<kZeroTimeBase>(header.place<"time_base">());
    section.findings.begin_buffer();
    section.session.begin_buffer(thread_id, {at_, kBufferHeaderSize, index_, &kBuffer});
    section.times.begin_buffer(section.session.thread(), frame_.time_base, header.place<"time_base">());
    ++buffers_;
    ++index_;
    how_ = section.events.read(frame_, index_);
    section.session.end_buffer();
    if (how_ != How::complete) {
        ++index_;
        section.times.excuse();
    }
    section.times.end_buffer();
}

constexpr Rule kOversizedBuffer{
    .id = "mlpd/oversized-buffer",
    .severity = Severity::note,
    .statement = "len is at most 65536",
    .message = "len is {0}, but the runtime's buffers hold at most 65536 bytes",
    .why = "readers accept any len; another writer made the file, or the number is damaged",
    .spec = "3.3 Buffer header",
    .since = "0.1.0",
    .depends_on = {.file_size = true},
};

// The file holds the whole buffer, although a framing fault may have ended the reading early.
void Walk::pass_events() {
    const uint64_t length = frame_.end - frame_.begin;
    if (length > kLargestBuffer) context_.report.add<kOversizedBuffer>(length_place_, {length});
    if (how_ == How::failed) {
        context_.report.add(section_->events.fault());
        section_->session.taint();
        skipped_bytes_ += saturating_sub(frame_.end, section_->events.failed_at());
    }
    at_ = frame_.end;
}

// Where the rescan begins after a buffer that the file cuts: at the event that could not be read. In total no more
// bytes are read again than were passed, so that a file full of such buffers takes linear time.
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

// The rescan would need bytes that are not in hand, as they exceed the limit.
void Walk::give_up(uint64_t limit) {
    context_.limit_hit = true;
    at_ = window_.size();
    context_.report.add<kTrackingLimit>({at_, 0}, {limit});
}

// Whether the file has the bytes up to `end`. Those after a framing fault are kept as far as the limit allows, since a
// rescan would begin there.
bool Walk::is_whole(uint64_t end) {
    const uint64_t from = section_->events.failed_at();
    const uint64_t kept = window_.affordable(std::min(end - from, context_.limits.record));
    return window_.view(from, static_cast<size_t>(kept)).size() >= kept && window_.reaches(end);
}

// Finds the first buffer that leads to another one, or to the end of the file.
FileEvent Walk::scan() {
    const uint64_t from = at_;
    const FileEvent met = find_buffer();
    skipped_bytes_ += (met == FileEvent::end_of_file ? window_.size() : at_) - from;
    return met;
}

FileEvent Walk::find_buffer() {
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

// The end of the file, or of the first of two concatenated files.
void Walk::finish_section() {
    if (!section_) return;
    if (!window_.ended_early()) section_->session.finish();
    section_.reset();
    context_.budget.return_to(*budget_);
}

// Adds the numbers of events by name, in the order of the specification. Records of several versions may share a name.
void Walk::add_counts(const Plans& plans) {
    auto& statistics = context_.statistics;
    for (const Plan* plan : plans.made()) {
        if (plan->count == 0) continue;
        const auto known =
            std::ranges::find(statistics, plan->record->name, [](const auto& entry) { return entry.first; });
        if (known == statistics.end())
            statistics.emplace_back(plan->record->name, plan->count);
        else
            known->second += plan->count;
    }
}

}  // namespace

uint16_t layout_version(const HeaderFacts& header, const Settings& settings) {
    const bool has_il_offsets = kVariants[settings.of(kVariant)] == "bt-il-offset";
    return has_il_offsets && header.version == kNewestVersion ? kIlOffsetVersion : header.version;
}

constinit const RuleList kWalkRules = rules<&kEmptyBuffer, &kZeroThreadId, &kZeroTimeBase, &kOversizedBuffer>;

void validate_file(Window& window, ValidationContext& context, WalkMode mode) { Walk(window, context, mode).run(); }

}  // namespace tracelint::mlpd
