// xray, section 4.2: the steps at a record, and the walk from record to record.
#include "grammars/xray/fdr_buffer.hpp"

#include "grammars/xray/fdr_calls.hpp"
#include "grammars/xray/fdr_fields.hpp"

namespace tracelint::xray {
namespace {

constexpr std::string_view kOldEventWriter =
    "runtimes before LLVM 8 count the payload of an event, but let the next record overwrite it";
constexpr std::string_view kTypedEventsCounted =
    "the buffer holds typed events, and the runtime counts 16 bytes too few for each of them";
constexpr std::string_view kEmptyEvent = "the program logged an event of length 0, and the runtime wrote it as it is";

// What should stand where a record is out of order.
constexpr std::string_view due_hint(Phase phase) {
    switch (phase) {
        case Phase::start: return "a NewBuffer is due here, the first record of a buffer";
        case Phase::new_buffer: return "a WallClock is due here, the second record of a buffer";
        case Phase::wall_clock: return "a Pid is due here, before version 3 a NewCPUId";
        case Phase::pid: return "a NewCPUId is due here, the last record of the preamble";
        default: return "it belongs into the preamble of a buffer, or before a buffer";
    }
}

// What would be the next record of the preamble; `end` where there is none.
template <uint16_t Version>
constexpr Symbol due_in(Phase phase) {
    for (const Symbol symbol : {Symbol::new_buffer, Symbol::wall_clock, Symbol::pid, Symbol::cpu_id}) {
        const BufferEdge& edge = kMachine<Version>.at(phase, symbol);
        if (edge.rule == nullptr && is_preamble(phase)) return symbol;
    }
    return Symbol::end;
}

}  // namespace

void report_reserved(FdrFile& file, const Place& place, uint8_t byte) {
    file.reserved_said = true;
    Diagnostic finding{.rule = &kReservedNonzero, .place = place, .numbers = {byte}};
    finding.hint = "the runtime leaks bytes of its stack: that of clang 14 stale ones, that of Debian's clang 19 aa";
    file.report.add(finding);
}

bool is_plausible_extents(Bytes bytes, ByteOrder order) {
    if (bytes.size() < kPlausibleExtents || bytes[0] != introducer(kBufferExtentsKind, order)) return false;
    const uint64_t count = View<kBufferExtents>(bytes.data(), 0, order, 0).get<"count">();
    return kLeastExtents <= count && count <= kMostExtents && bytes[kMetadataSize] == introducer(kNewBufferKind, order);
}

template <Layout L>
BufferResult BufferWalk<L>::run() {
    if (!file_.open_calls.counts.empty()) file_.open_calls.counts.clear();
    file_.calls.clear();
    Step how;
    while (!how) {
        if (left() == 0) {
            how = file_.window.reaches(at_) ? end() : How::cut;  // the last payload may be cut
            break;
        }
        bytes_ = file_.window.view(at_, kPlausibleExtents);
        if (bytes_.empty()) [[unlikely]]
            how = frame_.bound == Bound::none ? end() : How::cut;
        else if (!take_calls())
            how = step();
    }
    finish(*how);
    return {*how, at_};
}

// What stands at the cursor; 4.2 has the steps.
template <Layout L>
auto BufferWalk<L>::step() -> Step {
    const Symbol symbol = kSymbols<L.order>[bytes_[0]];
    if (ends_here(symbol)) return end();
    if (L.version >= 2 && is_plausible_extents(bytes_, L.order)) return meet_extents();

    const BufferEdge& edge = kStates.at(phase_, symbol);
    const uint64_t fixed = is_function(symbol) ? kFunctionSize : kMetadataSize;
    if (symbol == Symbol::unknown_kind || symbol == Symbol::unknown_action)
        return refuse_foreign(*edge.rule, symbol, fixed);
    if (left() < fixed || bytes_.size() < fixed) [[unlikely]]
        return overrun(fixed);
    const bool accepted_muted = muted_ && edge.rule == &kRecordOrder && symbol != Symbol::extents;
    if (edge.recovery == Recovery::stop && !accepted_muted) return refuse_foreign(*edge.rule, symbol, fixed);
    if (edge.recovery == Recovery::skip && !accepted_muted) return pass_over(edge, symbol);

    uint64_t size = fixed;
    if (is_event(symbol))
        if (const Step stopped = take_event(size)) return stopped;
    ++file_.by_first_byte[bytes_[0]];
    check_order(edge);
    phase_ = accepted_muted ? phase_after(symbol) : edge.to;
    if (!accepted_muted && !is_preamble(phase_)) muted_ = false;
    process(symbol);
    last_record_ = here(0);
    last_record_.offset += size;
    at_ += size;
    ++file_.index;
    if (phase_ == Phase::over) [[unlikely]]
        return end_by_record();
    return {};
}

// A buffer that nothing bounds ends where the next one seems to begin (version 2).
template <Layout L>
bool BufferWalk<L>::ends_here(Symbol symbol) const {
    if (frame_.bound != Bound::none || L.version < 2) return false;
    return symbol == Symbol::extents ||
           (symbol == Symbol::new_buffer && !is_preamble(phase_) && bytes_.size() >= kMetadataSize);
}

template <Layout L>
auto BufferWalk<L>::meet_extents() -> Step {
    if (frame_.bound != Bound::overclaims && !preamble_said_)
        structural({.rule = &kRecordOrder, .place = record<kBufferExtents>().whole(kMetadataSize)});
    return How::met_extents;
}

// Reports what the walk may be out of step behind; false, and nothing is said, where it was so before.
template <Layout L>
bool BufferWalk<L>::structural(Diagnostic finding) {
    if (doubt_) return false;
    const bool is_first = !finding.is_overridden && file_.structural_errors++ == 0;
    if (is_first && L.version <= 3 && has_events_ && finding.hint.empty()) finding.hint = kOldEventWriter;
    file_.report.add(finding);
    return true;
}

// The record at which a buffer is left counts as one.
template <Layout L>
auto BufferWalk<L>::leave() -> Step {
    ++file_.index;
    return L.version == 1 && at_ == frame_.start && !frame_.is_first ? How::left_at_once : How::left;
}

// Steps 1, 3, 4 and 5: the record cannot stand here. Where the one behind it is the one due then, it is no
// more than a damaged record of the preamble.
template <Layout L>
auto BufferWalk<L>::refuse_foreign(const Rule& rule, Symbol symbol, uint64_t size) -> Step {
    Diagnostic finding{.rule = &rule, .place = here(&rule == &kRecordOrder ? size : 1)};
    if (symbol == Symbol::unknown_kind)
        finding.numbers = {record<kMetadata>().template get<"kind">()};
    else if (symbol == Symbol::unknown_action)
        finding.numbers = {action_of(bytes_[0], L.order)};
    else if (&rule == &kRecordKindNotInVersion)
        finding.numbers = {L.version};
    else if (&rule == &kRecordOrder)
        finding.hint = due_hint(phase_);
    structural(finding);
    if (&rule == &kRecordOrder) preamble_said_ = true;
    if (muted_ || left() <= kMetadataSize || bytes_.size() <= kMetadataSize) return leave();
    const Phase behind = phase_after(due_in<L.version>(phase_));
    const Symbol due = due_in<L.version>(behind);
    if (kSymbols<L.order>[bytes_[kMetadataSize]] != due) return leave();
    phase_ = behind;
    at_ += kMetadataSize;
    ++file_.index;
    return {};
}

// Steps 3 to 5: a record that is reported and stepped over.
template <Layout L>
auto BufferWalk<L>::pass_over(const BufferEdge& edge, Symbol symbol) -> Step {
    Diagnostic finding{.rule = edge.rule, .place = here(kMetadataSize)};
    if (edge.rule == &kRecordKindNotInVersion) {
        finding.place = here(1);
        finding.numbers = {L.version};
        finding.is_overridden = true;
    }
    if (edge.rule == &kRecordOrder) finding.hint = due_hint(phase_);
    if (!structural(finding)) return leave();
    if (edge.rule == &kRecordOrder) muted_ = preamble_said_ = true;
    uint64_t size = kMetadataSize;
    if (is_event(symbol))
        if (const Step stopped = take_event(size)) return stopped;
    ++file_.by_first_byte[bytes_[0]];
    phase_ = edge.to;
    last_record_ = here(0);
    last_record_.offset += size;
    at_ += size;
    ++file_.index;
    return {};
}

// The runtime's known fault, if this record or one before it shows it.
template <Layout L>
std::string_view BufferWalk<L>::hint_of_typed_events() const {
    const bool meets_one = kSymbols<L.order>[bytes_[0]] == Symbol::typed_event;
    return L.version >= 5 && (has_typed_events_ || meets_one) ? kTypedEventsCounted : std::string_view{};
}

// Step 2.
template <Layout L>
auto BufferWalk<L>::overrun(uint64_t size) -> Step {
    if (left() < size) {
        const uint64_t present = std::min<uint64_t>(left(), bytes_.size());
        Diagnostic finding{.rule = &kRecordOverrunsExtents, .place = here(present), .numbers = {present, size}};
        finding.hint = hint_of_typed_events();
        structural(finding);
        return leave();
    }
    if (frame_.bound != Bound::none) return How::cut;
    structural({.rule = &kTruncatedRecord, .place = here(bytes_.size()), .numbers = {bytes_.size(), size}});
    return How::file_ended;
}

// Step 6: adds the payload to the record's size. bytes_ holds the fixed part afterwards.
template <Layout L>
auto BufferWalk<L>::take_event(uint64_t& size) -> Step {
    const auto event = record<kCustomEvent>();  // the size is the same field of both events
    const Place place = event.template place<"size">();
    const auto payload = static_cast<int64_t>(event.template get<"size">());
    if (payload <= 0) {
        Diagnostic finding{.rule = &kEventSizeNonpositive, .place = place, .numbers = {static_cast<uint64_t>(payload)}};
        if (payload == 0) finding.hint = kEmptyEvent;
        if (!structural(finding) || payload < 0) return leave();
        doubt_ = true;
        return {};
    }
    size += static_cast<uint64_t>(payload);
    uint64_t available = left();
    bool let_go = false;  // of the bytes from here on
    if (frame_.bound == Bound::none) {
        const auto& limits = file_.context.limits;
        bytes_ = file_.window.view(at_, std::min(size, std::max(limits.record, kPlausibleExtents)));
        available = bytes_.size();
        if (available < size && available >= limits.record) {
            let_go = true;
            // Too much to be kept in hand: if the file ends inside, nothing is left to be scanned.
            std::copy_n(bytes_.begin(), file_.front.size(), file_.front.begin());
            const bool reaches = file_.window.reaches(at_ + size);
            bytes_ = Bytes(file_.front);
            if (!reaches) leave_out(file_.context, here(0));
            available = reaches ? size : file_.window.size() - at_;
        }
    }
    if (size <= available) [[likely]]
        return {};
    Diagnostic finding{.rule = &kEventPayloadOverrun, .place = place};
    finding.numbers = {static_cast<uint64_t>(payload), available - kMetadataSize};
    finding.hint = hint_of_typed_events();
    finding.about_end = frame_.bound == Bound::none;
    structural(finding);
    const Step how = leave();
    if (let_go) at_ += available;
    return how;
}

// Rules 23, 29 and 30: what an edge has to say of a record that is accepted.
template <Layout L>
void BufferWalk<L>::check_order(const BufferEdge& edge) {
    if (edge.rule == nullptr || edge.recovery != Recovery::accept || doubt_) [[likely]]
        return;
    if (edge.rule == &kMissingPidRecord && muted_) return;
    file_.report.add(*edge.rule, edge.rule == &kEntryArgsWithoutArg ? args_ : here(kMetadataSize));
}

// EndOfBuffer was read: nothing else is asked, but the rest must be there.
template <Layout L>
auto BufferWalk<L>::end_by_record() -> Step {
    return frame_.bound != Bound::claimed || file_.window.reaches(frame_.end) ? How::ended : How::cut;
}

// The buffer ends as it should, between two records.
template <Layout L>
auto BufferWalk<L>::end() -> Step {
    const BufferEdge& edge = kStates.at(phase_, Symbol::end);
    bool quiet = preamble_said_;
    if (edge.recovery == Recovery::accept) {
        check_order(edge);
    } else if (!(is_preamble(phase_) && muted_)) {
        structural({.rule = edge.rule, .place = {.offset = at_}, .about_end = bytes_.empty()});
        quiet = true;  // of a preamble; version 1 makes no difference
    }
    return quiet ? How::ended_quietly : How::ended;
}

// Tells the threads about the buffer.
template <Layout L>
void BufferWalk<L>::finish(How how) {
    BufferEnd end;
    end.last_tsc = tsc_;
    end.in_order = (how == How::ended || how == How::ended_quietly) && !doubt_;
    end.open_entries = file_.calls.open();
    end.last_record = last_record_;
    file_.threads.add(identity_, end);
    if (!typed_said_) return;
    file_.report.add(kTypedEventExtentsSuspect, frame_.extents);
}

namespace {

template <Layout L>
BufferResult walk(FdrFile& file, const BufferFrame& frame) {
    return BufferWalk<L>(file, frame).run();
}

constexpr Layout kLayout(ByteOrder order, uint16_t version) { return {.order = order, .version = version}; }

template <uint16_t Version>
constexpr WalkBuffer kWalks[] = {walk<kLayout(ByteOrder::little, Version)>, walk<kLayout(ByteOrder::big, Version)>};

}  // namespace

WalkBuffer buffer_walk(const HeaderFacts& header) {
    constexpr const WalkBuffer* kByVersion[] = {kWalks<1>, kWalks<2>, kWalks<3>, kWalks<4>, kWalks<5>};
    static_assert(std::size(kByVersion) == kNewestFdr);
    return kByVersion[header.version - 1][header.order == ByteOrder::big];
}

}  // namespace tracelint::xray
