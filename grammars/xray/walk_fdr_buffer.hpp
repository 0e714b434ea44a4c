// XRay, section 4.2: the walk through one buffer of a flight data recorder log, and what the buffers share.
//
// A buffer begins with a preamble (NewBuffer, WallClock, Pid, NewCPUId); function records of 8 bytes and metadata
// records of 16 follow. The first byte of a record gives its symbol. A machine for each version
// (machine_fdr_buffer.hpp) says which record may follow which, and how the walk recovers.
//
// Nearly all records are function entries and exits, so one loop takes them in bulk (lane.cpp): it keeps the machine's
// state in a register and compares the call stack without branches. A record that it cannot take goes through the
// tables. Facts about threads across buffers are in checks/threads.hpp.
#pragma once

#include "grammars/xray/checks/header.hpp"
#include "grammars/xray/checks/threads.hpp"
#include "grammars/xray/machine_fdr_buffer.hpp"

namespace tracelint::xray {

// XRay, section 4.2: the symbols of the records in a buffer of an FDR file, by their first bytes.

using SymbolTable = std::array<Symbol, 256>;

// By the first byte of a record (sections 3.3 and 3.4), whatever the version.
consteval SymbolTable symbols_of(ByteOrder order) {
    constexpr Symbol kOfKind[] = {
        Symbol::new_buffer,   Symbol::end_of_buffer, Symbol::cpu_id,  Symbol::tsc_wrap,    Symbol::wall_clock,
        Symbol::custom_event, Symbol::call_argument, Symbol::extents, Symbol::typed_event, Symbol::pid};
    constexpr Symbol kOfAction[] = {Symbol::entry, Symbol::exit, Symbol::exit, Symbol::entry_args};
    SymbolTable symbols{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto first = static_cast<uint8_t>(byte);
        const unsigned kind = kind_of(first, order), action = action_of(first, order);
        if (is_metadata(first, order))
            symbols[byte] = kind < std::size(kOfKind) ? kOfKind[kind] : Symbol::unknown_kind;
        else
            symbols[byte] = action < std::size(kOfAction) ? kOfAction[action] : Symbol::unknown_action;
    }
    return symbols;
}

// The same in a version, which does not have all of them.
consteval SymbolTable symbols_of(ByteOrder order, uint16_t version) {
    SymbolTable symbols = symbols_of(order);
    for (unsigned byte = 0; byte < 256; ++byte) {
        const auto first = static_cast<uint8_t>(byte);
        if (!is_metadata(first, order)) continue;
        const Record* record = metadata_of(kind_of(first, order));
        if (record == nullptr || record->exists_in(version)) continue;
        Symbol& symbol = symbols[byte];
        symbol = symbol == Symbol::typed_event     ? Symbol::later_event
                 : version < record->first_version ? Symbol::later_record
                                                   : Symbol::earlier_record;
    }
    return symbols;
}
template <ByteOrder Order>
inline constexpr SymbolTable kSymbols = symbols_of(Order);
template <ByteOrder Order, uint16_t Version>
inline constexpr SymbolTable kSymbolsIn = symbols_of(Order, Version);

// XRay, section 4: what the walk through an FDR file shares with the walk through each of its buffers.

inline constexpr uint64_t kPlausibleExtents = kMetadataSize + 1;  // bytes needed to recognise one
inline constexpr uint64_t kLeastExtents = 48;                     // bytes of NewBuffer, WallClock and NewCPUId
inline constexpr uint64_t kMostExtents = 0xffffffff;              // LLVM keeps 32 bits

// Whether the bytes begin with a plausible BufferExtents (section 4.1), which is believed where none is due.
bool is_plausible_extents(Bytes bytes, ByteOrder order);

// The open calls of a buffer, with room for more than most programs have open.
using BufferCalls = CallStack<OpenCall, 0, 1022>;

struct FdrFile {
    FdrFile(Window& from, ValidationContext& with, const HeaderFacts& facts, WalkMode how)
        : window(from),
          context(with),
          report(with.report),
          header(facts),
          mode(how),
          threads(with, how),
          open_calls(with.budget, with.work) {}
    FdrFile(const FdrFile&) = delete;
    FdrFile& operator=(const FdrFile&) = delete;
    ~FdrFile() { calls.clear(open_calls); }

    Window& window;
    ValidationContext& context;
    Report& report;
    const HeaderFacts header;
    const WalkMode mode;
    Threads threads;
    OpenCalls open_calls;
    BufferCalls calls;          // of the current buffer
    bool calls_tracked = true;  // false once the budget is spent

