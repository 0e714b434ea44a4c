// mlpd, sections 4.3 and 5, rule 92: the finalizing of objects, and the finalizer's queue.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kFinalizerOrder{
    .id = "mlpd/finalizer-order",
    .severity = Severity::warning,
    .statement = "a thread ends what it finalizes in turn: the object begun last, and the queue once it is begun",
    .message = "thread {1x} ends the finalizing of object {0x}, which is not the one begun last",
    .why = "readers cannot tell how long the finalizers ran",
    .spec = "4.3.5 Finalizers",
    .since = "0.1.0",
    .severity_override = SeverityOverride{
        Severity::note, "the queue is begun twice, or ended without a begin; or the file ends in between",
        "the begin or end has no counterpart on thread {1x}",
        "usual where a thread was logged from the middle on, or the process was killed"}};

inline constexpr const Rule* kFinalizerRules[] = {&kFinalizerOrder};

enum class QueueState : uint8_t { idle, runs, unknown, over, count_ };
enum class QueueEvent : uint8_t { start, end, taint, end_of_file, count_ };
inline constexpr std::string_view kQueueStateNames[] = {"idle", "runs", "unknown", "over"};
inline constexpr std::string_view kQueueEventNames[] = {"GC_FINALIZE_START", "GC_FINALIZE_END", "taint", "end of file"};

namespace finalizers {
using enum QueueState;
using E = QueueEvent;
using QueueEdge = Edge<QueueState, QueueEvent>;
// clang-format off
inline constexpr QueueEdge kEdges[] = {
    {idle,    on(E::start),       runs},
    {idle,    on(E::end),         idle, Recovery::skip,   &kFinalizerOrder},
    {idle,    on(E::taint),       unknown},
    {idle,    on(E::end_of_file), over},
    {runs,    on(E::start),       runs, Recovery::accept, &kFinalizerOrder},
    {runs,    on(E::end),         idle},
    {runs,    on(E::taint),       unknown},
    {runs,    on(E::end_of_file), over, Recovery::stop,   &kFinalizerOrder},
    {unknown, on(E::start),       runs},
    {unknown, on(E::end),         idle},
    {unknown, on(E::taint),       unknown},
    {unknown, on(E::end_of_file), over},
};
// clang-format on
}  // namespace finalizers
inline constexpr auto kQueueMachine = make_machine(finalizers::kEdges, QueueState::idle, QueueState::over);

class Finalizers {
  public:
    Finalizers(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}
    Finalizers(const Finalizers&) = delete;
    Finalizers& operator=(const Finalizers&) = delete;
    ~Finalizers() { clear(); }

    // The queue.
    void start(const Spot& event);
    void end(const Spot& event);
    // An object.
    void start_object(uint64_t object, const Spot& event);
    void end_object(uint64_t object, const Spot& event);
    void taint();
    // The notes at the end of the file.
    void finish();

  private:
    struct Open {
        uint64_t object;
        ShortSpot start;
    };
    void step(QueueEvent what, const Spot& event);
    void note_end(const Spot& start);
    void give_up(uint64_t ended);
    void clear();

    FileState& file_;
    const uint64_t thread_id_;
    QueueState queue_ = QueueState::idle;
    bool start_is_said_ = false;   // the queue's START has a finding
    bool may_lack_start_ = false;  // after a taint: objects may have been begun in what was lost
    Spot start_;                   // of the queue
    const Record* object_start_ = nullptr;
    uint64_t allowed_ = 0;    // what the budget has given for open_
    std::vector<Open> open_;  // objects, the last one on top
    uint64_t given_up_ = 0;   // objects that were open at a finding, and whose ends may yet come
};

}  // namespace tracelint::mlpd
