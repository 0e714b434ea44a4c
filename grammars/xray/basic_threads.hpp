// XRay, section 3.5: what is remembered of each thread of a basic file.
#pragma once

#include <deque>

#include "grammars/xray/open_calls.hpp"
#include "validator/memory/hash_table.hpp"

namespace tracelint::xray {

struct BasicThread {
    explicit BasicThread(uint64_t its_key) : key(its_key) {}

    uint64_t key;      // thread id, and from version 3 on the process id above it
    uint64_t tsc = 0;  // of its last record
    uint64_t cpu = 0;
    CallStack<OpenCall, 4> calls;
};

class BasicThreads {
  public:
    BasicThreads(Budget& budget, WorkCounter& work) : calls_(budget, work), threads_(budget, work) {}
    BasicThreads(const BasicThreads&) = delete;
    BasicThreads& operator=(const BasicThreads&) = delete;
    ~BasicThreads() { clear(); }

    // The thread, or null if it was never seen.
    BasicThread* find(uint64_t key) {
        Entry* const entry = threads_.find(key);
        return entry == nullptr ? nullptr : entry->thread;
    }
    // The thread; a new one if it was never seen. Null when the budget is spent.
    BasicThread* find_or_add(uint64_t key);

    // Forgets the open calls, or everything.
    void drop_calls();
    void clear();

    OpenCalls& calls() { return calls_; }
    uint64_t count() const { return threads_.size(); }

  private:
    struct Entry {
        uint64_t key = 0;
        BasicThread* thread = nullptr;  // in all_
        bool is_vacant() const { return thread == nullptr; }
    };
    OpenCalls calls_;
    HashTable<Entry> threads_;
    std::deque<BasicThread> all_;
};

}  // namespace tracelint::xray
