// mlpd, section 4.3.5: the finalizations of objects on one thread, and its finalizer queue.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/memory/budgeted_vector.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

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

extern const RuleList kFinalizerRules;

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
