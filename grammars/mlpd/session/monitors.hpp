// mlpd, sections 4.3 and 5, rule 91: the monitors that one thread waits for.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kMonitorOrder{
    .id = "mlpd/monitor-order",
    .severity = Severity::note,
    .statement = "a thread that contends for a monitor gets it or fails, before it contends for another one",
    .message = "monitor event {0} of object {1x} does not follow from what thread {2x} waited for",
    .why = "readers find no end, or no begin, of the wait; usual where a thread was logged from the middle on",
    .spec = "4.3.4 Monitors",
    .since = "0.1.0",
    .severity_override = SeverityOverride{Severity::note,
                                          "the file ends while the thread waits",
                                          "thread {2x} still waits for object {1x} at the end of the file",
                                          {}}};

inline constexpr const Rule* kMonitorRules[] = {&kMonitorOrder};

enum class MonitorState : uint8_t { idle, waits, unknown, over, count_ };
enum class MonitorEvent : uint8_t { contention, release_of_same, release_of_other, taint, end_of_file, count_ };
inline constexpr std::string_view kMonitorStateNames[] = {"idle", "waits", "unknown", "over"};
inline constexpr std::string_view kMonitorEventNames[] = {"contention", "done or fail of the object waited for",
                                                          "done or fail of another object", "taint", "end of file"};

namespace monitors {
using enum MonitorState;
using E = MonitorEvent;
using MonitorEdge = Edge<MonitorState, MonitorEvent>;
inline constexpr uint32_t kRelease = on(E::release_of_same, E::release_of_other);
// clang-format off
inline constexpr MonitorEdge kEdges[] = {
    {idle,    on(E::contention),       waits},
    {idle,    kRelease,                idle,  Recovery::skip,   &kMonitorOrder},
    {idle,    on(E::end_of_file),      over},
    {waits,   on(E::contention),       waits, Recovery::accept, &kMonitorOrder},
    {waits,   on(E::release_of_same),  idle},
    {waits,   on(E::release_of_other), idle,  Recovery::skip,   &kMonitorOrder},
    {waits,   on(E::end_of_file),      over,  Recovery::stop,   &kMonitorOrder},
    {unknown, on(E::contention),       waits},
    {unknown, kRelease,                unknown},
    {unknown, on(E::end_of_file),      over},
    {idle,    on(E::taint),            unknown},
    {waits,   on(E::taint),            unknown},
    {unknown, on(E::taint),            unknown},
};
// clang-format on
}  // namespace monitors
inline constexpr auto kMonitorMachine = make_machine(monitors::kEdges, MonitorState::idle, MonitorState::over);

class Monitors {
  public:
    Monitors(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A MONITOR event; `kind` is 1 (contention), 2 (done), 3 (fail), or out of range and ignored.
    void take(uint64_t kind, uint64_t object, const Spot& event);
    void taint() { state_ = kMonitorMachine.at(state_, MonitorEvent::taint).to; }
    // The note at the end of the file.
    void finish();

  private:
    FileState& file_;
    const uint64_t thread_id_;
    MonitorState state_ = MonitorState::idle;
    bool wait_is_said_ = false;  // the contention has a finding
    uint64_t object_ = 0;        // that it waits for
    Spot wait_;                  // the contention
};

}  // namespace tracelint::mlpd