    uint64_t index = 0;                              // of the current record in the file
    std::array<uint64_t, 256> by_first_byte{};       // records, by their first byte
    uint64_t structural_errors = 0;                  // findings after which the walk may be out of step
    std::array<uint8_t, kPlausibleExtents> front{};  // of an event that is too long to be kept in the window
    // reported once per file
    bool reserved_reported = false;
    bool old_layout_reported = false;
    bool other_pid_reported = false;
    std::optional<int64_t> first_pid;
};

// Reports a reserved byte that is not zero, the first one of the file.
void report_reserved(FdrFile& file, const Place& place, uint8_t byte);

// Where the first reserved byte that is not zero is in a metadata record, all 16 of which are in `bytes`; 16 if absent.
template <class Record>
uint64_t nonzero_reserved(Bytes bytes) {
    uint64_t at = Record::template offset_of<"reserved">();
    while (at < kMetadataSize && bytes[at] == 0) ++at;
    return at;
}

// Checks the reserved bytes of a metadata record.
template <class Record>
void check_reserved(FdrFile& file, const Record& record, Bytes bytes) {
    if (file.reserved_reported) return;
    const uint64_t at = nonzero_reserved<Record>(bytes);
    if (at < kMetadataSize) report_reserved(file, record.template place<"reserved">(at, 1), bytes[at]);
}

// A buffer, as it is known before its records are read. Offsets are those of the file.
struct BufferFrame {
    enum class Bound : uint8_t {
        claimed,     // `end` is where its BufferExtents or the header's buffer_size says that it ends
        too_small,   // the same, but there is no room for a preamble: it is skipped
        none,        // only the end of the file bounds it
        overclaims,  // its count is beyond what can be believed, and was reported
    };
    Bound bound = Bound::none;
    uint64_t start = 0;
    uint64_t end = kNone;
    bool is_first = false;  // of the file; version 1 only
    Place extents{};        // the field that claims its end; no record where none does
};

// How the walk through a buffer ended.
struct BufferResult {
    enum class How : uint8_t {
        ended,                    // where it should
        ended_with_bad_preamble,  // the same, but its preamble was reported
        found_extents,            // at the BufferExtents of the next buffer
        left,                     // at a record that cannot be there
        left_at_once,             // the same, at the first record of a buffer other than the first: version 1 only
        cut,                      // the file ends before the buffer does
        file_ended,               // with the file, which needs no further report
    };
    How how;
    uint64_t at;                     // where it stopped
    bool has_count_finding = false;  // a finding says that the count is above buffer_size
};

// Walks the records of one buffer.
BufferResult walk_buffer(FdrFile& file, const BufferFrame& frame);

extern const RuleList kBufferWalkRules, kBufferCallRules, kBufferFieldRules;

// XRay, section 4.2: the walk through one buffer of an FDR file. It is implemented in walk_fdr_buffer.cpp (from record
// to record), lane.cpp (function records) and checks/fdr_fields.cpp (the fields of metadata records).

// The largest tsc_delta that a writer of this version puts into a record.
constexpr uint64_t largest_delta(uint16_t version) { return version >= 5 ? 0x7fffffff : 0xffffffff; }

class BufferWalk {
  public:
    BufferWalk(FdrFile& file, const BufferFrame& frame);

    BufferResult run();

    // What take() asks for.
    void report(const BufferMachine::Row& edge, Symbol symbol);
    void accept(Symbol symbol);
    void skip(Symbol symbol);
    void stop(Symbol symbol);

  private:
    friend struct PlacesInBuffer;
    using How = BufferResult::How;
    using Bound = BufferFrame::Bound;

    // The record of type R at the cursor.
    template <const auto& R, uint16_t Version = 0>
    View<R, Layout{.version = Version}> record() const {
        return {bytes_.data(), at_, order_, file_.index};
    }
    Place here(uint64_t length) const { return record<kMetadata>().whole(length); }
    // Bytes up to the end that the buffer claims.
    uint64_t left() const { return frame_.bound == Bound::claimed ? frame_.end - at_ : kNone; }

    // from record to record
    Symbol symbol_at_end() const;
    Symbol classify();
    Symbol classify_damaged(Symbol symbol) const;
    Symbol classify_event(Symbol sound);
    void report_structural(Diagnostic finding);
    std::string_view order_hint(Symbol symbol) const;
    std::string_view typed_event_hint() const;
    std::string_view overrun_hint() const;
    void pass();
    How leave();
    void finish(bool in_doubt);

    // function records
    bool take_calls() {
        if (!is_function(symbols_[bytes_[0]])) return false;
        return order_ == ByteOrder::little ? take_calls<ByteOrder::little>() : take_calls<ByteOrder::big>();
    }
    template <ByteOrder Order>
    bool take_calls();
    template <ByteOrder Order>
    bool is_plain_entry_with_argument(Bytes bytes, uint64_t delta_above) const;
    void check_function(Symbol symbol);
    void check_call(uint32_t id, bool is_exit);
    void stop_tracking_calls();

    // the fields of metadata records
    void check_fields(Symbol symbol);
    void check_new_buffer();
    void check_wall_clock();
    void check_pid();
    void check_cpu_id();
    void check_tsc_wrap();
    void remember_event(Symbol symbol);
    void check_event(Symbol symbol);
    template <const auto& R, uint16_t Version>
    void check_event_time();
    void check_tsc(uint64_t tsc, const Place& place, bool is_expected);
    bool overflows(uint64_t delta) const { return tsc_ + delta < tsc_; }
    void report_overflow(uint64_t delta, const Place& place);

    FdrFile& file_;
    const BufferFrame& frame_;
    const ByteOrder order_;
    const uint16_t version_;
    const BufferMachine& machine_;
    const SymbolTable& symbols_;

    Phase phase_ = Phase::start;
    How how_ = How::ended;
    Bytes bytes_;             // from the cursor on
    uint64_t at_;             // the cursor, in the file
    uint64_t size_ = 0;       // of the record at the cursor, payload included
    uint64_t available_ = 0;  // bytes that an event has, of which its payload may want more
    bool has_count_finding_ = false;
    bool is_released_ = false;  // the event is too long to be kept in the window
    bool preamble_reported_ = false;

    bool id_zero_reported_ = false;
    bool has_events_ = false, has_typed_events_ = false;
    BufferIdentity identity_;
    std::optional<uint64_t> cpu_;
    uint64_t tsc_ = 0;  // 0 while it is unknown
    bool tsc_known_ = false;
    Place args_;         // the last Entry_Args
    Place last_record_;  // the end of the last record
};

}  // namespace tracelint::xray
