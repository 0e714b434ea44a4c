// Which code is where (sections 4.3 and 4.4).
#pragma once

#include <compare>

#include "validator/memory/sorted_table.hpp"
#include "validator/tables/packed64.hpp"

namespace tracelint::jitdump {

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
    // The same for a LOAD that overlaps nothing and needs no memory. False if it is none, and nothing has changed.
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

}  // namespace tracelint::jitdump
