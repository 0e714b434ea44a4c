// jitdump, section 4: what the walk remembers across records.
#pragma once

#include <compare>

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/sorted_table.hpp"
#include "validator/view.hpp"

namespace tracelint::jitdump {

// A function, as its latest LOAD and the MOVEs since introduced it. There are millions in a large file.
struct Function {
    static constexpr uint32_t kUnknownSize = ~uint32_t{0};

    uint32_t pid = 0;
    uint32_t size = kUnknownSize;  // of the code; below that of its record, which has 32 bits
    uint64_t address = 0;          // its code_addr; the last one that could be believed, where its range lives
    uint64_t record : 63 = 0;      // offset of the LOAD
    uint64_t address_known : 1 = 0;
};
static_assert(sizeof(Function) == 24);

// A range of addresses [start, last] of a process that holds the code of the LOAD at `owner`.
struct LiveRange {
    struct Key {
        uint32_t pid;
        uint64_t start;
        auto operator<=>(const Key&) const = default;
    } key;
    uint64_t last;
    uint64_t owner;
};

// The live ranges of all processes; ranges of one process do not meet.
class LiveRanges {
  public:
    LiveRanges(Budget& budget, WorkCounter& work) : ranges_(budget, work) {}

    // Whether a range of `pid` other than that of `owner` meets [start, last].
    bool meets(uint32_t pid, uint64_t start, uint64_t last, uint64_t owner);
    // Enters a range and removes, whole, every range that it meets; sets `met` if there was one.
    // False when the budget is spent.
    bool enter(const LiveRange& range, bool& met);
    // Removes the range at `start` if `owner` still has it.
    void leave(uint32_t pid, uint64_t start, uint64_t owner);
    void clear() { ranges_.clear(); }

  private:
    LiveRange* first_meeting(uint32_t pid, uint64_t start, uint64_t last);
    SortedTable<LiveRange> ranges_;
};

// Every function that was loaded: the latest LOAD of each index, and those of the same index under
// other pids.
class Functions {
  public:
    Functions(Budget& budget, WorkCounter& work) : latest_(budget, work), others_(budget, work) {}

    // The LOAD with this pid and index, or null.
    Function* find(uint32_t pid, uint64_t index);
    // The latest LOAD with this index, whatever its pid, or null.
    Function* find_latest(uint64_t index);
    // Makes `function` the LOAD of its pid and index. False when the budget is spent.
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

// What the sections share about the file under validation.
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
    uint32_t header_pid = 0;  // 0: unknown, rule 41 is silent
    unsigned pointer_width = 4;

    bool tracking = true;  // false once the budget is spent: no rule across records is checked any more
    Functions functions;
    LiveRanges live;
    SortedTable<Address> code_addresses;  // of every LOAD
    uint64_t loads = 0;                   // LOADs so far, broken ones included

    // Gives up on everything that is remembered, and says so at the record (a `*/tracking-limit` note).
    void stop_tracking(const Place& record);
    // Says that the record is above the record limit, and that its insides are not looked at.
    void leave_out(const Place& record);
};

}  // namespace tracelint::jitdump
