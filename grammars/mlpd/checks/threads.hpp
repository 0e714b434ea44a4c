// mlpd: threads: their open calls, and the times of their buffers.
#pragma once

#include "grammars/mlpd/checks/heap.hpp"
#include "grammars/mlpd/checks/id_table.hpp"
#include "grammars/mlpd/checks/state.hpp"
#include "grammars/mlpd/checks/synchronisation.hpp"
#include "validator/memory/call_stack.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.1: the open calls of one thread.

struct OpenCall {
    uint64_t key = 0;  // the method
    ShortSpot enter{};
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;
using CallStack = tracelint::CallStack<OpenCall>;

// mlpd, section 4.3: the threads of a file, and the machines of each.

// The machines for rare events.
struct ThreadMachines {
    ThreadMachines(FileState& file, HeapNotes& notes, uint64_t thread_id)
        : heapshot(file, notes, thread_id),
          gc_cycle(file, thread_id),
          monitors(file, thread_id),
          finalizers(file, thread_id),
          world(file, thread_id) {}

    // Part of the thread's events was lost: every machine goes to its unknown state.
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
        world.finish();
    }

    Heapshot heapshot;
    GcCycle gc_cycle;
    Monitors monitors;
    Finalizers finalizers;
    World world;
};

// What is known of one native thread id. Ids are reused, so this may be several threads in turn. Kept small: a file may
// have a thread for every buffer.
struct Thread {
    explicit Thread(uint64_t id) : key(id) {}

    void taint(OpenCalls& open_calls) {
        calls.clear(open_calls);
        may_lack_enter = true;
        if (machines != nullptr) machines->taint();
    }

    const uint64_t key;             // its id
    bool may_lack_enter = false;    // tainted: the lost part may hold an ENTER, so a LEAVE without one is no finding
    bool was_excused = false;       // its last buffer may be out of order (ThreadTimes)
    bool has_thread_event = false;  // since its last buffer began
    uint64_t time_base = 0;         // of its last buffer, in ns
    uint64_t taints = 0;            // taints of all threads that reached this one
    CallStack calls;
    std::unique_ptr<ThreadMachines> machines{};  // null: all in their first state, or their unknown one if tainted
};

class Threads {
  public:
    explicit Threads(FileState& file)
        : file_(file),
          open_calls_(file.context.budget, file.context.work),
          threads_(file.context.budget, file.context.work) {}

    // The thread whose buffer begins; null if the budget is spent.
    Thread* of_buffer(uint64_t id, const Spot& buffer);
    // The thread of this id; null if it has no buffer so far.
    Thread* find(uint64_t id);
    // The machines of the thread, created on first use; null if the budget is spent.
    ThreadMachines* machines_of(Thread& thread, const Spot& event);
    // Taints every thread, also those that appear later. Takes effect when a thread is met next.
    void taint_all() { ++taints_; }
    template <class Visit>
    void for_each(Visit visit) {
        threads_.for_each(visit);
    }
    OpenCalls& open_calls() { return open_calls_; }
    const OpenCalls& open_calls() const { return open_calls_; }

  private:
    Thread* up_to_date(Thread* thread);

    FileState& file_;
    OpenCalls open_calls_;
    HeapNotes heap_notes_;
    IdTable<Thread> threads_;
    uint64_t taints_ = 0;  // of all threads
};

// mlpd, section 3.3: the buffers of a thread come in the order of their time_base.

// Compares each buffer with the one before it of the same thread id. Whatever excuses a step back in time may come up
// to the end of the second buffer.
class ThreadTimes {
  public:
    ThreadTimes(FileState& file, Threads& threads) : report_(file.context.report), threads_(threads) {}

    void begin_buffer(Thread* thread, uint64_t time_base, const Place& place);
    // The thread begins or ends.
    void thread_event(uint64_t thread_id);
    // The buffer holds a JIT event, a framing fault, or is cut.
    void excuse() { excused_ = true; }
    void end_buffer();

  private:
    Report& report_;
    Threads& threads_;
    Thread* thread_ = nullptr;  // of the buffer; null: not tracked
    bool excused_ = false;
    bool goes_back_ = false, thread_event_before_ = false;
    Diagnostic finding_;
};

extern const RuleList kThreadTimeRules;

}  // namespace tracelint::mlpd
