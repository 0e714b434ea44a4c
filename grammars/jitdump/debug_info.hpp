// jitdump, section 5.4: DEBUG_INFO, its entries, and the LOAD that each one waits for.
#pragma once

#include <vector>

#include "grammars/jitdump/state.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kDebugEntryCountOverflow{
    .id = "jitdump/debug-entry-count-overflow",
    .severity = Severity::error,
    .statement = "nr_entry entries fit into the record",
    .message = "nr_entry is {0}, and the record has room for {1 entry|entries} at most",
    .why = "perf corrupts its heap or crashes; samply's reader panics on the largest counts",
    .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
    .since = "0.1.0"};

inline constexpr Rule kDebugEntryTruncated{
    .id = "jitdump/debug-entry-truncated",
    .severity = Severity::error,
    .statement = "every entry has its address, line and discriminator",
    .message = "entry {0} begins with {1 byte|bytes} left in the record, and needs 16",
    .why = "perf reads on behind the record; samply's reader stops with an error",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0"};

inline constexpr Rule kDebugNameUnterminated{
    .id = "jitdump/debug-name-unterminated",
    .severity = Severity::error,
    .statement = "the file name of an entry ends in a NUL inside the record",
    .message = "no NUL ends the file name of entry {0} in the rest of the record, {1 byte|bytes}",
    .why = "perf reads on behind the record; samply's reader stops with an error",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0"};

inline constexpr Rule kDebugTrailingBytes{
    .id = "jitdump/debug-trailing-bytes",
    .severity = Severity::warning,
    .statement = "at most 7 zero bytes follow the last entry",
    .message = "{0 byte follows|bytes follow} the last entry, which is no padding",
    .why =
        "readers ignore them, but the entries before are likely garbage: Node writes freed memory as file names, "
        "and a NUL in one makes all entries after it slip",
    .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
    .since = "0.1.0"};

inline constexpr Rule kDebugNoEntries{.id = "jitdump/debug-no-entries",
                                      .severity = Severity::note,
                                      .statement = "a DEBUG_INFO has entries",
                                      .message = "nr_entry is 0",
                                      .why = "the record says nothing; perf leaks it",
                                      .spec = "3.5 JIT_CODE_DEBUG_INFO (2)",
                                      .since = "0.1.0"};

inline constexpr Rule kDebugLineInvalid{.id = "jitdump/debug-line-invalid",
                                        .severity = Severity::warning,
                                        .statement = "line is below 2^31",
                                        .message = "line reads as -{0}",
                                        .why = "readers keep lines in a signed number and show nonsense",
                                        .spec = "3.5.1 debug_entry",
                                        .since = "0.1.0"};

inline constexpr Rule kDebugLineZero{.id = "jitdump/debug-line-zero",
                                     .severity = Severity::note,
                                     .statement = "lines are counted from 1",
                                     .message = "line is 0",
                                     .why = "readers show line 0; from DWARF it means that the code belongs to no line",
                                     .spec = "3.5.1 debug_entry",
                                     .since = "0.1.0"};

inline constexpr Rule kDebugEntryElfBias{
    .id = "jitdump/debug-entry-elf-bias",
    .severity = Severity::note,
    .statement = "addresses of entries are those of the code",
    .message = "the entries lie 0x40 behind their code at {0x}, as V8 and LLVM write them",
    .why = "they add the size of an ELF header for old readers; perf and samply today show these lines 0x40 bytes late",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kDebugEntryOutOfRange{.id = "jitdump/debug-entry-out-of-range",
                                            .severity = Severity::warning,
                                            .statement = "entries lie in the code of their function",
                                            .message = "address {0x} is far from the code, {2 byte|bytes} at {1x}",
                                            .why = "the line is shown at a wrong place or never",
                                            .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
                                            .since = "0.1.0",
                                            .decided_later = true};

inline constexpr Rule kDebugEntryNearCode{
    .id = "jitdump/debug-entry-near-code",
    .severity = Severity::note,
    .statement = "entries lie in the code of their function",
    .message = "address {0x} is just outside of the code, {2 byte|bytes} at {1x}",
    .why = "no sample will show this line; Erlang's first entry marks the function's own header like this",
    .spec = "3.5.1 debug_entry; 5.4 JIT_CODE_DEBUG_INFO",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kDebugEntryOrder{.id = "jitdump/debug-entry-order",
                                       .severity = Severity::warning,
                                       .statement = "the addresses of the entries ascend",
                                       .message = "address {0x} is below {1x} of the entry before",
                                       .why = "samply searches them binarily and shows wrong lines",
                                       .spec = "3.5.1 debug_entry",
                                       .since = "0.1.0"};

inline constexpr Rule kDebugNameRepeatFirst{
    .id = "jitdump/debug-name-repeat-first",
    .severity = Severity::warning,
    .statement = "the first entry of a record has a file name of its own",
    .message = "the first entry repeats the previous file name (FF 00), and there is none",
    .why = "readers show no file, or byte FF",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0"};

inline constexpr Rule kDebugNameRepeat{
    .id = "jitdump/debug-name-repeat",
    .severity = Severity::note,
    .statement = "every entry has its file name",
    .message = "an entry repeats the previous file name by the bytes FF 00",
    .why = "perf up to 6.1 and samply's reader show a file named byte FF; Node 18 writes this",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0"};

inline constexpr Rule kDebugNameInvalidUtf8{
    .id = "jitdump/debug-name-invalid-utf8",
    .severity = Severity::warning,
    .statement = "file names are text",
    .message = "the file name is not UTF-8 from its byte {0} on ({1x})",
    .why = "readers show a replacement or no file; Node writes freed memory here",
    .spec = "3.5.1 debug_entry",
    .since = "0.1.0"};

inline constexpr Rule kDebugNameNonAscii{.id = "jitdump/debug-name-non-ascii",
                                         .severity = Severity::note,
                                         .statement = "file names are ASCII",
                                         .message = "the file name holds UTF-8 beyond ASCII from its byte {0} on",
                                         .why = "the specification says ASCII; the readers known here take UTF-8",
                                         .spec = "3.5.1 debug_entry",
                                         .since = "0.1.0"};

inline constexpr Rule kDebugOrphan{
    .id = "jitdump/debug-orphan",
    .severity = Severity::warning,
    .statement = "the LOAD of the function follows its DEBUG_INFO",
    .message = "no LOAD before CLOSE or the end of the file has the code_addr {0x} of this DEBUG_INFO",
    .why = "readers attach the lines to whatever function is loaded next, or to none",
    .spec = "4.4 DEBUG_INFO and its LOAD",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

inline constexpr Rule kDebugAfterLoad{.id = "jitdump/debug-after-load",
                                      .severity = Severity::error,
                                      .statement = "DEBUG_INFO comes before the LOAD of its function",
                                      .message = "the function at {0x} was loaded before its DEBUG_INFO",
                                      .why = "perf attaches the lines to the function that is loaded next",
                                      .spec = "4.4 DEBUG_INFO and its LOAD",
                                      .since = "0.1.0",
                                      .about_end = true,
                                      .decided_later = true};

inline constexpr Rule kDebugNotAdjacent{
    .id = "jitdump/debug-not-adjacent",
    .severity = Severity::warning,
    .statement = "no LOAD and no other DEBUG_INFO stands between a DEBUG_INFO and its LOAD",
    .message =
        "another LOAD or DEBUG_INFO stands between this DEBUG_INFO and the LOAD of its function, whose code is at {0x}",
    .why =
        "perf and samply attach the last DEBUG_INFO to the next LOAD, whatever the addresses say: "
        "wrong lines for one function, none for another",
    .spec = "4.4 DEBUG_INFO and its LOAD",
    .since = "0.1.0",
    .decided_later = true};

// The DEBUG_INFO records that wait for a LOAD with their code_addr (section 4: pendingDebug). Nearly
// always one waits, for the very next LOAD; those that a LOAD has passed move to a table.
class PendingDebug {
  public:
    explicit PendingDebug(State& state) : state_(state), older_(state.context.budget, state.context.work) {}
    PendingDebug(const PendingDebug&) = delete;
    PendingDebug& operator=(const PendingDebug&) = delete;
    ~PendingDebug() { state_.context.budget.give_back(recent_charged_ + older_charged_); }

    // `record` is the whole record, or its first bytes where it is above the record limit.
    void debug_info(Bytes record, uint64_t offset, uint64_t index, uint64_t total_size);
    // A LOAD of `size` bytes (kNone: unknown) settles every waiting record with its address.
    void load(uint64_t code_addr, uint64_t size);
    // A LOAD too small to be read drops what came since the one before it.
    void unreadable_load() { clear_recent(); }
    // No LOAD can come any more (rules 66, 67).
    void end();
    // Forgets all that wait, without a finding.
    void drop();

  private:
    struct Entry {
        uint64_t address;
        uint64_t at;  // from the record's start
    };
    struct Waiting {
        uint64_t code_addr = 0;
        uint64_t number = 0;             // among all DEBUG_INFO records
        uint64_t offset = 0, index = 0;  // of the record
        uint64_t loads = 0;              // LOADs before it
        size_t first = 0, count = 0;     // its entries; none if they cannot be used
    };
    struct Older {
        struct Key {
            uint64_t code_addr, number;
            auto operator<=>(const Key&) const = default;
        } key;
        Waiting waiting;  // its entries are in older_entries_
    };

    bool check_count(const View<kDebugInfo>& info, uint64_t in_view, uint64_t total_size);
    bool walk_entries(const View<kDebugInfo>& info, Bytes record);
    void check_entry(const View<kDebugEntry>& entry, Bytes name, uint64_t previous, bool first, bool last);
    void check_name(const View<kDebugEntry>& entry, Bytes name, const TextScan& scan, bool first);
    void settle(const Waiting& waiting, std::span<const Entry> entries, uint64_t size);
    void check_addresses(const Waiting& waiting, std::span<const Entry> entries, uint64_t size);
    void report_unsettled(const Waiting& waiting);
    void settle_older(uint64_t code_addr, uint64_t size);
    bool make_older(const Waiting& waiting);
    Waiting take_older(const Older& found);
    void compact_older();
    bool charge_older();
    bool charge_recent();
    void clear_recent();
    void give_up(const Place& record);
    Place place_of(const Waiting& waiting) const;

    State& state_;
    uint64_t records_ = 0;         // DEBUG_INFO of at least 32 bytes so far
    bool repeat_said_ = false;     // rule 64, once per file
    bool bias_said_ = false;       // rule 59, once per file
    bool non_ascii_said_ = false;  // rule 82, once per record
    std::vector<Waiting> recent_;  // since the last LOAD
    std::vector<Entry> entries_;   // of the recent ones
    SortedTable<Older> older_;     // those that a LOAD has passed
    std::vector<Entry> older_entries_;
    uint64_t recent_charged_ = 0, older_charged_ = 0;  // bytes taken from the budget for the vectors
    size_t older_dead_ = 0;                            // of older_entries_, that nobody waits for any more
};

// In the order of the digest's table.
inline constexpr const Rule* kDebugInfoRules[] = {
    &kDebugEntryCountOverflow, &kDebugEntryTruncated,  &kDebugNameUnterminated, &kDebugTrailingBytes,
    &kDebugNoEntries,          &kDebugLineInvalid,     &kDebugLineZero,         &kDebugEntryElfBias,
    &kDebugEntryOutOfRange,    &kDebugEntryNearCode,   &kDebugEntryOrder,       &kDebugNameRepeatFirst,
    &kDebugNameRepeat,         &kDebugNameInvalidUtf8, &kDebugNameNonAscii,     &kDebugOrphan,
    &kDebugAfterLoad,          &kDebugNotAdjacent};

}  // namespace tracelint::jitdump
