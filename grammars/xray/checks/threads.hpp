// XRay: the memory of threads and their open calls, and the effect of a limit.
#pragma once

#include <compare>
#include <deque>
#include <optional>
#include <tuple>

#include "grammars/xray/records.hpp"
#include "validator/format.hpp"
#include "validator/memory/call_stack.hpp"
#include "validator/memory/hash_table.hpp"
#include "validator/memory/sorted_table.hpp"
#include "validator/tables/rule.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::xray {

// XRay, section 5.6: what happens when a limit of the run is reached.

inline constexpr Rule kTrackingLimit = tracking_limit("xray/tracking-limit", "5.6 Limits", true);

// Ends one kind of tracking, and reports it the first time. `record`: the one that did not fit.
inline void stop_tracking(ValidationContext& context, bool& is_tracked, Place record) {
    if (!is_tracked) return;
    is_tracked = false;
    context.limit_hit = true;
    record.length = 0;
    record.field = nullptr;
    context.report.add({.rule = &kTrackingLimit,
                        .place = record,
                        .numbers = {context.limits.memory},
                        .hint = "memory limit: checks that compare records with each other stop here"});
}

// Reports that a record of `size` bytes is not looked into: it is above the record limit, or there is no memory to see
// it as a whole.
inline void report_unread(ValidationContext& context, Place record, uint64_t size) {
    const bool is_above_record_limit = size > context.limits.record;
    context.limit_hit = true;
    record.length = 0;
    context.report.add({.rule = &kTrackingLimit,
                        .place = record,
                        .numbers = {is_above_record_limit ? context.limits.record : context.limits.memory},
                        .hint = is_above_record_limit ? "record limit: the contents of this record are not checked"
                                                      : "memory limit: the contents of this record are not checked"});
}

inline constexpr RuleList kTrackingRules = rules<&kTrackingLimit>;

// XRay, section 4.4: the calls that are open on one stack. In FDR files a stack belongs to a buffer, in basic files to
// a thread.

struct OpenCall {
    uint32_t key;  // the function id
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;

// XRay, sections 4.4 and 5.5: the buffers of each thread, and how they relate to each other.

// pid is kNone where no Pid was read, tid where no NewBuffer was.
struct ThreadKey {
    uint64_t pid = kNone;
    uint64_t tid = kNone;
    auto operator<=>(const ThreadKey&) const = default;
};

// When the thread took a buffer.
struct BufferTime {
    int64_t seconds = 0;
    int64_t micros = 0;
    uint64_t first_tsc = 0;
    auto operator<=>(const BufferTime&) const = default;
};

// The fields of the first NewBuffer, WallClock, Pid and NewCPUId of a buffer that were checked.
struct BufferIdentity {
    ThreadKey thread;
    std::optional<int64_t> seconds;
    int64_t micros = 0;
    std::optional<uint64_t> first_tsc;
    Place new_buffer;  // the record

    bool is_complete() const { return thread.tid != kNone && seconds && first_tsc; }
    BufferTime time() const { return {*seconds, micros, *first_tsc}; }
};

// How the walk through a buffer ended.
struct BufferEnd {
    uint64_t last_tsc = 0;
    bool in_order = false;  // where it should, and the walk was never out of step
    size_t open_entries = 0;
    Place last_record;  // its end
};

// All buffers of a file.
class Threads {
  public:
    Threads(ValidationContext& context, WalkMode mode)
        : context_(context), threads_(context.budget, context.work), in_time_order_(mode == WalkMode::fast) {}
    Threads(const Threads&) = delete;
    Threads& operator=(const Threads&) = delete;
    ~Threads() { context_.budget.give_back(seen_.size() * sizeof(Seen)); }

    // Whether this is the thread's first exit without an entry; only that one is reported.
    bool is_first_orphan(const ThreadKey& thread, const Place& at);
    // Adds a buffer that was walked.
    void add(const BufferIdentity& buffer, const BufferEnd& end);
    // Compares the buffers with each other. Call once, after the last one.
    void finish();
    size_t count() const { return threads_.size(); }

  private:
    struct Thread {
        ThreadKey key;
        bool orphan_seen = false;
        // of the last buffer in time
        bool has_buffer = false;
        bool in_order = false;
        BufferTime time;
        uint64_t open_entries = 0;
        Place last_record;  // its end

        uint64_t latest_tsc = 0;  // of all buffers
    };
    // A buffer. There may be hundreds of thousands, so it is small.
    struct Seen {
        int32_t pid, tid, micros;
        bool has_pid;
        bool is_reported;  // by the current rule, or an earlier one
        int64_t seconds;
        uint64_t first_tsc, last_tsc;
        uint64_t offset, index;  // of the NewBuffer
    };

    static auto thread_of(const Seen& seen) { return std::tuple(seen.has_pid, seen.pid, seen.tid); }
    static Place place_of(const Seen& seen);
    Thread* thread(const ThreadKey& key, const Place& at);
    bool follows(const BufferIdentity& buffer, const Thread& thread);
    void report_duplicates();
    void report_overlaps();
    void report_open_entries();

    ValidationContext& context_;
    SortedTable<Thread> threads_;
    std::deque<Seen> seen_;
    bool tracking_threads_ = true, tracking_buffers_ = true;
    // All buffers are of one process, and each one follows those of its thread that are before it in the file, as most
    // writers leave them: then no two are the same and none overlap.
    bool in_time_order_;
    std::optional<uint64_t> process_;  // of the first buffer
};

extern const RuleList kThreadRules;

// XRay, section 3.5: what is remembered of each thread of a basic file.

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
