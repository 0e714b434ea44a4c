// jitdump: what the walk remembers of the functions of a file, and shares with all checks.
#pragma once

#include <compare>

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/memory/sorted_table.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/packed64.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// Which code is where (sections 4.3 and 4.4).

// The live ranges of all processes, and the code_addr of every LOAD. The ranges of one process do not overlap.
class LiveCode {
  public:
    LiveCode(Budget& budget, WorkCounter& work)
        : own_(budget, work), foreign_(budget, work), addresses_(budget, work) {}

    // Code of a process: `size` bytes at `start`, which end at or below 2^64. `owner`: offset of its LOAD.
    struct Range {
        uint32_t pid;
        uint32_t size;  // bytes; 0 has no range
        uint64_t start;
        uint64_t owner;
    };
    // A LOAD. Removes every range that its own overlaps, as a whole, and sets `overlapped` if there was one. False if
    // the budget is spent.
    bool load(const Range& range, bool& overlapped);
    // Enters a LOAD that overlaps nothing and needs no memory. Returns false, and changes nothing, for any other LOAD.
    bool load_at_tail(const Range& range) {
        if (range.pid != pid_) return false;
        OwnRange* const tail = own_.tail_before(range.start + (range.size - 1));
        if (tail == nullptr || !(tail->last() < range.start)) return false;
        own_.append({range.start, range.owner | OwnRange::kLoaded, range.size});
        return true;
    }
    // A MOVE of the code that was at `from`: `to` is its range now. False if the budget is spent.
    bool move(uint64_t from, const Range& to);

    // Whether [first, last] overlaps a range of the process.
    bool overlaps(uint32_t pid, uint64_t first, uint64_t last);
    // Whether a LOAD of any process had this code_addr.
    bool was_loaded_at(uint64_t address);
    void clear();

    // Whether the table of other processes is so large that prefetching pays off.
    bool is_large() const { return foreign_.is_large(); }
    // Prefetch what load() looks at in that table: the first early, the other some records later.
    void prefetch_group(uint32_t pid, uint64_t start) const { foreign_.prefetch_group({pid, start}); }
    void prefetch(uint32_t pid, uint64_t start) const { foreign_.prefetch({pid, start}); }

  private:
    // A range of process pid_, which nearly always is the only one.
    struct OwnRange {
        static constexpr uint64_t kLoaded = uint64_t{1} << 63;  // no file is that large

        Packed64 key;    // its start
        Packed64 owner;  // kLoaded is added if the start is the code_addr of a LOAD
        uint32_t size;

        bool is_loaded() const { return (owner & kLoaded) != 0; }
        bool is_of(uint32_t) const { return true; }
        uint64_t start() const { return key; }
        uint64_t last() const { return start() + (size - 1); }
    };
    static_assert(sizeof(OwnRange) == 20);
    struct ForeignRange {
        struct Key {
            uint32_t pid;
            uint64_t start;
            auto operator<=>(const Key&) const = default;
        } key;
        uint64_t owner;
        uint32_t size;

        bool is_of(uint32_t pid) const { return key.pid == pid; }
        uint64_t start() const { return key.start; }
        uint64_t last() const { return start() + (size - 1); }
    };
    // A table key without further data.
    struct Address {
        uint64_t key;
    };

    bool enter_own(const OwnRange& range, bool& overlapped);
    bool enter_foreign(const ForeignRange& range, bool& overlapped);
    bool leave(uint32_t pid, uint64_t start, uint64_t owner);
    bool remember(uint64_t address);

    uint32_t pid_ = 0;  // of the first range
    bool has_pid_ = false;
    SortedTable<OwnRange> own_;
    SortedTable<ForeignRange, 32, 32> foreign_;
    SortedTable<Address> addresses_;  // those code_addr that are not the start of a range in own_
};

// The functions of a file by code_index (section 4.2).

// A function: its latest LOAD and the MOVEs since. A large file has millions, so it is kept small.
struct Function {
    static constexpr uint32_t kUnknownSize = ~uint32_t{0};

    Packed64 address = 0;          // the last plausible one; its live range starts there
    Packed64 record = 0;           // offset of the LOAD, and the bit below
    uint32_t size = kUnknownSize;  // bytes of code; always below the 32-bit size of the record

