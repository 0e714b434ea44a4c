// mlpd, section 4.3.10: synchronisation points, which close the windows of the file.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kSyncPointOrder{
    .id = "mlpd/sync-point-order",
    .severity = Severity::warning,
    .statement = "a thread stops the world and starts it again in turn",
    .message = "synchronisation point of type {0}, but thread {1x} has put the world into that state already",
    .why = "readers that pair the two take pauses for running time, or running time for pauses",
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

extern const RuleList kSyncPointRules;

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

}  // namespace tracelint::mlpd
