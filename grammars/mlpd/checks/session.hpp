// mlpd, section 4.3: what the events of a file mean together. Owns the machines of the file and of its threads.
#pragma once

#include "grammars/mlpd/checks/counters.hpp"
#include "grammars/mlpd/checks/handles_and_roots.hpp"
#include "grammars/mlpd/checks/loads.hpp"
#include "grammars/mlpd/checks/methods.hpp"
#include "grammars/mlpd/checks/synchronisation.hpp"
#include "grammars/mlpd/checks/threads.hpp"
#include "grammars/mlpd/records.hpp"

namespace tracelint::mlpd {

// Takes the events in file order, each once its last field is read, and reports what they violate. Frequent events are
// offered to a step function first. True: the event is done. False: nothing was done and the full call is due, which
// needs the place of the event.
class Session {
  public:
    Session(ValidationContext& context, Findings& findings, uint16_t version);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Shared by the machines.
    FileState& file() { return file_; }
    Threads& threads() { return threads_; }
    // The thread of the current buffer; null if the budget is spent.
    Thread* thread() { return thread_; }

    // --- buffers
    void begin_buffer(uint64_t thread_id, const Spot& buffer);
    // After its last event, or as far as it could be read. Some findings of the buffer come no earlier.
    void end_buffer();
    // The current buffer has a framing fault or is cut off: its thread is tainted and the file lossy (section 4.2).
    void taint();
    // The walk has to search for the next buffer: every thread is tainted, also those not met yet (section 4.1).
    void taint_all();
    // The end of the file, or of the first of two concatenated files.
    void finish();

    // --- any event, when it is complete
    // `time` is below the highest time of a synchronisation point, and the buffer has no such finding yet.
    bool is_early(uint64_t time) const { return time < floor(); }
    uint64_t floor() const { return sync_points_.floor(); }
    // The event is early and of a kind that must not be.
    void early(uint64_t time, const Spot& event) { sync_points_.early(time, event); }

    // --- methods
    // A backtrace, a sample or a clause names a method. `place`: the field of a frame, or else the whole event. Null
    // is not a use.
    bool step_use(uint64_t method) { return methods_.step_use(method); }
    void use(uint64_t method, const Place& place) { methods_.use(method, place); }
    // The same once step_use() did nothing.
    void note_use(uint64_t method, const Place& place) { methods_.note_use(method, place); }
    void jit(uint64_t method, const Spot& event) { methods_.define(method, event); }

    // --- calls
    // A run of calls, for the fast lane, which keeps it in registers. While it lives, nothing else of the session may
    // be used. It must not outlive the buffer.
    class CallRun {
      public:
        explicit CallRun(Session& session)
            : methods_(session.methods_), settled_(session.methods_.settled()), run_(*session.calls_) {}

        // Whether an ENTER of the method adds nothing new; otherwise call use().
        bool knows(uint64_t method) const { return settled_.is_at_home(method); }
        void use(uint64_t method, const Spot& event) {
            methods_.use_at_home(method, event.place());
            settled_ = SettledIds::Reader(methods_.settled());
        }
        // Whether a method can be entered.
        bool has_room() const { return run_.has_room(); }
        // ENTER, once its method is used. There must be room.
        void enter(uint64_t method, const ShortSpot& event) { run_.enter(method, event); }
        // LEAVE. False: nothing was done.
        bool leave(uint64_t method) { return run_.leave(method); }
        size_t open() const { return run_.open(); }

      private:
        Methods& methods_;
        SettledIds::Reader settled_;
        CallStack::Run run_;
    };
    // The same for one call. The use of the method by ENTER is noted in any case.
    bool step_enter(uint64_t method, const Spot& event) {
        if (!methods_.settled().is_at_home(method)) methods_.use_at_home(method, event.place());
        return calls_->step(method, false, ShortSpot(event));
    }
    bool step_leave(uint64_t method) { return calls_->step(method, true, ShortSpot()); }
    void enter(uint64_t method, const Spot& event);
    void leave(uint64_t method, bool by_exception, const Spot& event);
    // Whether the last LEAVE that step_leave() refused was looked up among all open calls, as the next ones may be.
    bool searches_calls() const { return searches_calls_; }
    // Prefetches the count of the method's open calls.
    void prefetch_call(uint64_t method) const {
        if (thread_ != nullptr) thread_->calls.prefetch(threads_.open_calls(), method);
    }