    // No file is larger than 2^63 bytes.
    static constexpr uint64_t kAddressUnknown = uint64_t{1} << 63;
    uint64_t load() const { return record & ~kAddressUnknown; }
    bool is_address_known() const { return (record & kAddressUnknown) == 0; }
    void know_address(bool known) { record = known ? load() : load() | kAddressUnknown; }
};
static_assert(sizeof(Function) == 20);

// Every loaded function: the latest LOAD of each pair of pid and code_index.
class Functions {
  public:
    Functions(Budget& budget, WorkCounter& work) : run_(budget), latest_(budget, work), others_(budget, work) {}

    // A function, or null, and its process.
    struct Found {
        Function* function = nullptr;
        uint32_t pid = 0;
    };
    // The function with this pid and code_index, or null.
    Function* find(uint32_t pid, uint64_t index);
    // The function that was loaded last with this code_index, in any process.
    Found find_latest(uint64_t index);
    // Adds a function; it replaces the one with the same pid and code_index. False if the budget is spent.
    bool enter(uint32_t pid, uint64_t index, const Function& function);
    // Whether append() can add a function: it is the next of the run, and there is room for it.
    bool is_next(uint32_t pid, uint64_t index) const { return continues_run(pid, index) && run_.has_room(); }
    // Like enter(), without a search.
    void append(const Function& function) {
        (void)run_.push_back(function);  // there is room
        if (!latest_.empty()) [[unlikely]]
            absorb();
    }
    void clear();

    // Whether a table is so large that prefetching pays off.
    bool is_large() const { return latest_.is_large() || others_.is_large(); }
    // Prefetch what find() and enter() look at in the tables: the first early, the other some records later.
    void prefetch_group(uint32_t pid, uint64_t index) const {
        latest_.prefetch_group(index);
        others_.prefetch_group({index, pid});
    }
    void prefetch(uint32_t pid, uint64_t index) const {
        latest_.prefetch(index);
        others_.prefetch({index, pid});
    }

  private:
    struct Latest {
        uint64_t key;  // code_index
        Function function;
        uint32_t pid;
    };
    struct Other {
        struct Key {
            uint64_t index;
            uint32_t pid;
            auto operator<=>(const Key&) const = default;
        } key;
        Function function;
    };

    bool is_in_run(uint32_t pid, uint64_t index) const { return pid == run_pid_ && index - run_first_ < run_.size(); }
    bool continues_run(uint32_t pid, uint64_t index) const {
        return pid == run_pid_ && index - run_first_ == run_.size() && is_open_;
    }
    bool start_run(uint32_t pid, uint64_t index, const Function& function);
    bool dissolve_run();
    void absorb();
    Function* find_in_tables(uint32_t pid, uint64_t index);
    bool enter_in_tables(uint32_t pid, uint64_t index, const Function& function);
    bool has_others(uint64_t index);

    // Nearly all writers count code_index up in one process. Such functions are a run, which needs neither keys nor
    // searches: those of process run_pid_ with the indices from run_first_ on. The others are in the tables.
    ChunkedVector<Function> run_;
    uint32_t run_pid_ = 0;
    uint64_t run_first_ = 0;
    bool is_open_ = false;  // whether there is a run, and the function that continues it is not in the tables

    SortedTable<Latest> latest_;         // of each code_index
    SortedTable<Other, 32, 32> others_;  // of other processes with the same code_index
};

// What is remembered across records (sections 4.2 and 4.3).

// What the checks share about the file under validation.
struct State {
    explicit State(ValidationContext& with)
        : context(with), report(with.report), functions(with.budget, with.work), code(with.budget, with.work) {}

    ValidationContext& context;
    Report& report;
    ByteOrder order = ByteOrder::little;
    uint32_t header_pid = 0;     // 0: unknown
    unsigned pointer_width = 4;  // bytes of an absolute pointer in unwinding data

    bool tracking = true;  // false once a limit is reached: rules across records are no longer checked
    Functions functions;
    LiveCode code;
    uint64_t loads = 0;  // LOADs so far, broken ones included

    // The budget is spent: drops everything that is remembered and reports jitdump/tracking-limit at the record.
    void stop_tracking(const Place& record);
    // Enters a LOAD that cannot be seen as a whole: its code is unknown, and so is the code that it replaces.
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
