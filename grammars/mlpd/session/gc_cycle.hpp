// mlpd, section 4.3.3: the garbage collections that one thread reports.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/values.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kGcEventOrder{
    .id = "mlpd/gc-event-order",
    .severity = Severity::warning,
    .statement =
        "the GC events of a collection come in this order: PRE_STOP_WORLD, PRE_STOP_WORLD_LOCKED (since version 13), "
        "POST_STOP_WORLD, pairs of START and END (around MARK_* and RECLAIM_* up to version 13), PRE_START_WORLD, "
        "POST_START_WORLD, POST_START_WORLD_UNLOCKED (since version 13); while every generation is 0, as with the "
        "Boehm collector, START and END may also come before or after all of these",
    .message = "GC event {0} of generation {1} is out of order in the collection of thread {2x}",
    .why = "mprof-report takes wrong start and stop times, so pauses and collection times are wrong",
    .spec = "4.3.3 Collections",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "the file ends within a collection",
                         "the collection that begins here on thread {2x} is not over at the end of the file",
                         "usual where the process was killed"},
};

enum class GcState : uint8_t {
    idle,
    stopping,  // after PRE_STOP_WORLD
    locked,    // after PRE_STOP_WORLD_LOCKED
    stopped,   // after POST_STOP_WORLD; collections nest here
    starting,  // after PRE_START_WORLD
    started,   // after POST_START_WORLD
    waiting,   // out of step, until the next PRE_STOP_WORLD
    over,
    count_,
};
inline constexpr std::string_view kGcStateNames[] = {"idle",     "stopping", "locked",  "stopped",
                                                     "starting", "started",  "waiting", "over"};

// The code of a GC event, and what else decides about it.
enum class GcStep : uint8_t {
    start,                // 0
    start_outside,        // 0 while every generation of the file is 0 (Boehm collector)
    end,                  // 5 that ends a START
    end_alone,            // 5 without a START
    end_outside,          // 5 without a START while every generation of the file is 0
    mark,                 // 1..4 inside a START
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
    end_of_file_reported,  // the open collection's PRE_STOP_WORLD has a finding already
    count_,
};
inline constexpr std::string_view kGcStepNames[] = {"START",
                                                    "START, all generations 0",
                                                    "END",
                                                    "END without START",
                                                    "END without START, all generations 0",
                                                    "MARK_*, RECLAIM_*",
                                                    "MARK_*, RECLAIM_* outside START",
                                                    "PRE_STOP_WORLD",
                                                    "PRE_STOP_WORLD_LOCKED",
                                                    "POST_STOP_WORLD",
                                                    "PRE_START_WORLD",
                                                    "PRE_START_WORLD before END",
                                                    "POST_START_WORLD",
                                                    "POST_START_WORLD_UNLOCKED",
                                                    "taint",
                                                    "end of file",
                                                    "end of file, PRE_STOP_WORLD has a finding"};

namespace gc_cycle {

using State = GcState;
using Step = GcStep;
using Row = Transition<GcState, GcStep>;
inline constexpr size_t kPairs = static_cast<size_t>(State::over) * static_cast<size_t>(Step::count_);
struct Rows {
    Row list[kPairs];
};

// The row of one pair. `locks`: data version 13 and later, whose collections have the codes 10 and 11. Pairs that are
// not in order violate the rule; a START is open only while the world is stopped.
consteval Row row_of(State from, Step step, bool locks) {
    const uint32_t symbol = uint32_t{1} << static_cast<unsigned>(step);
    const auto leads = [&](State to, const Rule* rule = nullptr) { return Row{from, symbol, to, rule}; };
    struct InOrder {
        State from;
        uint32_t on;
        State to;
        bool with_locks, without_locks;
    };
    // clang-format off
    constexpr InOrder kInOrder[] = {
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
    if (!locks && (from == State::locked || from == State::started)) return never<GcState, GcStep>(from, symbol);
    const bool is_in_start = step == Step::end || step == Step::mark || step == Step::pre_start_early;
    const bool is_of_lock = step == Step::pre_stop_locked || step == Step::post_start_unlocked;
    if ((is_in_start && from != State::stopped) || (is_of_lock && !locks)) return never<GcState, GcStep>(from, symbol);
    for (const InOrder& row : kInOrder)
        if (row.from == from && (row.on & symbol) != 0 && (locks ? row.with_locks : row.without_locks))
            return leads(row.to);
    const bool is_open = from != State::idle && from != State::waiting;
    if (step == Step::taint) return leads(State::waiting);
    if (step == Step::end_of_file) return leads(State::over, is_open ? &kGcEventOrder : nullptr);
    if (step == Step::end_of_file_reported) return leads(State::over);
    if (from == State::waiting) return leads(step == Step::pre_stop ? State::stopping : from);
    return leads(step == Step::pre_stop ? State::stopping : State::waiting, &kGcEventOrder);
}

consteval Rows rows(bool locks) {
    Rows rows{};
    size_t at = 0;
    for (uint8_t state = 0; state < static_cast<uint8_t>(State::over); ++state)
        for (uint8_t step = 0; step < static_cast<uint8_t>(Step::count_); ++step)
            rows.list[at++] = row_of(State{state}, Step{step}, locks);
    return rows;
}

}  // namespace gc_cycle

// Data versions 1 to 12, and 13 to 17.
inline constexpr auto kGcTracker12 = make_tracker(gc_cycle::rows(false).list, GcState::idle, GcState::over);
inline constexpr auto kGcTracker13 = make_tracker(gc_cycle::rows(true).list, GcState::idle, GcState::over);

extern const RuleList kGcCycleRules;

// Whether the collector may be the Boehm collector, which has no generations.
struct GenerationsSeen {
    bool only_zero = true;

    // Of every GC event, in file order. An invalid generation tells nothing about the collector.
    void note(uint64_t generation) { only_zero = only_zero && (generation == 0 || !gc::is_generation(generation)); }
};

class GcCycle {
  public:
    GcCycle(FileState& file, uint64_t thread_id) : file_(file), thread_id_(thread_id) {}

    // A GC_EVENT, whose generation `seen` includes. `generation_place`: the field generation.
    void take(uint64_t code, uint64_t generation, const GenerationsSeen& seen, const Place& generation_place,
              const Spot& event);
    void taint();
    // The end of the file.
    void finish();

  private:
    const Rule* advance(GcStep what);
    bool is_open() const { return state_ != GcState::idle && state_ != GcState::waiting; }

    FileState& file_;
    const uint64_t thread_id_;
    GcState state_ = GcState::idle;
    bool begin_is_reported_ = false;  // the collection's PRE_STOP_WORLD has a finding
    uint64_t open_starts_ = 0;
    uint64_t generation_ = 0;  // of the collection
    Spot begin_;               // its PRE_STOP_WORLD
};

}  // namespace tracelint::mlpd
