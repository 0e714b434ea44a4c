// XRay, section 3.5: what is remembered of each thread of a basic file.
#pragma once

#include <memory>

#include "grammars/xray/open_calls.hpp"
#include "validator/spread.hpp"

namespace tracelint::xray {

struct BasicThread {
    BasicThread(uint64_t its_key, uint64_t number) : key(its_key), calls(number) {}

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

    // The thread, if it was seen recently; otherwise null.
    BasicThread* recent(uint64_t key) const {
        BasicThread* thread = recent_[slot_of(key)];
        return thread != nullptr && thread->key == key ? thread : nullptr;
    }

    // The thread; a new one if it was never seen. Null when the budget is spent.
    BasicThread* find(uint64_t key);

    // Forgets the open calls, or everything.
    void drop_calls();
    void clear();

    OpenCalls& calls() { return calls_; }
    uint64_t count() const { return threads_.size(); }

  private:
    static constexpr unsigned kRecentBits = 8;
    // Multiplication spreads the keys: consecutive thread ids and those of many processes differ in different bits.
    static size_t slot_of(uint64_t key) { return spread(key) >> (64 - kRecentBits); }

    struct Entry {
        uint64_t key;
        std::unique_ptr<BasicThread> thread;
    };
    OpenCalls calls_;
    SortedTable<Entry> threads_;
    std::array<BasicThread*, size_t{1} << kRecentBits> recent_{};
};

}  // namespace tracelint::xray
