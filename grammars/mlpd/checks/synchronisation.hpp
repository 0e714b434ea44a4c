// mlpd: events in an order: monitors, sync points and finalizers.
#pragma once

#include "grammars/mlpd/checks/state.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.4: the monitors that one thread waits for.

inline constexpr Rule kMonitorOrder{
    .id = "mlpd/monitor-order",
    .severity = Severity::note,
    .statement = "a thread that contends for a monitor acquires it or fails before it contends for another one",
    .message = "monitor event {0} of object {1x} does not match what thread {2x} is waiting for",
    .why = "readers miss the start or the end of the wait; usual where logging began while the thread was running",
    .spec = "4.3.4 Monitors",
    .since = "0.1.0",
    .severity_override = SeverityOverride{Severity::note,
                                          "the file ends while the thread waits",
                                          "thread {2x} is still waiting for object {1x} at the end of the file",
                                          {}},
};

enum class MonitorState : uint8_t { idle, waits, unknown, over, count_ };
enum class MonitorEvent : uint8_t {
    contention,
    release_of_same,
    release_of_other,
    taint,
    end_of_file,
    end_of_file_reported,  // the open contention has a finding already
    count_
};
inline constexpr std::string_view kMonitorStateNames[] = {"idle", "waiting", "unknown", "over"};
inline constexpr std::string_view kMonitorEventNames[] = {
    "contention",  "done or fail of the object waited for",    "done or fail of another object", "taint",
    "end of file", "end of file, the contention has a finding"};

namespace monitors {
using enum MonitorState;
using E = MonitorEvent;
inline constexpr uint32_t kRelease = on(E::release_of_same, E::release_of_other);
inline constexpr uint32_t kEnd = on(E::end_of_file, E::end_of_file_reported);
// clang-format off
inline constexpr Transition<MonitorState, MonitorEvent> kRows[] = {
    {idle,    on(E::contention),           waits},
    {idle,    kRelease,                    idle,  &kMonitorOrder},
    {idle,    kEnd,                        over},
    {waits,   on(E::contention),           waits, &kMonitorOrder},
    {waits,   on(E::release_of_same),      idle},
    {waits,   on(E::release_of_other),     idle,  &kMonitorOrder},
    {waits,   on(E::end_of_file),          over,  &kMonitorOrder},
    {waits,   on(E::end_of_file_reported), over},
    {unknown, on(E::contention),           waits},
    {unknown, kRelease,                    unknown},
    {unknown, kEnd,                        over},
    {idle,    on(E::taint),                unknown},
    {waits,   on(E::taint),                unknown},
    {unknown, on(E::taint),                unknown},
};
// clang-format on
}  // namespace monitors
inline constexpr auto kMonitorTracker = make_tracker(monitors::kRows, MonitorState::idle, MonitorState::over);

extern const RuleList kSynchronisationRules;

class Monitors {
  public:
    Monitors(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A MONITOR event; `kind` is 1 (contention), 2 (done) or 3 (fail). Others are ignored.
    void take(uint64_t kind, uint64_t object, const Spot& event);
    void taint() { step(kMonitorTracker, state_, MonitorEvent::taint); }
    // The end of the file.
    void finish();

  private:
    FileState& file_;
    const uint64_t thread_id_;
    MonitorState state_ = MonitorState::idle;
    bool wait_is_reported_ = false;  // the contention has a finding
    uint64_t object_ = 0;            // that the thread waits for
    Spot wait_;                      // the contention
};

// mlpd, section 4.3.10: synchronisation points, which close the windows of the file.

inline constexpr Rule kSyncPointOrder{
    .id = "mlpd/sync-point-order",
    .severity = Severity::warning,
    .statement = "a thread stops the world and starts it again in turn",
    .message = "synchronisation point of type {0}, but thread {1x} has put the world into that state already",
    .why = "readers that pair the two count pauses as running time, or running time as pauses",
    .spec = "4.3.10 Synchronisation points",
    .since = "0.1.0",
};

enum class WorldState : uint8_t { runs, stopped, unknown, over, count_ };
enum class WorldEvent : uint8_t { periodic, stop, start, taint, end_of_file, count_ };
inline constexpr std::string_view kWorldStateNames[] = {"running", "stopped", "unknown", "over"};
inline constexpr std::string_view kWorldEventNames[] = {"periodic", "world stop", "world start", "taint",
                                                        "end of file"};

namespace sync_points {
using enum WorldState;
using E = WorldEvent;
// clang-format off
inline constexpr Transition<WorldState, WorldEvent> kRows[] = {
    {runs,    on(E::periodic),    runs},
    {runs,    on(E::stop),        stopped},
    {runs,    on(E::start),       runs,    &kSyncPointOrder},
    {runs,    on(E::taint),       unknown},
    {runs,    on(E::end_of_file), over},
    {stopped, on(E::periodic),    stopped},
    {stopped, on(E::stop),        stopped, &kSyncPointOrder},
    {stopped, on(E::start),       runs},
    {stopped, on(E::taint),       unknown},
    {stopped, on(E::end_of_file), over},
    {unknown, on(E::periodic),    unknown},
    {unknown, on(E::stop),        stopped},
    {unknown, on(E::start),       runs},
    {unknown, on(E::taint),       unknown},
    {unknown, on(E::end_of_file), over},
};
// clang-format on
}  // namespace sync_points
inline constexpr auto kWorldTracker = make_tracker(sync_points::kRows, WorldState::runs, WorldState::over);

// Whether the world runs, as one thread reports it.
class World {
  public:
    World(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A SYNC_POINT event of this type; unknown types are ignored.
    void take(uint64_t type, const Spot& event) {
        if (type > 2) return;
        if (const Rule* rule = step(kWorldTracker, state_, WorldEvent{static_cast<uint8_t>(type)}))
            file_.findings.add(*rule, event.place(), {type, thread_id_});
    }
    void taint() { step(kWorldTracker, state_, WorldEvent::taint); }
    // The end of the file.
    void finish() { step(kWorldTracker, state_, WorldEvent::end_of_file); }

  private:
    FileState& file_;
    const uint64_t thread_id_;
    WorldState state_ = WorldState::runs;
};

// The times of the file's synchronisation points, in nanoseconds.
class SyncPoints {
  public:
    explicit SyncPoints(FileState& file) : file_(file) {}

