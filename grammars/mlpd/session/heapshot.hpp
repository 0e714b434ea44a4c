// mlpd, section 4.3.2: the heapshots of one thread.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kHeapObjectOutsideHeapshot{
    .id = "mlpd/heap-object-outside-heapshot",
    .severity = Severity::error,
    .statement = "HEAP_OBJECT events lie between HEAP_START and HEAP_END of the same thread",
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

extern const RuleList kHeapshotRules;

// What the heapshots of a file share: the last objects that the current buffer lists or refers to. They enter the
// table of objects later, once the prefetched slots have arrived in the cache.
struct HeapNotes {
    struct Note {
        uint64_t object;
        uint64_t size;  // in bytes; kNone: a reference to the object
        Place place;
    };
    Waiting<Note, 32> last;
    PlaceKinds kinds;  // of references
};

class Heapshot {
  public:
    Heapshot(FileState& file, HeapNotes& notes, uint64_t thread_id)
        : file_(file), notes_(notes), thread_id_(thread_id) {}

    void start(const Spot& event);
    void object(uint64_t object, uint64_t size, const Spot& event);
    // `place`: the field of the reference. A null reference is ignored.
    void reference(uint64_t object, const Place& place);
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
        [[no_unique_address]] ShortPlace reference{};  // the first one before the object was listed
        bool is_listed = false;
    };
    static_assert(sizeof(Object) == 32);
    using Objects = IdTable<Object>;
    static constexpr uint64_t kObjectsCost = allocation_cost(sizeof(Objects));  // of an empty table

    // True: the heapshot is open afterwards.
    bool advance(HeapshotEvent what, const Spot& event);
    void note(uint64_t object, uint64_t size, const Place& place);
    void take_noted();
    void take(const HeapNotes::Note& note);
    void forget();

    FileState& file_;
    HeapNotes& notes_;
    const uint64_t thread_id_;
    HeapshotState state_ = HeapshotState::out;
    Spot start_;
    std::unique_ptr<Objects> objects_;  // while inside
};

}  // namespace tracelint::mlpd