    // --- allocations and loads
    // ALLOC: `type` is the vtable since version 15, the class before.
    bool step_alloc(uint64_t type) { return loads_.step_use_type(type); }
    void alloc(uint64_t type, const Spot& event) { loads_.use_type(type, event); }
    // METADATA without the load-error flag.
    void metadata(const Metadata& metadata, const Spot& event);

    // --- heap
    void heap_start(const Spot& event);
    void heap_end(const Spot& event);
    // `size` in bytes, as the writer's int (section 3.9). Its references come before or after it.
    void heap_object(uint64_t object, uint64_t type, uint64_t size, const Spot& event);
    // `place`: the field of the reference. A null reference is ignored.
    void heap_reference(uint64_t object, const Place& place);
    void heap_root(uint64_t object, const Place& place);

    // --- garbage collector
    void gc_event(uint64_t code, uint64_t generation, const Place& generation_place, const Spot& event);
    void handle_created(uint64_t type, uint64_t handle, const Spot& event) { handles_.create(type, handle, event); }
    void handle_destroyed(uint64_t type, uint64_t handle, const Spot& event) { handles_.destroy(type, handle, event); }
    void root_registered(uint64_t start, const Spot& event) { roots_.enter(start, event); }
    void root_unregistered(uint64_t start, const Spot& event) { roots_.leave(start, event); }
    void finalize_start(const Spot& event);
    void finalize_end(const Spot& event);
    void finalize_object_start(uint64_t object, const Spot& event);
    void finalize_object_end(uint64_t object, const Spot& event);

    // --- monitors: `kind` is 1 (contention), 2 (done) or 3 (fail)
    void monitor(uint64_t kind, uint64_t object, const Spot& event);

    // --- counters, while the event is read
    // A descriptor, once its last field, the index, was read.
    void counter_described(uint64_t index, uint64_t type, const Place& index_place) {
        counters_.describe(index, type, index_place);
    }
    // A sample of the current SAMPLE_COUNTERS event: its index, not 0, and then its type.
    void counter_sampled(uint64_t index, const Place& index_place) { counters_.sample(index, index_place); }
    void counter_sample_type(uint64_t index, uint64_t type, const Place& type_place) {
        counters_.sample_type(index, type, type_place);
    }

    // --- the rest
    void sync_point(uint64_t type, uint64_t time, const Spot& event);
    // `statements` as the writer's int (section 3.9).
    void coverage_method(uint64_t id, uint64_t statements, const Spot& event) {
        covered_.method(id, statements, event);
    }
    void coverage_statement(uint64_t id, const Spot& event) { covered_.statement(id, event); }

  private:
    ThreadMachines* machines(const Spot& event);
    void take_waiting();

    FileState file_;
    Methods methods_;
    Loads loads_;
    Counters counters_;
    CoveredMethods covered_;
    Handles handles_;
    Roots roots_;
    SyncPoints sync_points_;
    Threads threads_;
    GenerationsSeen generations_;
    std::optional<uint64_t> first_thread_;  // of the first buffer
    bool first_thread_ended_ = false;

    // The current buffer.
    uint64_t buffer_thread_id_ = 0;
    Thread* thread_ = nullptr;  // null if the budget is spent
    CallStack no_calls_;
    CallStack* calls_ = &no_calls_;  // the thread's stack, or one that ignores calls
    bool searches_calls_ = false;
};

extern const RuleList kSessionRules;

}  // namespace tracelint::mlpd
