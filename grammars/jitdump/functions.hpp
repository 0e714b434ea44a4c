// The functions of a file by code_index (section 4.2).
#pragma once

#include <compare>

#include "validator/memory/chunked_vector.hpp"
#include "validator/memory/sorted_table.hpp"
#include "validator/tables/packed64.hpp"

namespace tracelint::jitdump {

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
    // The same as enter(), without a search.
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

}  // namespace tracelint::jitdump