    void begin_buffer() {
        is_reported_ = false;
        floor_ = highest_;
    }
    // Events below this time are early; 0 once the buffer has a finding.
    uint64_t floor() const { return floor_; }
    // A SYNC_POINT event.
    void take(uint64_t time) {
        ++file_.window;
        if (time <= highest_) return;
        highest_ = time;
        if (!is_reported_) floor_ = highest_;
    }
    // An event below the floor. Reports it, once in each buffer.
    void early(uint64_t time, const Spot& event);

  private:
    FileState& file_;
    uint64_t highest_ = 0;
    uint64_t floor_ = 0;
    bool is_reported_ = false;  // in this buffer
};

// mlpd, section 4.3.5: the finalizations of objects on one thread, and its finalizer queue.

inline constexpr Rule kFinalizerOrder{
    .id = "mlpd/finalizer-order",
    .severity = Severity::warning,
    .statement = "finalizations nest: a thread ends the object begun last, and ends the queue after it began the queue",
    .message = "thread {1x} ends the finalization of object {0x}, which is not the one begun last",
    .why = "readers cannot tell how long the finalizers ran",
    .spec = "4.3.5 Finalizers",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "the queue begins twice or ends without a begin, or the file ends in between",
                         "the begin or end has no counterpart on thread {1x}",
                         "usual where logging began while the thread was running, or the process was killed"},
};

enum class QueueState : uint8_t { idle, runs, unknown, over, count_ };
enum class QueueEvent : uint8_t {
    start,
    end,
    taint,
    end_of_file,
    end_of_file_reported,  // the open START has a finding already
    count_
};
inline constexpr std::string_view kQueueStateNames[] = {"idle", "running", "unknown", "over"};
inline constexpr std::string_view kQueueEventNames[] = {"GC_FINALIZE_START", "GC_FINALIZE_END", "taint", "end of file",
                                                        "end of file, the start has a finding"};

namespace finalizers {
using enum QueueState;
using E = QueueEvent;
inline constexpr uint32_t kEnd = on(E::end_of_file, E::end_of_file_reported);
// clang-format off
inline constexpr Transition<QueueState, QueueEvent> kRows[] = {
    {idle,    on(E::start),                runs},
    {idle,    on(E::end),                  idle, &kFinalizerOrder},
    {idle,    on(E::taint),                unknown},
    {idle,    kEnd,                        over},
    {runs,    on(E::start),                runs, &kFinalizerOrder},
    {runs,    on(E::end),                  idle},
    {runs,    on(E::taint),                unknown},
    {runs,    on(E::end_of_file),          over, &kFinalizerOrder},
    {runs,    on(E::end_of_file_reported), over},
    {unknown, on(E::start),                runs},
    {unknown, on(E::end),                  idle},
    {unknown, on(E::taint),                unknown},
    {unknown, kEnd,                        over},
};
// clang-format on
}  // namespace finalizers
inline constexpr auto kQueueTracker = make_tracker(finalizers::kRows, QueueState::idle, QueueState::over);

class Finalizers {
  public:
    Finalizers(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id), open_(file.context.budget) {}

    // The queue.
    void start(const Spot& event);
    void end(const Spot& event);
    // An object.
    void start_object(uint64_t object, const Spot& event);
    void end_object(uint64_t object, const Spot& event);
    void taint();
    // The end of the file.
    void finish();

  private:
    struct Open {
        uint64_t object;
        ShortSpot start;
    };
    const Rule* advance(QueueEvent what, const Spot& event);
    void report_open_at_end(const Spot& start);
    void give_up(uint64_t ended);

    FileState& file_;
    const uint64_t thread_id_;
    QueueState queue_ = QueueState::idle;
    bool start_is_reported_ = false;  // the queue's START has a finding
    bool may_lack_start_ = false;     // after a taint: the lost part may have begun objects
    Spot start_;                      // of the queue
    const Record* object_start_ = nullptr;
    BudgetedVector<Open> open_;  // objects, the last one on top
    uint64_t given_up_ = 0;      // objects that were open at a finding and may yet end
};

}  // namespace tracelint::mlpd
