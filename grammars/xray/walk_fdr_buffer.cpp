// XRay, section 4.2: the walk through a buffer, from record to record.
#include "grammars/xray/walk_fdr_buffer.hpp"

#include "grammars/xray/checks/threads.hpp"

namespace tracelint::xray {
namespace {

constexpr std::string_view kOldEventWriter =
    "runtimes before LLVM 8 count the payload of an event, but overwrite it with the next record";
constexpr std::string_view kTypedEventsCounted =
    "the buffer holds typed events, and the runtime counts 16 bytes too few for each of them";
constexpr std::string_view kPastItsBuffer =
    "the count is also above buffer_size: the runtime wrote past the end of its buffer, which is too small";
constexpr std::string_view kEmptyEvent = "the program logged an event of length 0, and the runtime wrote it as it is";

// The record of the preamble that is due after the one due in this state; `end` if absent.
constexpr Symbol due_after_next(Phase phase, uint16_t version) {
    switch (phase) {
        case Phase::start: return Symbol::wall_clock;
        case Phase::new_buffer: return version >= kPid.first_version ? Symbol::pid : Symbol::cpu_id;
        case Phase::wall_clock: return version >= kPid.first_version ? Symbol::cpu_id : Symbol::end;
        default: return Symbol::end;
    }
}

const BufferMachine& machine_of(uint16_t version) {
    static constexpr const BufferMachine* kByVersion[] = {&kMachine<1>, &kMachine<2>, &kMachine<3>, &kMachine<4>,
                                                          &kMachine<5>};
    static_assert(std::size(kByVersion) == kNewestFdr);
    return *kByVersion[version - 1];
}

template <ByteOrder Order>
const SymbolTable& symbols_of(uint16_t version) {
    static constexpr const SymbolTable* kByVersion[] = {&kSymbolsIn<Order, 1>, &kSymbolsIn<Order, 2>,
                                                        &kSymbolsIn<Order, 3>, &kSymbolsIn<Order, 4>,
                                                        &kSymbolsIn<Order, 5>};
    static_assert(std::size(kByVersion) == kNewestFdr);
    return *kByVersion[version - 1];
}

}  // namespace

bool is_plausible_extents(Bytes bytes, ByteOrder order) {
    if (bytes.size() < kPlausibleExtents || bytes[0] != introducer(kBufferExtentsKind, order)) return false;
    const uint64_t count = View<kBufferExtents>(bytes.data(), 0, order, 0).get<"count">();
    return kLeastExtents <= count && count <= kMostExtents && bytes[kMetadataSize] == introducer(kNewBufferKind, order);
}

BufferWalk::BufferWalk(FdrFile& file, const BufferFrame& frame)
    : file_(file),
      frame_(frame),
      order_(file.header.order),
      version_(file.header.version),
      machine_(machine_of(version_)),
      symbols_(order_ == ByteOrder::little ? symbols_of<ByteOrder::little>(version_)
                                           : symbols_of<ByteOrder::big>(version_)),
      at_(frame.start) {}

// --- what is at the cursor -------------------------------------------------------------------------------

// At the end of the buffer, of the file, or of both.
Symbol BufferWalk::symbol_at_end() const {
    // The last payload may be cut.
    if (left() == 0) return file_.window.reaches(at_) ? Symbol::end : Symbol::cut;
    return frame_.bound == Bound::none ? Symbol::end : Symbol::cut;
}

// The steps of section 4.2, as far as they need more than the table.
Symbol BufferWalk::classify() {
    Symbol symbol = symbols_[bytes_[0]];
    if (frame_.bound == Bound::none && version_ >= 2) {
        // Without claimed end, the buffer ends where the next one seems to begin.
        const bool opens = symbol == Symbol::new_buffer && !is_preamble(phase_) && bytes_.size() >= kMetadataSize;
        if (opens || symbol == Symbol::extents) return Symbol::end;
    }
    if (symbol == Symbol::extents && is_plausible_extents(bytes_, order_)) {
        const bool was_reported = frame_.bound == Bound::overclaims || preamble_reported_;
        return was_reported ? Symbol::next_buffer_after_fault : Symbol::next_buffer;
    }
    size_ = is_function(symbol) ? kFunctionSize : kMetadataSize;
    if (symbol > Symbol::end_of_buffer) [[unlikely]] {
        if (symbol == Symbol::unknown_kind || symbol == Symbol::unknown_action) return classify_damaged(symbol);
        // Out of order in any version.
        if (symbol == Symbol::later_event && is_preamble(phase_)) symbol = Symbol::typed_event;
    }
    if (left() < size_ || bytes_.size() < size_) [[unlikely]] {
        if (left() < size_) return Symbol::record_overrun;
        return frame_.bound == Bound::none ? Symbol::cut_record : Symbol::cut;
    }
    if (machine_.at(phase_, symbol).recovery == Recovery::stop) [[unlikely]]
        return classify_damaged(symbol);
    return is_event(symbol) ? classify_event(symbol) : symbol;
}

// A record that cannot be here. Where the one after it is the one due then, it is a damaged record of the preamble.
Symbol BufferWalk::classify_damaged(Symbol symbol) const {
    if (left() <= kMetadataSize || bytes_.size() <= kMetadataSize) return symbol;
    if (symbols_[bytes_[kMetadataSize]] != due_after_next(phase_, version_)) return symbol;
    switch (symbol) {
        case Symbol::unknown_kind: return Symbol::damaged_kind;
        case Symbol::unknown_action: return Symbol::damaged_action;
        case Symbol::earlier_record: return Symbol::damaged_by_earlier_record;
        default: return Symbol::damaged_record;
    }
}

// Adds the payload of an event to its size. `sound`: the symbol, if the payload is there. bytes_ holds at least the
// fixed part afterwards.
Symbol BufferWalk::classify_event(Symbol sound) {
    const auto payload = static_cast<int64_t>(record<kCustomEvent>().get<"size">());  // of either kind
    if (payload < 0) return Symbol::negative_event;
    if (payload == 0) return sound == Symbol::later_event ? Symbol::empty_later_event : Symbol::empty_event;
    size_ = kMetadataSize + static_cast<uint64_t>(payload);
    available_ = left();
    if (frame_.bound == Bound::none) {
        const uint64_t allowed = file_.window.affordable(std::min(size_, file_.context.limits.record));
        const uint64_t most = std::min(size_, std::max(allowed, kPlausibleExtents));
        bytes_ = file_.window.view(at_, most);
        available_ = bytes_.size();
        if (available_ < size_ && available_ >= most) {
            // Too much to be kept. If the file ends inside, nothing is left in which a buffer could begin.
            is_released_ = true;
            std::copy_n(bytes_.begin(), file_.front.size(), file_.front.begin());
            const bool is_whole = file_.window.reaches(at_ + size_);
            bytes_ = Bytes(file_.front);
            if (!is_whole) report_unread(file_.context, here(0), size_);
            available_ = is_whole ? size_ : file_.window.size() - at_;
        }
    }
    return size_ <= available_ ? sound : Symbol::overrunning_event;
}

// --- what the machine asks for ---------------------------------------------------------------------------------

void PlacesInBuffer::record(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.here(kMetadataSize);
}

void PlacesInBuffer::misplaced(const BufferWalk& walk, Symbol symbol, Diagnostic& finding) {
    finding.place = walk.here(is_function(walk.symbols_[walk.bytes_[0]]) ? kFunctionSize : kMetadataSize);
    finding.hint = walk.order_hint(symbol);
}

// At the end of a count it is another case; without a count, the end of the buffer is unknown.
void PlacesInBuffer::last_call(const BufferWalk& walk, Symbol symbol, Diagnostic& finding) {
    finding.place = walk.args_;
    finding.is_overridden = symbol == Symbol::end && walk.frame_.bound == BufferFrame::Bound::claimed;
}

void PlacesInBuffer::kind(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.here(1);
    finding.numbers = {walk.record<kMetadata>().get<"kind">()};
}

void PlacesInBuffer::action(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.here(1);
    finding.numbers = {action_of(walk.bytes_[0], walk.order_)};
}

void PlacesInBuffer::version(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.here(1);
    finding.numbers = {walk.version_};
}

void PlacesInBuffer::later_version(const BufferWalk& walk, Symbol symbol, Diagnostic& finding) {
    version(walk, symbol, finding);
    finding.is_overridden = true;
}

void PlacesInBuffer::cut_record(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    const uint64_t present = std::min<uint64_t>(walk.left(), walk.bytes_.size());
    finding.place = walk.here(present);
    finding.numbers = {present, walk.size_};
}

void PlacesInBuffer::overrunning_record(const BufferWalk& walk, Symbol symbol, Diagnostic& finding) {
    cut_record(walk, symbol, finding);
    finding.hint = walk.overrun_hint();
}

void PlacesInBuffer::negative_size(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.record<kCustomEvent>().place<"size">();
    finding.numbers = {walk.record<kCustomEvent>().get<"size">()};
}

void PlacesInBuffer::empty_event(const BufferWalk& walk, Symbol symbol, Diagnostic& finding) {
    negative_size(walk, symbol, finding);
    finding.hint = kEmptyEvent;
}

void PlacesInBuffer::payload(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = walk.record<kCustomEvent>().place<"size">();
    finding.numbers = {walk.size_ - kMetadataSize, walk.available_ - kMetadataSize};
    finding.hint = walk.typed_event_hint();
    finding.about_end = walk.frame_.bound == BufferFrame::Bound::none;
}

void PlacesInBuffer::end(const BufferWalk& walk, Symbol, Diagnostic& finding) {
    finding.place = {.offset = walk.at_};
    finding.about_end = walk.frame_.bound == BufferFrame::Bound::none && walk.bytes_.empty();
}

void BufferWalk::report(const BufferMachine::Row& edge, Symbol symbol) {
    Diagnostic finding{.rule = edge.rule};
    edge.place(*this, symbol, finding);
    // A tolerated record: what was expected is missing before it, or the record before it is at fault.
    if (edge.recovery == Recovery::accept || edge.recovery == Recovery::again) return file_.report.add(finding);
    // In version 1 it makes no difference.
    if (symbol == Symbol::end || symbol == Symbol::damaged_record) preamble_reported_ = true;
    if (finding.hint == kPastItsBuffer) has_count_finding_ = true;
    report_structural(finding);
}

// Reports what the walk may be out of step after.
void BufferWalk::report_structural(Diagnostic finding) {
    const bool is_first = !finding.is_overridden && file_.structural_errors++ == 0;
    if (is_first && version_ <= 3 && has_events_ && finding.hint.empty()) finding.hint = kOldEventWriter;
    file_.report.add(finding);
}

// What should be where a record is out of order.
std::string_view BufferWalk::order_hint(Symbol symbol) const {
    switch (phase_) {
        case Phase::start: return "expected NewBuffer, the first record of a buffer";
        case Phase::new_buffer: return "expected WallClock, the second record of a buffer";
        case Phase::wall_clock: return "expected Pid, or before version 3 NewCPUId";
        case Phase::pid: return "expected NewCPUId, the last record of the preamble";
        default: break;
    }
    if (symbol == Symbol::call_argument) return {};
    return "the record belongs in the preamble of a buffer, or before a buffer";
}

// The runtime's known fault, if this record or an earlier one shows it.
std::string_view BufferWalk::typed_event_hint() const {
    const bool is_one = symbols_[bytes_[0]] == Symbol::typed_event;
    return version_ >= 5 && (has_typed_events_ || is_one) ? kTypedEventsCounted : std::string_view{};
}

// Why the count ends inside of a record.
std::string_view BufferWalk::overrun_hint() const {
    const std::string_view hint = typed_event_hint();
    const uint64_t size = file_.header.buffer_size;
    const bool is_counted = frame_.bound == BufferFrame::Bound::claimed && frame_.extents.record != nullptr;
    const bool is_beyond = is_counted && size >= kLeastBufferSize && frame_.end - frame_.start > size;
    return hint.empty() && is_beyond ? kPastItsBuffer : hint;
}

// Steps over a record.
void BufferWalk::pass() {
    ++file_.by_first_byte[bytes_[0]];
    at_ += size_;
    ++file_.index;
    last_record_ = View<kMetadata>(nullptr, at_, order_, file_.index - 1).whole(0);
    // EndOfBuffer was read: nothing after it is looked at, but it must be there.
    if (phase_ == Phase::over) [[unlikely]]
        how_ = frame_.bound != Bound::claimed || file_.window.reaches(frame_.end) ? How::ended : How::cut;
}

void BufferWalk::accept(Symbol symbol) {
    if (is_function(symbol))
        check_function(symbol);
    else
        check_fields(symbol);
    pass();
}

// Steps over a record that is not looked into.
void BufferWalk::skip(Symbol symbol) {
    switch (symbol) {
        case Symbol::damaged_record:
        case Symbol::damaged_by_earlier_record:
        case Symbol::damaged_kind:
        case Symbol::damaged_action:
            at_ += kMetadataSize;
            ++file_.index;
            return;
        case Symbol::later_event:
            // Its kind was reported; its payload is an input of its own.
            if (const Symbol payload = classify_event(symbol); payload != symbol)
                return take(machine_, phase_, payload, *this);
            break;
        case Symbol::empty_event: remember_event(symbols_[bytes_[0]]); break;
        case Symbol::custom_event:
        case Symbol::typed_event: remember_event(symbol); break;
        default: preamble_reported_ |= is_muted(phase_);
    }
    pass();
}

void BufferWalk::stop(Symbol symbol) {
    switch (symbol) {
        case Symbol::end: how_ = preamble_reported_ ? How::ended_with_bad_preamble : How::ended; return;
        case Symbol::next_buffer:
        case Symbol::next_buffer_after_fault: how_ = How::found_extents; return;
        case Symbol::cut: how_ = How::cut; return;
        case Symbol::cut_record: how_ = How::file_ended; return;
        default: break;
    }
    how_ = leave();
    if (symbol == Symbol::overrunning_event && is_released_) at_ += available_;
}

// The record at which a buffer is left counts as one.
auto BufferWalk::leave() -> How {
    ++file_.index;
    return version_ == 1 && at_ == frame_.start && !frame_.is_first ? How::left_at_once : How::left;
}

// --- from record to record --------------------------------------------------------------------------------------

BufferResult BufferWalk::run() {
    if (!file_.open_calls.counts.empty()) file_.open_calls.counts.clear();
    file_.calls.clear();
    Phase before = phase_;
    while (phase_ != Phase::over) {
        before = phase_;
        Symbol symbol;
        bytes_ = left() == 0 ? Bytes{} : file_.window.view(at_, kPlausibleExtents);
        if (bytes_.empty()) [[unlikely]]
            symbol = symbol_at_end();
        else if (take_calls())
            continue;
        else
            symbol = classify();
        file_.context.work.add(1);
        take(machine_, phase_, symbol, *this);
    }
    finish(is_in_doubt(before));
    return {how_, at_, has_count_finding_};
}

// --- the end -----------------------------------------------------------------------------------------------------

namespace {

constexpr Rule kTypedEventExtentsSuspect{
    .id = "xray/typed-event-extents-suspect",
    .severity = Severity::note,
    .statement = "in version 5, the count of a buffer with typed events is right",
    .message = "the buffer holds typed events; the version 5 runtime counts 16 bytes too few for each",
    .why = "the last records of the buffer may be missing from the file",
    .spec = "3.4.9 TypedEvent Records; 6. Ambiguities and decisions",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

}  // namespace

// Records the buffer in the state of its threads.
void BufferWalk::finish(bool in_doubt) {
    BufferEnd end;
    end.last_tsc = tsc_;
    end.in_order = (how_ == How::ended || how_ == How::ended_with_bad_preamble) && !in_doubt;
    end.open_entries = file_.calls.open();
    end.last_record = last_record_;
    file_.threads.add(identity_, end);
    if (version_ >= 5 && has_typed_events_ && frame_.extents.record != nullptr)
        file_.report.add<kTypedEventExtentsSuspect>(frame_.extents);
}

BufferResult walk_buffer(FdrFile& file, const BufferFrame& frame) { return BufferWalk(file, frame).run(); }

constinit const RuleList kBufferWalkRules = rules<&kTypedEventExtentsSuspect>;

}  // namespace tracelint::xray
