// mlpd, sections 4.3 and 5, rules 87 and 88: the garbage collections that one thread reports.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/values.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kGcEventOrder{
    .id = "mlpd/gc-event-order",
    .severity = Severity::warning,
    .statement =
        "the GC events of a collection come in the order PRE_STOP_WORLD, PRE_STOP_WORLD_LOCKED (since version 13), "
        "POST_STOP_WORLD, pairs of START and END (around MARK_* and RECLAIM_* up to version 13), PRE_START_WORLD, "
        "POST_START_WORLD, POST_START_WORLD_UNLOCKED (since version 13); while every generation is 0, as with Boehm's "
        "collector, START and END may also come before and behind all of these",
    .message = "GC event {0} of generation {1} does not come next in the collection of thread {2x}",
    .why = "mprof-report takes wrong start and stop times: pauses and collection times are wrong",
    .spec = "4.3.3 Collections",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "the file ends within a collection",
                         "the collection that begins here on thread {2x} is not over at the end of the file",
                         "usual where the process was killed"}};

inline constexpr Rule kGcGenerationMismatch{
    .id = "mlpd/gc-generation-mismatch",
    .severity = Severity::note,
    .statement = "the events of a collection carry the generation with which it began",
    .message = "the event is of generation {0}, and the collection of thread {2x} began with {1}",
    .why = "readers charge parts of the pause to another generation",
    .spec = "4.3.3 Collections",
    .since = "0.1.0"};

inline constexpr const Rule* kGcCycleRules[] = {&kGcEventOrder, &kGcGenerationMismatch};

enum class GcState : uint8_t {
    idle,
    stopping,  // behind PRE_STOP_WORLD
    locked,    // behind PRE_STOP_WORLD_LOCKED
    stopped,   // behind POST_STOP_WORLD: collections nest here
    starting,  // behind PRE_START_WORLD
    started,   // behind POST_START_WORLD
    waiting,   // out of step: the next PRE_STOP_WORLD counts
    over,
    count_,
};
inline constexpr std::string_view kGcStateNames[] = {"idle",     "stopping", "locked",  "stopped",
                                                     "starting", "started",  "waiting", "over"};

// A GC event's code, and what else decides about it.
enum class GcStep : uint8_t {
    start,                // 0
    start_outside,        // 0 while the file knows no generation but 0 (Boehm's collector)
    end,                  // 5 that ends a START
    end_alone,            // 5 that ends none
    end_outside,          // the same while the file knows no generation but 0
    mark,                 // 1..4 inside of a START
    mark_alone,           // 1..4 elsewhere
    pre_stop,             // 6
    pre_stop_locked,      // 10
    post_stop,            // 7
    pre_start,            // 8 when every START has ended
    pre_start_early,      // 8 before
    post_start,           // 9
    post_start_unlocked,  // 11
    taint,
    end_of_file,
    count_,
};
inline constexpr std::string_view kGcStepNames[] = {"START",
                                                    "START, all generations 0",
                                                    "END",
                                                    "END without START",
                                                    "END without START, all generations 0",
                                                    "MARK_*, RECLAIM_*",
                                                    "MARK_*, RECLAIM_* outside of START",
                                                    "PRE_STOP_WORLD",
                                                    "PRE_STOP_WORLD_LOCKED",
                                                    "POST_STOP_WORLD",
                                                    "PRE_START_WORLD",
                                                    "PRE_START_WORLD before END",
                                                    "POST_START_WORLD",
                                                    "POST_START_WORLD_UNLOCKED",
                                                    "taint",
                                                    "end of file"};

