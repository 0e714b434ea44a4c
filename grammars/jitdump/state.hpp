// What is remembered across records (sections 4.2 and 4.3).
#pragma once

#include <compare>

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/sorted_table.hpp"
#include "validator/view.hpp"

namespace tracelint::jitdump {

// A function: its latest LOAD and the MOVEs since. A large file has millions, so it is kept small.
struct Function {
    static constexpr uint32_t kUnknownSize = ~uint32_t{0};

    uint32_t pid = 0;
    uint32_t size = kUnknownSize;  // bytes of code; always below the 32-bit size of the record
    uint64_t address = 0;          // the last plausible one; its live range starts there
    uint64_t record : 63 = 0;      // offset of the LOAD
    uint64_t address_known : 1 = 0;
};
static_assert(sizeof(Function) == 24);

// Addresses [start, last] of a process, taken by the code of the LOAD at file offset `owner`.
struct LiveRange {
    struct Key {
        uint32_t pid;
        uint64_t start;
        auto operator<=>(const Key&) const = default;
    } key;
    uint64_t last;
    uint64_t owner;
};

// The live ranges of all processes. Those of one process do not overlap (section 4.3).
class LiveRanges {
  public:
    LiveRanges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // Whether [start, last] overlaps a range of `pid` that is not owned by `owner`.
    bool overlaps(uint32_t pid, uint64_t start, uint64_t last, uint64_t owner);
    // Adds a range and removes every range that it overlaps, as a whole; sets `overlapped` if there was one. False if
    // the budget is spent.
    bool enter(const LiveRange& range, bool& overlapped);
    // Removes the range at `start` if `owner` still owns it.
    void leave(uint32_t pid, uint64_t start, uint64_t owner);
    void clear() { ranges_.clear(); }

  private:
    LiveRange* first_overlapping(uint32_t pid, uint64_t start, uint64_t last);
    SortedTable<LiveRange> ranges_;
};

// Every loaded function: the latest LOAD of each code_index, and those of other processes with the same index.
class Functions {
  public:
    Functions(Budget& budget, WorkCounter& work) : latest_(budget, work), others_(budget, work) {}

    // The function with this pid and code_index, or null.
    Function* find(uint32_t pid, uint64_t index);
    // The function that was loaded last with this code_index, in any process, or null.
    Function* find_latest(uint64_t index);
    // Adds a function; it replaces the one with the same pid and code_index. False if the budget is spent.
    bool enter(uint64_t index, const Function& function);
    void clear() {
        latest_.clear();
        others_.clear();
    }

  private:
    struct Latest {
        uint64_t key;  // code_index
        Function function;
    };
    struct Other {
        struct Key {
            uint64_t index;
            uint32_t pid;
            auto operator<=>(const Key&) const = default;
        } key;
        Function function;
    };
    SortedTable<Latest> latest_;
    SortedTable<Other> others_;
};

// A table key without further data.
struct Address {
    uint64_t key;
};

// What the checks share about the file under validation.
struct State {
    explicit State(ValidationContext& with)
        : context(with),
          report(with.report),
          functions(with.budget, with.work),
          live(with.budget, with.work),
          code_addresses(with.budget, with.work) {}

    ValidationContext& context;
    Report& report;
    ByteOrder order = ByteOrder::little;
    uint32_t header_pid = 0;     // 0: unknown
    unsigned pointer_width = 4;  // bytes of an absolute pointer in unwinding data

    bool tracking = true;  // false once a limit is reached: rules across records are no longer checked
    Functions functions;
    LiveRanges live;
    SortedTable<Address> code_addresses;  // of every LOAD
    uint64_t loads = 0;                   // LOADs so far, broken ones included

    // The budget is spent: drops everything that is remembered and reports jitdump/tracking-limit at the record.
    void stop_tracking(const Place& record);
    // The same for a LOAD that cannot be seen as a whole: which code it loads is unknown, and so is what it replaces.
    void lose_track(const Place& load, uint64_t total_size);
    // Reports jitdump/tracking-limit for a record whose body is not checked for want of memory, or because it is of
    // this size, above the record limit.
    void leave_unchecked(const Place& record, uint64_t total_size = 0);

  private:
    void forget();
    bool is_above_record_limit(uint64_t total_size) const { return total_size > context.limits.record; }
    void report_limit(const Place& record, bool of_record, std::string_view hint);
};

extern const RuleList kStateRules;

}  // namespace tracelint::jitdump
