// DEBUG_INFO, its entries, and the LOAD that it waits for (sections 3.5, 4.4 and 5.4).
#pragma once

#include <optional>
#include <vector>

#include "grammars/jitdump/checks/state.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::jitdump {

// Faults of entries, which may have one cause: freed memory as a file name (section 5.4). Then they are reported in one
// finding at the first such name, with the number of the others. Until one is seen, a few are held back. Where a limit
// left something out, it is unknown which name is the first, and nothing is reported.
class EntryFaults {
  public:
    explicit EntryFaults(ValidationContext& context) : context_(context) {}

    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(R.message.numbers == N, "the rule's message needs another count of numbers");
        Diagnostic finding{.rule = &R, .place = place};
        std::copy_n(numbers, N, finding.numbers.begin());
        add(finding);
    }
    // A file name that is not UTF-8.
    [[gnu::cold]] void add_garbled(const Diagnostic& finding);
    // At the end of the file.
    void finish();

  private:
    static constexpr size_t kHeld = 64;
    [[gnu::cold]] void add(const Diagnostic& finding);
    void release();

    ValidationContext& context_;
    std::vector<Diagnostic> held_;
    bool is_holding_ = true;
    std::optional<Diagnostic> garbled_;  // the first such name
    uint64_t others_ = 0;
};

// The DEBUG_INFO records that wait for a LOAD with their code_addr. Nearly always there is one, and the next LOAD is
// its own. Those that outlive a LOAD move to a table.
class PendingDebug {
  public:
    explicit PendingDebug(State& state)
        : state_(state),
          faults_(state.context),
          recent_(state.context.budget),
          entries_(state.context.budget),
          older_(state.context.budget, state.context.work),
          older_entries_(state.context.budget) {}

    // `record`: the whole record, or its first bytes if it exceeds the record limit.
    void debug_info(Bytes record, uint64_t offset, uint64_t index, uint64_t total_size);
    // A LOAD of `size` bytes of code (kNone: unknown). It settles every waiting record with its address.
    void load(uint64_t code_addr, uint64_t size);
    // A LOAD that is too small to be read. It drops the records since the previous LOAD.
    void unreadable_load() { clear_recent(); }
    // At CLOSE and at the end of the file: reports what still waits.
    void end();
    // Drops what waits, without a finding.
    void drop();
    // At the end of the file, however it ends.
    void finish() { faults_.finish(); }

  private:
    struct Entry {
        uint64_t address;
        uint64_t at;  // offset in the record
    };
    struct Pending {
        uint64_t code_addr = 0;
        uint64_t number = 0;             // among all DEBUG_INFO records
        uint64_t offset = 0, index = 0;  // of the record
        uint64_t loads = 0;              // LOADs before it
        size_t first = 0, count = 0;     // its entries; none if they are broken
    };
    struct Older {
        struct Key {
            uint64_t code_addr, number;
            auto operator<=>(const Key&) const = default;
        } key;
        Pending pending;  // its entries are in older_entries_
    };

    bool check_count(const View<kDebugInfo>& info, uint64_t in_view, uint64_t total_size);
    bool walk_entries(const View<kDebugInfo>& info, Bytes record);
    void check_entry(const View<kDebugEntry>& entry, uint64_t previous, bool unnamed, bool last);
    void check_name(const View<kDebugEntry>& entry, Bytes name, bool first);
    void settle(const Pending& pending, std::span<const Entry> entries, uint64_t size);
    void check_addresses(const Pending& pending, std::span<const Entry> entries, uint64_t size);
    void report_unsettled(const Pending& pending);
    void settle_older(uint64_t code_addr, uint64_t size);
    bool make_older(const Pending& pending);
    Pending take_older(const Older& found);
    void compact_older();
    void clear_recent();
    void stop_tracking(const Place& record);
    Place place_of(const Pending& pending) const;

    State& state_;
    EntryFaults faults_;
    uint64_t records_ = 0;             // DEBUG_INFO of at least 32 bytes so far
    bool repeat_reported_ = false;     // once per file
    bool bias_reported_ = false;       // once per file
    bool non_ascii_reported_ = false;  // once per record
    BudgetedVector<Pending> recent_;   // since the last LOAD
    BudgetedVector<Entry> entries_;    // of the recent ones
    SortedTable<Older> older_;         // those that outlived a LOAD
    BudgetedVector<Entry> older_entries_;
    size_t older_dead_ = 0;  // of older_entries_: those of settled records
};

extern const RuleList kDebugInfoRules;

}  // namespace tracelint::jitdump
