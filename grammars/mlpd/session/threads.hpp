// mlpd, sections 4.3 and 5, rule 83: the threads of a file, and the machines that each of them has.
#pragma once

#include "grammars/mlpd/session/calls.hpp"
#include "grammars/mlpd/session/finalizers.hpp"
#include "grammars/mlpd/session/gc_cycle.hpp"
#include "grammars/mlpd/session/heapshot.hpp"
#include "grammars/mlpd/session/id_table.hpp"
#include "grammars/mlpd/session/monitors.hpp"
#include "grammars/mlpd/session/sync_points.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kThreadEventWrongThread{
    .id = "mlpd/thread-event-wrong-thread",
    .severity = Severity::note,
    .statement = "a thread says itself that it begins and ends",
    .message = "the event is about thread {0x}, and the buffer is of thread {1x}",
    .why = "readers that go by the buffer's thread take the wrong one for ended",
    .spec = "3.7 TYPE_METADATA (2)",
    .since = "0.1.0"};

inline constexpr const Rule* kThreadRules[] = {&kThreadEventWrongThread};

// Of events that are rare.
struct ThreadMachines {
    ThreadMachines(FileState& file, HeapNotes& notes, uint64_t thread_id)
        : heapshot(file, notes, thread_id),
          gc_cycle(file, thread_id),
          monitors(file, thread_id),
          finalizers(file, thread_id),
          world(file, thread_id) {}

    // All go to their unknown state.
    void taint() {
        heapshot.taint();
        gc_cycle.taint();
        monitors.taint();
        finalizers.taint();
        world.taint();
    }
    // The end of the file.
    void finish(bool looks_killed) {
        heapshot.finish(looks_killed);
        gc_cycle.finish();
        monitors.finish();
        finalizers.finish();
    }

    Heapshot heapshot;
    GcCycle gc_cycle;
    Monitors monitors;
    Finalizers finalizers;
    World world;
};

// What is known of one thread id. Native ids come again: a thread may be several in turn. Small: a file may have a
// thread for every buffer.
struct Thread {
    explicit Thread(uint64_t id) : key(id), calls(id) {}

    void taint(OpenCalls& open_calls) {
        calls.clear(open_calls);
        may_lack_enter = true;
        if (machines != nullptr) machines->taint();
    }

    const uint64_t key;             // its id
    bool may_lack_enter = false;    // it was tainted; what was lost may hold an ENTER: rule 84 is silent
    bool was_excused = false;       // rule 22: of its last buffer something is to be expected
    bool has_thread_event = false;  // since that buffer began
    uint64_t time_base = 0;         // of that buffer
    uint64_t taints = 0;            // of all threads, that reached this one
    CallStack calls;
    std::unique_ptr<ThreadMachines> machines{};  // null: all are in their first state, or the unknown one
};

class Threads {
  public:
    explicit Threads(FileState& file)
        : file_(file),
          open_calls_(file.context.budget, file.context.work),
          threads_(file.context.budget, file.context.work) {}

    // The thread whose buffer begins; null: the budget does not allow for it.
    Thread* of_buffer(uint64_t id, const Spot& buffer);
    // The thread of this id, or null where no buffer of it was met.
    Thread* find(uint64_t id);
    // Those of the thread, made where there are none; null: the budget does not allow for them.
    ThreadMachines* machines_of(Thread& thread, const Spot& event);
    // Every thread is tainted, when it is met next.
    void taint_all() { ++taints_; }
    template <class Visit>
    void for_each(Visit visit) {
        threads_.for_each(visit);
    }
    OpenCalls& open_calls() { return open_calls_; }

  private:
    Thread* up_to_date(Thread* thread);

    FileState& file_;
    OpenCalls open_calls_;
    HeapNotes heap_notes_;
    IdTable<Thread> threads_;
    uint64_t taints_ = 0;  // of all threads
};

}  // namespace tracelint::mlpd
