// mlpd, section 4.3.4: the monitors that one thread waits for.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

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

extern const RuleList kMonitorRules;

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

}  // namespace tracelint::mlpd