namespace gc_cycle {

using State = GcState;
using Step = GcStep;
using GcEdge = Edge<GcState, GcStep>;
inline constexpr size_t kPairs = static_cast<size_t>(State::over) * static_cast<size_t>(Step::count_);
struct Edges {
    GcEdge list[kPairs];
};

// What is in order. `locks`: data versions 13 and later, whose cycles have the codes 10 and 11.
// Any other pair of an open cycle, or of none, is out of order. A START is open only while the world is stopped.
consteval GcEdge edge_of(State from, Step step, bool locks) {
    const uint32_t symbol = uint32_t{1} << static_cast<unsigned>(step);
    const auto leads = [&](State to, Recovery recovery = Recovery::accept, const Rule* rule = nullptr) {
        return GcEdge{from, symbol, to, recovery, rule};
    };
    struct Row {
        State from;
        uint32_t on;
        State to;
        bool with_locks, without_locks;
    };
    // clang-format off
    constexpr Row kInOrder[] = {
        {State::idle,     on(Step::pre_stop),            State::stopping, true,  true},
        {State::idle,     on(Step::start_outside),       State::idle,     true,  true},
        {State::idle,     on(Step::end_outside),         State::idle,     true,  true},
        {State::stopping, on(Step::pre_stop_locked),     State::locked,   true,  false},
        {State::stopping, on(Step::post_stop),           State::stopped,  false, true},
        {State::locked,   on(Step::post_stop),           State::stopped,  true,  false},
        {State::stopped,  on(Step::start, Step::start_outside, Step::end, Step::mark), State::stopped, true, true},
        {State::stopped,  on(Step::pre_start),           State::starting, true,  true},
        {State::starting, on(Step::post_start),          State::started,  true,  false},
        {State::starting, on(Step::post_start),          State::idle,     false, true},
        {State::started,  on(Step::post_start_unlocked), State::idle,     true,  false},
    };
    // clang-format on
    if (!locks && (from == State::locked || from == State::started)) return leads(from, Recovery::impossible);
    const bool is_in_start = step == Step::end || step == Step::mark || step == Step::pre_start_early;
    const bool is_of_lock = step == Step::pre_stop_locked || step == Step::post_start_unlocked;
    if ((is_in_start && from != State::stopped) || (is_of_lock && !locks)) return leads(from, Recovery::impossible);
    for (const Row& row : kInOrder)
        if (row.from == from && (row.on & symbol) != 0 && (locks ? row.with_locks : row.without_locks))
            return leads(row.to);
    const bool is_open = from != State::idle && from != State::waiting;
    if (step == Step::taint) return leads(State::waiting);
    if (step == Step::end_of_file) return leads(State::over, Recovery::stop, is_open ? &kGcEventOrder : nullptr);
    if (from == State::waiting) return step == Step::pre_stop ? leads(State::stopping) : leads(from, Recovery::skip);
    return leads(step == Step::pre_stop ? State::stopping : State::waiting, Recovery::accept, &kGcEventOrder);
}

consteval Edges edges_of(bool locks) {
    Edges edges{};
    size_t at = 0;
    for (uint8_t state = 0; state < static_cast<uint8_t>(State::over); ++state)
        for (uint8_t step = 0; step < static_cast<uint8_t>(Step::count_); ++step)
            edges.list[at++] = edge_of(State{state}, Step{step}, locks);
    return edges;
}

}  // namespace gc_cycle

// Data versions 1 to 12, and 13 to 17.
inline constexpr auto kGcMachine12 = make_machine(gc_cycle::edges_of(false).list, GcState::idle, GcState::over);
inline constexpr auto kGcMachine13 = make_machine(gc_cycle::edges_of(true).list, GcState::idle, GcState::over);

// Whether the collector may be Boehm's, which knows no generations.
struct GenerationsSeen {
    bool only_zero = true;

    // Of any GC event, in the order of the file. What is no generation (rule 45) tells nothing of the collector.
    void note(uint64_t generation) { only_zero = only_zero && (generation == 0 || !gc::is_generation(generation)); }
};

class GcCycle {
  public:
    GcCycle(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A GC_EVENT, whose generation is among those seen. `generation_place`: F of its generation.
    void take(uint64_t code, uint64_t generation, const GenerationsSeen& seen, const Place& generation_place,
              const Spot& event);
    void taint();
    // The note of rule 87.
    void finish();

  private:
    const Machine<GcState, GcStep>& machine() const;
    void enter(GcState state);
    bool is_open() const { return state_ != GcState::idle && state_ != GcState::waiting; }

    FileState& file_;
    const uint64_t thread_id_;
    GcState state_ = GcState::idle;
    bool begin_is_said_ = false;  // the cycle's PRE_STOP_WORLD has a finding of rule 87
    uint64_t open_starts_ = 0;
    uint64_t generation_ = 0;  // of the cycle
    Spot begin_;               // its PRE_STOP_WORLD
};

}  // namespace tracelint::mlpd
