// gperftools, section 3.5: Java locations.
#pragma once

#include "grammars/gperftools/checks/line.hpp"
#include "validator/memory/limits.hpp"
#include "validator/memory/sorted_table.hpp"

namespace tracelint::gperftools {

// Entries by key, in the order in which they come. A buffer that is full is sorted and entries of the same key are
// merged; only if that does not make enough room does it grow. Time is linear in the entries that are added, whatever
// their keys; memory is linear in the distinct keys.

// Entry has a number `key`, and absorb(later) to merge in an entry of the same key that was added later.
template <class Entry>
class MergeBuffer {
  public:
    MergeBuffer(Budget& budget, WorkCounter& work) : budget_(budget), work_(work) {}
    ~MergeBuffer() { release(); }
    MergeBuffer(const MergeBuffer&) = delete;
    MergeBuffer& operator=(const MergeBuffer&) = delete;

    // False when the budget is spent.
    [[nodiscard]] bool add(const Entry& entry) {
        if (entries_.size() == room_ && !make_room()) return false;
        entries_.push_back(entry);
        return true;
    }

    // All entries by ascending key, each key once.
    std::span<const Entry> sorted() {
        settle();
        return entries_;
    }

    // Forgets all entries, and keeps the memory.
    void clear() { entries_.clear(); }

    // Forgets all entries, and gives the memory back.
    void release() {
        budget_.give_back(room_ * kCost);
        room_ = 0;
        std::vector<Entry>().swap(entries_);
        std::vector<Entry>().swap(scratch_);
    }

  private:
    static constexpr uint64_t kCost = 2 * sizeof(Entry);  // bytes; sorting takes as much again
    static constexpr size_t kFirstRoom = 64;

    void settle() {
        sort_by_key(std::span<Entry>(entries_), scratch_, [](const Entry& entry) { return entry.key; }, work_);
        size_t kept = 0;
        for (const Entry& entry : entries_) {
            if (kept > 0 && entries_[kept - 1].key == entry.key)
                entries_[kept - 1].absorb(entry);
            else
                entries_[kept++] = entry;
        }
        entries_.resize(kept);
    }

    // At least a quarter of the room is free afterwards, so that sorting pays.
    bool make_room() {
        settle();
        if (entries_.size() <= room_ / 2 && room_ > 0) return true;
        const size_t more = std::max(kFirstRoom, 2 * room_);
        if (!budget_.take(more * kCost)) return room_ > 0 && entries_.size() <= room_ / 4 * 3;
        entries_.reserve(more);
        budget_.give_back(room_ * kCost);
        room_ = more;
        return true;
    }

    Budget& budget_;
    WorkCounter& work_;
    std::vector<Entry> entries_;
    std::vector<Entry> scratch_;
    size_t room_ = 0;  // entries for which memory was taken from the budget
};

// gperftools, section 3.5: the text of the Java dialect, which gives names to ids.

struct Profile;

class Locations {
  public:
    Locations(Budget& budget, WorkCounter& work) : named_(budget, work) {}

    void check_line(Profile& profile, const Line& line);
    // Call when the profile is over: compares ids and lines.
    void finish(Profile& profile);
    void release() { named_.release(); }
    void clear() { named_.clear(); }

  private:
    // An id with its location lines.
    struct Named {
        uint64_t key = 0;  // the id
        // The second line of the id; its only line while there is one.
        uint64_t offset = 0, length = 0, index = 0;
        uint64_t repetitions = 0;  // lines after the first one
        void absorb(const Named& later) {
            if (repetitions++ != 0) return;
            offset = later.offset;
            length = later.length;
            index = later.index;
        }
    };
    void check_ids(Profile& profile, std::span<const Named> named);

    MergeBuffer<Named> named_;
};

extern const RuleList kJavaRules;

}  // namespace tracelint::gperftools
