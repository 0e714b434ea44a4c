// nettrace, section 3.7: walks the events of versions 1 to 3.
#include "grammars/nettrace/checks/block_rules.hpp"
#include "grammars/nettrace/checks/session.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {

constexpr Rule kTruncatedEvent{
    .id = "nettrace/truncated-event",
    .severity = Severity::error,
    .statement = "a file of version 1 or 2 ends behind its end label",
    .message = "the file ends {0 byte|bytes} into an event",
    .why = "readers of that time stop with an exception",
    .spec = "3.7 Events of versions 1 to 3; 4.2 Objects",
    .since = "0.2.0",
    .about_end = true,
};

constexpr Rule kEndLabelMismatch{
    .id = "nettrace/end-label",
    .severity = Severity::error,
    .statement = "the end label of versions 1 and 2 says where the events end",
    .message = "the end label has {0d}, expected {1}",
    .why = "the readers of that time look for the end of the events there",
    .spec = "3.7 Events of versions 1 to 3",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

namespace {

template <FixedName Name>
constexpr const Field& kOldField = View<kOldEvent>::field<Name>();

class OldEventWalk {
  public:
    OldEventWalk(Session& session, const Block& block)
        : session_(session), cursor_(session, block), has_blocks_(session.version == kNetperf3) {}

    BlockEnd run() {
        Walked walked = Walked::whole;
        while (walked == Walked::whole && !is_over()) walked = event();
        return cursor_.end_of(walked);
    }
    uint64_t at() const { return cursor_.at(); }
    // Of a file of version 1 or 2: checks what ends the events. False: nothing does.
    bool check_end(Walked walked);

  private:
    bool is_over();
    Walked event();
    Walked cut_header(Bytes seen);
    Walked parts(uint64_t event_size, uint64_t payload_size);
    Walked read_parts(Bytes bytes, uint64_t event_size, uint64_t payload_size);
    Walked fail_size(const Place& place, uint64_t stated, uint64_t needed);
    Walked check(Bytes event, uint64_t payload_size, uint64_t stack_size, uint64_t padding);
    Walked check_row(Bytes payload);
    void check_event(Bytes payload);
    uint64_t padded(uint64_t bytes) const { return has_blocks_ ? (bytes + 3) / 4 * 4 : bytes; }

    Place place(const Field& field) const {
        return {cursor_.at() + fixed_offset(kOldEvent, field.name, {.version = kNetperf3}),
                field.width,
                &kOldEvent,
                &field,
                nullptr,
                session_.index,
                kNone};
    }
    static Place id_place(const void* walk) {
        return static_cast<const OldEventWalk*>(walk)->place(kOldField<"metadata_id">);
    }
    Findings& findings() { return session_.findings; }

    static constexpr uint64_t kHeaderSize = fixed_size(kOldEvent, {.version = kNetperf3});
    static constexpr uint64_t kTrailerSize = fixed_size(kEndLabel, {.version = 1});
    static constexpr uint64_t kLeastSize = kHeaderSize;  // of an event without its size: 52 bytes and that of a stack

    Session& session_;
    BlockCursor cursor_;
    const bool has_blocks_;
    uint64_t metadata_id_ = 0;
};

bool OldEventWalk::is_over() {
    if (has_blocks_) return cursor_.is_at_end();
    const Bytes seen = cursor_.see(kTrailerSize + 1);
    return seen.empty() || (seen.size() == kTrailerSize && seen[0] == kEndObject);
}

Walked OldEventWalk::fail_size(const Place& place, uint64_t stated, uint64_t needed) {
    return cursor_.fail(kEventSizeMismatch, place, {stated, needed});
}

// A size that is there is judged before the end of the file is.
Walked OldEventWalk::cut_header(Bytes seen) {
    if (seen.size() < 4) return Walked::cut;
    const auto event_size = static_cast<uint64_t>(sign_extended(load(seen.data(), 4, ByteOrder::little), 4));
    const bool is_sound = static_cast<int64_t>(event_size) >= 0 && event_size >= kLeastSize &&
                          (!has_blocks_ || event_size <= cursor_.left() - 4);
    return is_sound ? Walked::cut : fail_size(place(kOldField<"event_size">), event_size, kLeastSize);
}

Walked OldEventWalk::event() {
    const Bytes seen = cursor_.see(kHeaderSize);
    const uint64_t left = cursor_.left();
    if (seen.size() < std::min(kHeaderSize, left)) return cut_header(seen);
    if (seen.size() < kHeaderSize) {
        const Place whole{.offset = cursor_.at(), .length = left, .record = &kOldEvent, .record_index = session_.index};
        return cursor_.fail(kEventOverrunsBlock, whole, {kHeaderSize, left}, true);
    }
    const View<kOldEvent, Layout{.version = kNetperf3}> header(seen.data(), cursor_.at(), ByteOrder::little,
                                                               session_.index);
    const uint64_t event_size = header.get<"event_size">(), payload_size = header.get<"payload_size">();
    metadata_id_ = header.get<"metadata_id">();
    const auto is_negative = [](uint64_t size) { return static_cast<int64_t>(size) < 0; };
    if (is_negative(event_size) || event_size < kLeastSize)
        return fail_size(header.place<"event_size">(), event_size, kLeastSize);
    if (has_blocks_ && event_size > left - 4) return fail_size(header.place<"event_size">(), event_size, kLeastSize);
    if (is_negative(payload_size) || payload_size > event_size - kLeastSize)
        return fail_size(header.place<"payload_size">(), payload_size, event_size - kLeastSize);
    return parts(event_size, payload_size);
}

// Makes the event visible, or else its head and the size of its stack.
Walked OldEventWalk::parts(uint64_t event_size, uint64_t payload_size) {
    const uint64_t size = 4 + event_size;
    if (cursor_.may_see(size)) {
        const Bytes seen = cursor_.see(size);
        return read_parts(seen.first(std::min<uint64_t>(seen.size(), size)), event_size, payload_size);
    }
    // Nobody knows whether a row in it has a framing fault.
    session_.tracking.end(Tracked::records, cursor_.at());
    session_.is_search_cut = true;
    return Walked::left;
}

Walked OldEventWalk::read_parts(Bytes bytes, uint64_t event_size, uint64_t payload_size) {
    const uint64_t size = 4 + event_size, at_stack = kHeaderSize + payload_size;
    if (bytes.size() < at_stack + 4) return Walked::cut;
    const auto stack_size =
        static_cast<uint64_t>(sign_extended(load(bytes.data() + at_stack, 4, ByteOrder::little), 4));
    Place stack_place{.offset = cursor_.at() + at_stack,
                      .length = 4,
                      .record = &kOldStack,
                      .field = &View<kOldStack>::field<"stack_size">(),
                      .record_index = session_.index + (payload_size != 0 ? 2 : 1)};
    const uint64_t left = size - at_stack - 4;
    if (stack_size > left) return cursor_.fail(kStackSize, stack_place, {stack_size, left});
    const uint64_t needed = padded(at_stack + 4 + stack_size);
    if (needed != size) return fail_size(place(kOldField<"event_size">), event_size, needed - 4);
    if (bytes.size() < size) return Walked::cut;
    const uint64_t padding = left - stack_size;
    if (!findings().is_in_doubt()) {
        if (!all_zero(bytes.last(padding))) {
            Place place = stack_place;
            place.offset += 4 + stack_size;
            place.length = padding;
            place.field = &View<kOldStack>::field<"padding">();
            findings().add<kPaddingNonzero>(place, {padding});
        }
        check_stack(session_, stack_size, stack_place);
        const View<kOldEvent, Layout{.version = kNetperf3}> header(bytes.data(), cursor_.at(), ByteOrder::little,
                                                                   session_.index);
        const uint64_t time = header.get<"time">();
        if (!findings().is_in_doubt()) session_.threads.check_old_time(time, header.place<"time">());
        if (!findings().is_in_doubt() && metadata_id_ != 0) check_event(bytes.subspan(kHeaderSize, payload_size));
        if (!findings().is_in_doubt()) session_.threads.pass_old(time);
    }
    // The fault of a row leaves the block, even if it is not reported.
    if (metadata_id_ == 0)
        if (const Walked walked = check_row(bytes.subspan(kHeaderSize, payload_size)); walked != Walked::whole)
            return walked;
    ++(metadata_id_ != 0 ? session_.counts.events : session_.counts.rows);
    cursor_.pass(size);
    session_.index += payload_size != 0 ? 3 : 2;
    return Walked::whole;
}

Walked OldEventWalk::check_row(Bytes payload) {
    PartReader row(findings(), payload, cursor_.at() + kHeaderSize, {&kMetadata, session_.index + 1});
    if (session_.rows.read(row, session_.version, cursor_.at())) return Walked::whole;
    return cursor_.leave(row.fault());
}

void OldEventWalk::check_event(Bytes payload) {
    const uint64_t id = metadata_id_ & 0xffffffff;
    MetadataTable::Entry* const entry = metadata_of(session_, id, id_place, this);
    if (findings().is_in_doubt()) return;
    if (payload.size() > 65'535) check_payload_size(session_, payload.size(), place(kOldField<"payload_size">));
    if (entry == nullptr || entry->steps == 0 || entry->has_payload_finding || !findings().speaks()) return;
    const Place whole{.offset = cursor_.at() + kHeaderSize,
                      .length = payload.size(),
                      .record = &kPayload,
                      .field = &View<kPayload>::field<"data">(),
                      .record_index = session_.index + 1};
    check_payload(session_, *entry, payload, whole);
}

bool OldEventWalk::check_end(Walked walked) {
    const uint64_t at = cursor_.at();
    if (walked == Walked::left) return true;
    if (walked == Walked::cut) {
        const uint64_t left = session_.window.size() - at;
        findings().add<kTruncatedEvent>({.offset = at, .length = left}, {left});
        return true;
    }
    const Bytes seen = cursor_.see(kTrailerSize);
    if (seen.empty()) return false;
    const View<kEndLabel, Layout{.version = 1}> label(seen.data(), at, ByteOrder::little, session_.index++);
    const auto check = [&](const Place& place, uint64_t stated, uint64_t expected) {
        expected &= 0xffffffff;
        if (!findings().is_in_doubt() && (stated & 0xffffffff) != expected)
            findings().add<kEndLabelMismatch>(place, {stated, expected});
    };
    check(label.place<"label_count">(), label.get<"label_count">(), 1);
    check(label.place<"label">(), label.get<"label">(), at);
    check(label.place<"label_after_tag">(), label.get<"label_after_tag">(), at + 1);
    check(label.place<"label_after_labels">(), label.get<"label_after_labels">(), at + 9);
    return true;
}

}  // namespace

void check_forward_reference(Session& session, PartReader& trace) {
    uint64_t index = 0;
    trace.fixed(View<kTrace>::field<"forward_reference">(), 4, index);
    if (index != 0) session.findings.add_outside<kEndLabelMismatch>(trace.last(), {index, 0});
}

BlockEnd walk_old_events(Session& session, const Block& block) { return OldEventWalk(session, block).run(); }

bool walk_old_file(Session& session, uint64_t begin, uint64_t& end_of_events) {
    const Block all{.kind = Kind::events, .begin = begin, .end = kNone, .size_place = {}};
    session.findings.begin_block();
    OldEventWalk walk(session, all);
    const BlockEnd end = walk.run();
    end_of_events = walk.at();
    if (end.walked == Walked::left)
        session.context.left_at = end.unchecked_from;
    else if (end.unchecked_from != kNone)
        session.unchecked.add(end.unchecked_from, end.walked == Walked::cut ? session.window.size() : end_of_events);
    return walk.check_end(end.walked);
}

constinit const RuleList kOldEventRules = rules<&kTruncatedEvent, &kEndLabelMismatch>;

}  // namespace tracelint::nettrace
