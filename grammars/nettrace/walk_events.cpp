// nettrace, sections 3.4 to 3.6 and 4.4: walks the events of a block of version 4 or later, and the metadata rows of
// versions 4 and 5.
#include "grammars/nettrace/checks/block_rules.hpp"
#include "grammars/nettrace/checks/session.hpp"
#include "grammars/nettrace/walk_event_header.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {

constexpr Rule kEventFlags{
    .id = "nettrace/event-flags",
    .severity = Severity::warning,
    .statement = "bit 32 of the flags of an event is not set in version 6",
    .message = "the flags are {0x}, and bit 0x20 has no meaning in version 6",
    .why = "readers ignore it; in version 4 it announces 16 bytes",
    .spec = "3.5 Compressed event headers",
    .since = "0.2.0",
};

constexpr Rule kBlockFlagsRange{
    .id = "nettrace/block-flags",
    .severity = Severity::error,
    .statement = "the flags of a block are 0 or 1",
    .message = "flags are {0}, expected 0 or 1",
    .why = "the layout of this block is unknown; readers look at bit 0 only",
    .spec = "3.4 Event and metadata blocks",
    .since = "0.2.0",
};

constexpr Rule kBlockTimeRange{
    .id = "nettrace/block-time-range",
    .severity = Severity::warning,
    .statement = "the smallest time of a block is not above the largest",
    .message = "the smallest time is {0}, the largest {1}",
    .why = "readers that skip blocks by their range skip this one; none does so far",
    .spec = "3.4 Event and metadata blocks",
    .since = "0.2.0",
};

constexpr Rule kMetadataIdZero{
    .id = "nettrace/metadata-id-zero",
    .severity = Severity::error,
    .statement = "an event refers to a metadata row",
    .message = "the event has metadata id 0, which only rows have",
    .why = "TraceEvent stops with an exception and drops the rest of the file",
    .spec = "3.4 Event and metadata blocks",
    .since = "0.2.0",
};

