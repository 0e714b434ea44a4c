// mlpd, sections 4.3 and 5, rule 83: the threads of a file, and the machines that each of them has.
#pragma once

#include "grammars/mlpd/calls.hpp"
#include "grammars/mlpd/finalizers.hpp"
#include "grammars/mlpd/gc_cycle.hpp"
#include "grammars/mlpd/heapshot.hpp"
#include "grammars/mlpd/monitors.hpp"
#include "grammars/mlpd/sync_points.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kThreadEventWrongThread{
    .id = "mlpd/thread-event-wrong-thread",
    .severity = Severity::note,
    .statement = "a thread says itself that it begins and ends",
    .message = "the event is about thread {0x}, and the buffer is of thread {1x}",
    .why = "readers that go by the buffer's thread take the wrong one for ended",
    .spec = "mono profiler/log.h, metadata (5 rule 83)"};

inline constexpr const Rule* kThreadRules[] = {&kThreadEventWrongThread};

// What is known of one thread id. Native ids come again: a thread may be several in turn.
struct Thread {
    Thread(FileState& file, uint64_t its_id, uint64_t number)
        : id(its_id),
          calls(number),
          heapshot(file, its_id),
          gc_cycle(file, its_id),
          monitors(file, its_id),
          finalizers(file, its_id),
          world(file, its_id) {}

    // All machines go to their unknown state.
    void taint(OpenCalls& open_calls) {
        calls.clear(open_calls);
        may_lack_enter = true;
        heapshot.taint();
        gc_cycle.taint();
        monitors.taint();
        finalizers.taint();
        world.taint();
    }

    const uint64_t id;
    bool may_lack_enter = false;  // what was lost may hold an ENTER: rule 84 is silent
    uint64_t taints = 0;          // of all threads, that reached this one
    CallStack calls;
    Heapshot heapshot;
    GcCycle gc_cycle;
    Monitors monitors;
    Finalizers finalizers;
    World world;
};

class Threads {
  public:
    explicit Threads(FileState& file)
        : file_(file),
          open_calls_(file.inspection.budget, file.inspection.work),
          threads_(file.inspection.budget, file.inspection.work) {}

    // The thread whose buffer begins; null: the budget does not allow for it.
    Thread* of_buffer(uint64_t id, const Spot& buffer);
    // The thread of this id, or null where no buffer of it was met.
    Thread* find(uint64_t id);
    // Every thread is tainted, when it is met next.
    void taint_all() { ++taints_; }
    template <class Visit>
    void for_each(Visit visit) {
        for (const auto& entry : threads_.entries()) visit(*entry.thread);
    }
    OpenCalls& open_calls() { return open_calls_; }

  private:
    struct Entry {
        uint64_t key = 0;
        std::unique_ptr<Thread> thread{};
    };
    Thread* up_to_date(Thread* thread);

    FileState& file_;
    OpenCalls open_calls_;
    IdTable<Entry> threads_;
    uint64_t taints_ = 0;  // of all threads
};

}  // namespace tracelint::mlpd
