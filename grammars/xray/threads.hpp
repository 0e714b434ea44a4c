// xray, sections 4.4 and 5: which buffers belong to which thread, and what they say of each other (rules 40, 41,
// 43 and 44).
#pragma once

#include <compare>
#include <deque>
#include <optional>
#include <tuple>

#include "grammars/xray/records.hpp"
#include "validator/format.hpp"
#include "validator/sorted_table.hpp"
#include "validator/view.hpp"

namespace tracelint::xray {

// pid is absent where no Pid was read, tid where no NewBuffer was.
struct ThreadKey {
    uint64_t pid = kNone;
    uint64_t tid = kNone;
    auto operator<=>(const ThreadKey&) const = default;
};

// When a buffer was taken.
struct BufferTime {
    int64_t seconds = 0;
    int64_t micros = 0;
    uint64_t first_tsc = 0;
    auto operator<=>(const BufferTime&) const = default;
};

// The fields of the first NewBuffer, WallClock, Pid and NewCPUId of a buffer that were looked into.
struct BufferIdentity {
    ThreadKey thread;
    std::optional<int64_t> seconds;
    int64_t micros = 0;
    std::optional<uint64_t> first_tsc;
    Place new_buffer;  // the record

    bool is_full() const { return thread.tid != kNone && seconds && first_tsc; }
    BufferTime time() const { return {*seconds, micros, *first_tsc}; }
};

// How the walk through a buffer ended.
struct BufferEnd {
    uint64_t last_tsc = 0;
    bool in_order = false;  // as it should, and never out of step
    size_t open_entries = 0;
    Place last_record;  // its end
};

// All buffers of a file.
class Threads {
  public:
    explicit Threads(ValidationContext& context) : context_(context), threads_(context.budget, context.work) {}
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    ~Threads() { context_.budget.give_back(seen_.size() * sizeof(Seen)); }

    // Whether this is the thread's first exit without an entry (rule 43).
    bool is_first_orphan(const ThreadKey& thread, const Place& at);
    // The buffer is behind the walk.
    void add(const BufferIdentity& buffer, const BufferEnd& end);
    // Rules 40, 41 and 44, and how many threads there are.
    void finish();
    size_t count() const { return threads_.size(); }

  private:
    struct Thread {
        ThreadKey key;
        bool orphan_seen = false;
        // of its last buffer
        bool has_buffer = false;
        bool in_order = false;
        BufferTime time;
        uint64_t open_entries = 0;
        Place last_record;  // its end
    };
    // There may be hundreds of thousands.
    struct Seen {
        int32_t pid, tid, micros;
        bool has_pid;
        bool is_named;  // by the rule at hand, or an earlier one
        int64_t seconds;
        uint64_t first_tsc, last_tsc;
        uint64_t offset, index;  // of the NewBuffer
    };

    static auto thread_of(const Seen& seen) { return std::tuple(seen.has_pid, seen.pid, seen.tid); }
    static Place place_of(const Seen& seen);
    Thread* thread(const ThreadKey& key, const Place& at);
    void judge_duplicates();
    void judge_overlaps();
    void judge_open_entries();

    ValidationContext& context_;
    SortedTable<Thread> threads_;
    std::deque<Seen> seen_;
    bool tracking_threads_ = true, tracking_buffers_ = true;
};

extern const RuleList kThreadRules;

}  // namespace tracelint::xray
