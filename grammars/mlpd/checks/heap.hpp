// mlpd: garbage collections and heapshots.
#pragma once

#include "grammars/mlpd/checks/id_table.hpp"
#include "grammars/mlpd/checks/state.hpp"
#include "grammars/mlpd/checks/values.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.3: the garbage collections that one thread reports.

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

extern const RuleList kHeapRules;

// Whether the collector may be the Boehm collector, which has no generations.
struct GenerationsSeen {
    bool only_zero = true;

    // Call for every GC event, in file order. An invalid generation says nothing about the collector.
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

// mlpd, section 4.3.2: the heapshots of one thread.

inline constexpr Rule kHeapObjectOutsideHeapshot{
    .id = "mlpd/heap-object-outside-heapshot",
    .severity = Severity::error,
    .statement = "HEAP_OBJECT events come between HEAP_START and HEAP_END of the same thread",
    .message = "HEAP_OBJECT outside a heapshot of thread {0x}",
    .why = "mprof-report dereferences a null pointer and crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
};

inline constexpr Rule kHeapshotEndWithoutStart{
    .id = "mlpd/heapshot-end-without-start",
    .severity = Severity::error,
    .statement = "HEAP_END ends a heapshot that HEAP_START began on the same thread",
    .message = "HEAP_END without an open heapshot on thread {0x}",
    .why = "mprof-report --traces crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
};

inline constexpr Rule kHeapshotNested{
    .id = "mlpd/heapshot-nested",
    .severity = Severity::error,
    .statement = "a thread ends its heapshot before it begins another one",
    .message = "HEAP_START while the heapshot that thread {0x} began at {1x} is still open",
    .why = "mprof-report drops the first heapshot and all its objects",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
};

inline constexpr Rule kHeapshotUnterminated{
    .id = "mlpd/heapshot-unterminated",
    .severity = Severity::warning,
    .statement = "every heapshot ends before the file does",
    .message = "the heapshot of thread {0x} has no HEAP_END",
    .why = "readers that wait for HEAP_END never show the heapshot",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{
            Severity::note, "the first thread of the file never ends, as if the process had been killed", {}, {}},
};

enum class HeapshotState : uint8_t { out, in, unknown, over, count_ };
enum class HeapshotEvent : uint8_t { start, object, end, taint, end_of_file, count_ };
inline constexpr std::string_view kHeapshotStateNames[] = {"outside", "inside", "unknown", "over"};
inline constexpr std::string_view kHeapshotEventNames[] = {"HEAP_START", "HEAP_OBJECT", "HEAP_END", "taint",
                                                           "end of file"};

// HEAP_ROOT is no event of this machine: the collector reports roots at every collection.
namespace heapshot {
using enum HeapshotState;
using E = HeapshotEvent;
// clang-format off
inline constexpr Transition<HeapshotState, HeapshotEvent> kRows[] = {
    {out,     on(E::start),       in},
    {out,     on(E::object),      unknown, &kHeapObjectOutsideHeapshot},
    {out,     on(E::end),         out,     &kHeapshotEndWithoutStart},
    {out,     on(E::taint),       unknown},
    {out,     on(E::end_of_file), over},
    {in,      on(E::start),       unknown, &kHeapshotNested},
    {in,      on(E::object),      in},
    {in,      on(E::end),         out},
    {in,      on(E::taint),       unknown},
    {in,      on(E::end_of_file), over,    &kHeapshotUnterminated},
    {unknown, on(E::start),       in},
    {unknown, on(E::object),      unknown},
    {unknown, on(E::end),         out},
    {unknown, on(E::taint),       unknown},
    {unknown, on(E::end_of_file), over},
};
// clang-format on
}  // namespace heapshot
inline constexpr auto kHeapshotTracker = make_tracker(heapshot::kRows, HeapshotState::out, HeapshotState::over);

// What the heapshots of a file share: the last objects that the current buffer lists or refers to. They enter the
// table of objects later, once the prefetched slots have arrived in the cache.
struct HeapNotes {
    struct Note {
        uint64_t object;
        uint64_t size;  // in bytes; kNone: a reference to the object; kRoot: a root
        Place place;
    };
    static constexpr uint64_t kRoot = kNone - 1;
    DelayQueue<Note, 32> last;
    PlaceKinds kinds;  // of references and objects
};

class Heapshot {
  public:
    Heapshot(FileState& file, HeapNotes& notes, uint64_t thread_id)
        : file_(file), notes_(notes), thread_id_(thread_id) {}

    void start(const Spot& event);
    void object(uint64_t object, uint64_t size, const Spot& event);
    // `place`: the field of the reference. A null reference is ignored.
    void reference(uint64_t object, const Place& place);
    // A root that leads to the object, at its field. Null is ignored.
    void root(uint64_t object, const Place& place);
    void end(const Spot& event);
    void taint();
    // After the last event of a buffer: reports everything that its objects give rise to.
    void end_buffer() { take_noted(); }
    // The end of the file. `looks_killed`: the first thread of the file never ended.
    void finish(bool looks_killed);

  private:
    // An object of the heapshot, or one that is referred to.
    struct Object {
        uint64_t key = 0;
        // For an object that is not listed, the first reference; for one that was listed before any reference, the
        // place of the listing, with the length of the event as its element.
        [[no_unique_address]] ShortPlace place{};
        bool is_listed = false;
        bool is_led_to = false;  // by a reference or a root
    };
    static_assert(sizeof(Object) == 32);
    using Objects = IdTable<Object>;
    static constexpr uint64_t kObjectsCost = allocation_cost(sizeof(Objects));  // of an empty table

    // True: the heapshot is open afterwards.
    bool advance(HeapshotEvent what, const Spot& event);
    void note(uint64_t object, uint64_t size, const Place& place);
    void take_noted();
    void take(const HeapNotes::Note& note);
    void lead_to(Object& object, const HeapNotes::Note& note);
    void list(Object& object, const HeapNotes::Note& note);
    void report_without_referrer();
    void forget();

    FileState& file_;
    HeapNotes& notes_;
    const uint64_t thread_id_;
    HeapshotState state_ = HeapshotState::out;
    Spot start_;
    bool has_roots_ = false;
    std::unique_ptr<Objects> objects_;  // while inside
};

}  // namespace tracelint::mlpd
