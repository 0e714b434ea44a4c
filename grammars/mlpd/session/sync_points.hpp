// mlpd, sections 4.3 and 5, rules 89 and 90: synchronisation points, which close the windows of the file.
#pragma once

#include <algorithm>

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kSyncPointOrder{
    .id = "mlpd/sync-point-order",
    .severity = Severity::warning,
    .statement = "a thread stops the world and starts it again in turn",
    .message = "synchronisation point of type {0}: the world is in that state already, as far as thread {1x} tells",
    .why = "readers that pair the two take pauses for running time, or the other way round",
    .spec = "4.3.10 Synchronisation points",
    .since = "0.1.0"};

inline constexpr Rule kEventBeforeSyncPoint{
    .id = "mlpd/event-before-sync-point",
    .severity = Severity::note,
    .statement = "what happened before a synchronisation point lies before it in the file",
    .message = "the event's time is {0}, before {1} of a synchronisation point that lies before it in the file",
    .why = "readers sort the events between two synchronisation points; this one comes out of order for them",
    .spec = "4.3.10 Synchronisation points",
    .since = "0.1.0"};

inline constexpr const Rule* kSyncPointRules[] = {&kSyncPointOrder, &kEventBeforeSyncPoint};

enum class WorldState : uint8_t { runs, stopped, unknown, over, count_ };
enum class WorldEvent : uint8_t { periodic, stop, start, taint, end_of_file, count_ };
inline constexpr std::string_view kWorldStateNames[] = {"runs", "stopped", "unknown", "over"};
inline constexpr std::string_view kWorldEventNames[] = {"periodic", "world stop", "world start", "taint",
                                                        "end of file"};

namespace sync_points {
using enum WorldState;
using E = WorldEvent;
using WorldEdge = Edge<WorldState, WorldEvent>;
// clang-format off
inline constexpr WorldEdge kEdges[] = {
    {runs,    on(E::periodic),    runs},
    {runs,    on(E::stop),        stopped},
    {runs,    on(E::start),       runs,    Recovery::skip, &kSyncPointOrder},
    {runs,    on(E::taint),       unknown},
    {runs,    on(E::end_of_file), over},
    {stopped, on(E::periodic),    stopped},
    {stopped, on(E::stop),        stopped, Recovery::skip, &kSyncPointOrder},
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
inline constexpr auto kWorldMachine = make_machine(sync_points::kEdges, WorldState::runs, WorldState::over);

// The world as one thread tells.
class World {
  public:
    World(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A SYNC_POINT event of this type; unknown ones are ignored.
    void take(uint64_t type, const Spot& event) {
        if (type > 2) return;
        const auto& edge = kWorldMachine.at(state_, WorldEvent{static_cast<uint8_t>(type)});
        if (edge.rule != nullptr) file_.findings.add(*edge.rule, event.place(), {type, thread_id_});
        state_ = edge.to;
    }
    void taint() { state_ = kWorldMachine.at(state_, WorldEvent::taint).to; }

  private:
    FileState& file_;
    const uint64_t thread_id_;
    WorldState state_ = WorldState::runs;
};

// The times of the file's synchronisation points.
class SyncPoints {
  public:
    explicit SyncPoints(FileState& file) : file_(file) {}

    void begin_buffer() {
        is_said_ = false;
        floor_ = highest_;
    }
    // No event but the exempt ones has a time below; 0 once the buffer has a finding.
    uint64_t floor() const { return floor_; }
    // A SYNC_POINT event.
    void take(uint64_t time) {
        ++file_.window;
        if (time <= highest_) return;
        highest_ = time;
        if (!is_said_) floor_ = highest_;
    }
    // An event is below the floor (rule 90).
    void early(uint8_t op, bool unloads_thread, uint64_t time, const Spot& event);

  private:
    FileState& file_;
    uint64_t highest_ = 0;
    uint64_t floor_ = 0;
    bool is_said_ = false;  // in this buffer
};

}  // namespace tracelint::mlpd