constexpr Rule kMetadataBlockEventId{
    .id = "nettrace/metadata-block-event-id",
    .severity = Severity::error,
    .statement = "the rows of a MetadataBlock have metadata id 0",
    .message = "the row has metadata id {0}, expected 0",
    .why = "the numbers of later rows shift, and some readers mistake the row for an event",
    .spec = "3.4 Event and metadata blocks",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kThreadChangeUnsorted{
    .id = "nettrace/thread-change-unsorted",
    .severity = Severity::warning,
    .statement = "the capture thread changes at a sorted event only",
    .message = "the capture thread changes from {0} to {1} at an event that is not sorted",
    .why = "TraceEvent books the event on the wrong thread and counts lost events",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kProcessorNumber{
    .id = "nettrace/processor-number",
    .severity = Severity::note,
    .statement = "the processor of an event is one of those of the Trace",
    .message = "processor {0}, and the Trace counts {1}",
    .why = "in a container, fewer processors are counted than there are",
    .spec = "3.3 Trace; 3.5 Compressed event headers",
    .since = "0.2.0",
};

constexpr Rule kDanglingStack{
    .id = "nettrace/dangling-stack",
    .severity = Severity::error,
    .statement = "an event refers to a stack that was defined since the last sequence point",
    .message = "stack {0} is not defined since the last sequence point",
    .why = "readers show the event without its stack",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

constexpr Rule kDanglingLabelList{
    .id = "nettrace/dangling-label-list",
    .severity = Severity::error,
    .statement = "an event refers to a label list that was defined since the last sequence point",
    .message = "label list {0} is not defined since the last sequence point",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "4.4 Events",
    .since = "0.2.0",
};

namespace {

using Part = EventPlaces::Part;
template <FixedName Name>
constexpr const Field& kEventField = View<kEvent>::field<Name>();
constexpr const Field* kPartFields[] = {
    &kEventField<"metadata_id">, &kEventField<"number_delta">, &kEventField<"capture_thread">,
    &kEventField<"processor">,   &kEventField<"thread">,       &kEventField<"stack_id">,
    &kEventField<"time_delta">,  &kEventField<"label_list">,   &kEventField<"payload_size">};
constexpr std::string_view kPlainNames[] = {"metadata_id", "number", "capture_thread", "processor",   "thread",
                                            "stack_id",    "time",   "label_list",     "payload_size"};
static_assert(std::size(kPartFields) == kParts && std::size(kPlainNames) == kParts);

constexpr uint32_t kNotRecorded = 0xffffffff;  // a processor
constexpr uint32_t kMostPayload = 65'535;      // bytes

class EventWalk final : public EventPlaces {
  public:
    EventWalk(Session& session, const Block& block)
        : session_(session),
          block_(block),
          cursor_(session, block),
          is_plain_(session.is_plain()),
          is_metadata_(block.kind == Kind::metadata),
          is_fast_(session.mode == WalkMode::fast && !is_metadata_),
          limit_(session.context.limits.record),
          has_processors_(!is_plain_ && session.processors.has_value()),
          processors_(session.processors.value_or(0)) {}

    BlockEnd run() { return cursor_.end_of(walk()); }

    Place place_of(Part part) const override;

  private:
    Walked walk() {
        if (const Walked walked = read_header(); walked != Walked::whole) return walked;
        if (cursor_.is_at_end()) report_empty();
        while (!cursor_.is_at_end())
            if (const Walked walked = is_compressed_ ? compressed() : uncompressed(); walked != Walked::whole)
                return walked;
        return Walked::whole;
    }
    Walked read_header();
    void report_empty();
    Walked compressed();
    Walked fail_header(const HeaderReader<false>& read, Bytes seen);
    bool is_usual(Bytes seen);
    Walked uncompressed();
    Walked overrun(uint64_t needed);
    void look_ahead(Bytes seen);
    // Of an event whose header was read: makes all of it visible, checks it and steps over it.
    Walked take(Bytes seen, uint64_t header, uint64_t padding);
    void report_long_numbers();
    void check(Bytes payload);
    void check_row(Bytes payload);
    void check_event(Bytes payload);
    void check_processor();
    void check_fields(MetadataTable::Entry& entry, Bytes payload);
    void check_uncompressed(Bytes padding);

    Place whole(uint64_t length) const {
        return {cursor_.at(), length, record_, nullptr, nullptr, session_.index, kNone};
    }
    Findings& findings() { return session_.findings; }

    Session& session_;
    const Block& block_;
    BlockCursor cursor_;
    const bool is_plain_;  // version 6
    const bool is_metadata_;
    const bool is_fast_;    // takes usual events without check_event()
    const uint64_t limit_;  // bytes of an event
    const bool has_processors_;
    const uint64_t processors_;
    bool is_compressed_ = true;
    Threads::BlockTimes times_;

    // The event.
    EventFields fields_;
    const Record* record_ = &kEvent;
    const uint8_t* header_ = nullptr;
    uint64_t header_size_ = 0;
    uint64_t padding_ = 0;
    uint8_t flags_ = 0;
    bool is_sorted_ = false;
    bool is_first_ = true;
    uint64_t capture_before_ = 0;
    // Where look_ahead() is, and how many events before the walk.
    uint64_t ahead_at_ = 0;
    unsigned ahead_events_ = 0;
    EventFields ahead_;
    std::array<uint8_t, kLongestHeader> kept_{};  // the header of an event that is not in view
};

Walked EventWalk::read_header() {
    using View = tracelint::View<kEventBlock>;
    constexpr uint64_t kFixed = fixed_size(kEventBlock, kNettraceLayout);
    const uint64_t size = cursor_.left();
    const Bytes bytes = cursor_.see(kFixed);
    const View header(bytes.data(), cursor_.at(), ByteOrder::little, session_.index);
    if (size < kFixed) return cursor_.fail(kBlockHeaderSize, header.whole(size), {size, size, kFixed}, true);
    if (bytes.size() < kFixed) return Walked::cut;
    const uint64_t header_size = header.get<"header_size">(), flags = header.get<"flags">();
    if (header_size < kFixed || header_size > size)
        return cursor_.fail(kBlockHeaderSize, header.place<"header_size">(), {header_size, size, kFixed});
    if (flags > 1) findings().add<kBlockFlagsRange>(header.place<"flags">(), {flags});
    times_ = {header.get<"smallest_time">(), header.get<"largest_time">()};
    if (times_.smallest > times_.largest) {
        Place both = header.place<"smallest_time">();
        both.length = 16;
        findings().add_time<kBlockTimeRange>(both, {times_.smallest, times_.largest});
    }
    is_compressed_ = (flags & 1) != 0;
    record_ = is_metadata_ ? &either(is_compressed_, kRowHeader, kPlainRowHeader)
                           : &either(is_compressed_, kEvent, kPlainEvent);
    if (header_size > kFixed && cursor_.is_cut_within(header_size)) return Walked::cut;
    cursor_.pass(header_size);
    ++session_.index;
    return Walked::whole;
}

void EventWalk::report_empty() {
    if (is_metadata_)
        findings().add_overridden<kEmptyBlock>(block_.size_place);
    else
        findings().add<kEmptyBlock>(block_.size_place);
}

Walked EventWalk::overrun(uint64_t needed) {
    const uint64_t left = cursor_.left();
    return cursor_.fail(kEventOverrunsBlock, whole(left), {needed, left}, true);
}

Walked EventWalk::compressed() {
    const Bytes seen = cursor_.see(kLongestHeader);
    if (seen.empty()) return Walked::cut;
    capture_before_ = fields_.capture_thread;
    HeaderReader<false> read(seen.data(), seen.data() + seen.size(), fields_);
    const bool is_read = read.read(is_plain_);
    header_ = seen.data();
    flags_ = read.flags();
    is_sorted_ = read.is_sorted();
    if (!is_read) return fail_header(read, seen);
    header_size_ = read.size();
    if (is_fast_ && !read.has_long_number() && is_usual(seen)) {
        cursor_.pass(header_size_ + fields_.payload_size);
        ++session_.counts.events;
        ++session_.index;
        is_first_ = false;
        return Walked::whole;
    }
    if (read.has_long_number()) report_long_numbers();
    const bool is_large = is_metadata_ ? session_.metadata.is_large() : session_.threads.is_large();
    if (is_large && !findings().is_in_doubt()) look_ahead(seen);
    return take(seen, read.size(), 0);
}

// Where events are of as many threads or rows, most time would go into cache misses. Reads the headers of the next
// events and prefetches what their checks look up.
void EventWalk::look_ahead(Bytes seen) {
    constexpr unsigned kEvents = 8;
    const uint64_t next = cursor_.at() + header_size_ + fields_.payload_size;
    if (ahead_at_ < next) {
        ahead_at_ = next;
        ahead_events_ = 0;
        ahead_ = fields_;
    } else if (ahead_events_ != 0) {
        --ahead_events_;
    }
    for (; ahead_events_ < kEvents; ++ahead_events_) {
        const uint64_t from = ahead_at_ - cursor_.at();
        if (seen.size() < from + kLongestHeader) return;
        HeaderReader<false> header(seen.data() + from, seen.data() + seen.size(), ahead_);
        if (!header.read(is_plain_)) return;
        session_.context.work.add(1);
        if (is_metadata_)
            session_.metadata.announce(
                static_cast<uint32_t>(load(seen.data() + from + header.size(), 4, ByteOrder::little)));
        else
            session_.threads.announce(ahead_.capture_thread);
        ahead_at_ += header.size() + ahead_.payload_size;
    }
}

// Whether there is nothing to report of the event; if so, it counts for those that follow (section 4.4, as in
// check_event).
bool EventWalk::is_usual(Bytes seen) {
    const EventFields& event = fields_;
    const uint64_t size = header_size_ + event.payload_size;
    const bool is_in_view = size <= std::min<uint64_t>(seen.size(), limit_) && event.payload_size <= kMostPayload;
    const bool may_change = is_sorted_ || is_first_ || event.capture_thread == capture_before_;
    const bool is_on_processor = event.processor == kNotRecorded || !has_processors_ || event.processor < processors_;
    if (!is_in_view || !may_change || !is_on_processor || event.metadata_id == 0 || findings().is_in_doubt())
        return false;
    if (is_plain_ && ((flags_ & kHasRelated) != 0 || event.thread != event.capture_thread)) return false;
    if (!session_.stacks.has_recent(event.stack_id) || (is_plain_ && !session_.labels.has_recent(event.label_list)))
        return false;
    MetadataTable::Entry* const entry = session_.metadata.find(event.metadata_id);
    if (entry == nullptr) return false;
    const EventTime time{event.time, is_sorted_};
    if (!session_.threads.take_usual(event.capture_thread, event.number, time, times_)) return false;
    check_fields(*entry, seen.subspan(header_size_, event.payload_size));
    return true;
}

Walked EventWalk::fail_header(const HeaderReader<false>& read, Bytes seen) {
    header_size_ = read.size();
    if (read.has_long_number()) report_long_numbers();
    const bool is_of_end = read.fault() == NumberFault::absent || read.fault() == NumberFault::cut;
    // The bytes end with the block, or with the file: a header is never longer than what is seen.
    if (is_of_end && seen.size() < cursor_.left()) return Walked::cut;
    if (read.fault() == NumberFault::absent) return overrun(seen.size() + 1);
    Place place = whole(read.fault_length());
    place.offset += read.size();
    const uint64_t bits = read.is_wide_fault() ? 64 : 32;
    return cursor_.fail(rule_of(read.fault()), place, {read.fault_length(), bits}, is_of_end);
}

// The first one of the block: a warning.
void EventWalk::report_long_numbers() {
    EventFields ignored;
    HeaderReader<true> read(header_, header_ + header_size_, ignored);
    read.read(is_plain_);
    for (size_t part = 0; part < kParts; ++part) {
        const uint8_t length = read.extents().length[part], at = read.extents().at[part];
        if (length < 2 || header_[at + length - 1] != 0) continue;
        const Number number = read_number(header_ + at, header_ + at + length, true);
        findings().add<kVarintNonCanonical>(place_of(static_cast<Part>(part)), {number.length, number.value});
    }
}

Walked EventWalk::uncompressed() {
    using Plain = View<kPlainEvent, kPlainLayout>;
    using Old = View<kPlainEvent, kNettraceLayout>;
    const uint64_t size = fixed_size(kPlainEvent, session_.layout());
    const Bytes seen = cursor_.see(size);
    if (seen.empty() || (seen.size() < size && seen.size() < cursor_.left())) return Walked::cut;
    if (seen.size() < size) return overrun(size);
    capture_before_ = fields_.capture_thread;
    const auto fill = [&](const auto& view) {
        const uint64_t id = view.template get<"metadata_id">();
        fields_.metadata_id = static_cast<uint32_t>(id & 0x7fffffff);
        is_sorted_ = id >> 31 == 0;
        fields_.number = static_cast<uint32_t>(view.template get<"number">());
        fields_.thread = view.template get<"thread">();
        fields_.capture_thread = view.template get<"capture_thread">();
        fields_.processor = static_cast<uint32_t>(view.template get<"processor">());
        fields_.stack_id = static_cast<uint32_t>(view.template get<"stack_id">());
        fields_.time = view.template get<"time">();
        fields_.payload_size = static_cast<uint32_t>(view.template get<"payload_size">());
    };
    if (is_plain_) {
        const Plain view(seen.data(), cursor_.at(), ByteOrder::little, session_.index);
        fill(view);
        fields_.label_list = static_cast<uint32_t>(view.get<"label_list">());
    } else {
        fill(Old(seen.data(), cursor_.at(), ByteOrder::little, session_.index));
    }
    header_ = seen.data();
    header_size_ = size;
    flags_ = 0;
    return take(seen, size, is_plain_ ? 0 : (0 - uint64_t{fields_.payload_size}) & 3);
}

Walked EventWalk::take(Bytes seen, uint64_t header, uint64_t padding) {
    session_.context.work.add(1);
    const uint64_t size = header + fields_.payload_size + padding;
    if (size > cursor_.left()) return overrun(size);
    const bool is_seen = cursor_.may_see(size);  // by the limits, whatever is in view
    if (!is_seen || size > seen.size()) {
        std::copy_n(seen.begin(), header, kept_.begin());
        header_ = kept_.data();
        if (is_seen) {
            seen = cursor_.see(size);
            if (seen.size() < size) return Walked::cut;
        } else if (cursor_.is_cut_within(size)) {
            return Walked::cut;
        }
    }
    padding_ = padding;
    if (!is_metadata_) ++session_.counts.events;
    if (!is_seen) session_.tracking.end(Tracked::records, cursor_.at());
    if (!findings().is_in_doubt()) {
        if (!is_compressed_) check_uncompressed(seen.subspan(size - padding, padding));
        check(seen.subspan(header, fields_.payload_size));
    }
    is_first_ = false;
    cursor_.pass(size);
    session_.index += is_metadata_ && fields_.payload_size != 0 ? 2 : 1;
    return Walked::whole;
}

void EventWalk::check_uncompressed(Bytes padding) {
    if (!all_zero(padding)) {
        Place place = whole(padding.size());
        place.offset += header_size_ + fields_.payload_size;
        findings().add<kPaddingNonzero>(place, {padding.size()});
    }
    const uint64_t stated = load(header_, 4, ByteOrder::little);
    const uint64_t size = header_size_ - 4 + fields_.payload_size + padding.size();
    Place place = whole(4);
    place.field = &View<kPlainEvent>::field<"event_size">();
    if (stated != size) findings().add<kEventSizeMismatch>(place, {stated, size});
}

void EventWalk::check(Bytes payload) {
    if (is_plain_ && is_compressed_ && (flags_ & kHasRelated) != 0) findings().add<kEventFlags>(whole(1), {flags_});
    is_metadata_ ? check_row(payload) : check_event(payload);
}

// A metadata row of versions 4 and 5.
void EventWalk::check_row(Bytes payload) {
    ++session_.counts.rows;
    if (fields_.metadata_id != 0)
        findings().add<kMetadataBlockEventId>(place_of(Part::metadata_id), {fields_.metadata_id});
    if (!findings().is_in_doubt()) session_.threads.check_row_time(fields_.time, times_, *this);
    const uint64_t at = cursor_.at() + header_size_;
    PartReader row(findings(), payload, at, {&kMetadata, session_.index + 1});
    if (session_.rows.read(row, session_.version, 0)) return;
    findings().note_framing_fault();
    findings().add(row.fault(), row.fault().numbers);
}

Place undefined_place(const void* events) { return static_cast<const EventWalk*>(events)->place_of(Part::metadata_id); }

// In the order of section 4.4; the first error ends the checks.
void EventWalk::check_event(Bytes payload) {
    const auto goes_on = [&] { return !findings().is_in_doubt(); };
    const EventFields& event = fields_;
    if (event.metadata_id == 0) findings().add<kMetadataIdZero>(place_of(Part::metadata_id));
    MetadataTable::Entry* entry = nullptr;
    if (goes_on() && event.metadata_id != 0) entry = metadata_of(session_, event.metadata_id, undefined_place, this);
    if (goes_on() && !is_first_ && !is_sorted_ && event.capture_thread != capture_before_)
        findings().add<kThreadChangeUnsorted>(place_of(Part::capture_thread), {capture_before_, event.capture_thread});
    Threads& threads = session_.threads;
    if (is_plain_ && goes_on()) threads.check_event_threads(event.capture_thread, event.thread, *this);
    if (goes_on()) threads.check_number(event.capture_thread, event.number, *this);
    if (goes_on()) check_processor();
    if (goes_on() && !session_.stacks.has(event.stack_id) &&
        findings().add<kDanglingStack>(place_of(Part::stack_id), {event.stack_id}))
        session_.losses.stacks = true;
    if (goes_on()) threads.check_time(event.capture_thread, {event.time, is_sorted_}, times_, *this);
    if (is_plain_ && goes_on() && !session_.labels.has(event.label_list) &&
        findings().add<kDanglingLabelList>(place_of(Part::label_list), {event.label_list}))
        session_.losses.labels = true;
    if (goes_on() && event.payload_size > kMostPayload)
        check_payload_size(session_, event.payload_size, place_of(Part::payload_size));
    if (goes_on() && entry != nullptr) check_fields(*entry, payload);
    if (goes_on()) threads.pass(event.capture_thread, event.number, {event.time, is_sorted_}, cursor_.at());
}

void EventWalk::check_processor() {
    if (is_plain_ || !session_.processors || session_.has_processor_finding) return;
    const uint32_t processor = fields_.processor;
    if (processor == kNotRecorded || processor < *session_.processors) return;
    session_.has_processor_finding =
        findings().add<kProcessorNumber>(place_of(Part::processor), {processor, *session_.processors});
}

void EventWalk::check_fields(MetadataTable::Entry& entry, Bytes payload) {
    if (entry.steps == 0 || entry.has_payload_finding || !findings().speaks()) return;
    Place place = whole(fields_.payload_size);
    place.offset += header_size_;
    place.field = is_compressed_ ? &kEventField<"payload"> : &View<kPlainEvent>::field<"payload">();
    check_payload(session_, entry, payload, place);
}

Place EventWalk::place_of(Part part) const {
    const auto index = static_cast<size_t>(part);
    Place place = whole(1);
    if (!is_compressed_) {
        const Field* const field = kPlainEvent.find(kPlainNames[index]);
        place.offset += fixed_offset(kPlainEvent, field->name, session_.layout());
        place.length = field->width;
        place.field = field;
        return place;
    }
    EventFields ignored;
    HeaderReader<true> read(header_, header_ + header_size_, ignored);
    read.read(is_plain_);
    place.field = kPartFields[index];
    if (read.extents().length[index] == 0) return place;  // inherited: the flags say so
    place.offset += read.extents().at[index];
    place.length = read.extents().length[index];
    return place;
}

}  // namespace

BlockEnd walk_events(Session& session, const Block& block) { return EventWalk(session, block).run(); }

constinit const RuleList kEventRules =
    rules<&kEventSizeMismatch, &kEventOverrunsBlock, &kEventFlags, &kBlockFlagsRange, &kBlockTimeRange,
          &kMetadataIdZero, &kMetadataBlockEventId, &kThreadChangeUnsorted, &kProcessorNumber, &kDanglingStack,
          &kDanglingLabelList>;

}  // namespace tracelint::nettrace
