// mlpd, sections 4.3 and 5, rules 63 to 69: the heapshots of one thread.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"
#include "validator/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kHeapObjectOutsideHeapshot{
    .id = "mlpd/heap-object-outside-heapshot",
    .severity = Severity::error,
    .statement = "objects of the heap are listed between HEAP_START and HEAP_END",
    .message = "the object is listed outside of a heapshot of thread {0x}",
    .why = "mprof-report follows a null pointer and crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0"};

inline constexpr Rule kHeapshotEndWithoutStart{
    .id = "mlpd/heapshot-end-without-start",
    .severity = Severity::error,
    .statement = "HEAP_END ends a heapshot that HEAP_START began on the same thread",
    .message = "no heapshot of thread {0x} is open",
    .why = "mprof-report --traces crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0"};

inline constexpr Rule kHeapshotNested{.id = "mlpd/heapshot-nested",
                                      .severity = Severity::error,
                                      .statement = "a heapshot ends before the thread begins another one",
                                      .message = "thread {0x} began a heapshot at {1x} already and has not ended it",
                                      .why = "mprof-report forgets the first one and all its objects",
                                      .spec = "4.3.2 Heapshots",
                                      .since = "0.1.0"};

inline constexpr Rule kHeapshotUnterminated{
    .id = "mlpd/heapshot-unterminated",
    .severity = Severity::warning,
    .statement = "a heapshot ends before the file does",
    .message = "the heapshot of thread {0x} has no HEAP_END",
    .why = "readers that wait for its end never show it",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true,
    .severity_override = SeverityOverride{
        Severity::note, "the file looks as if the process was killed: its first thread never ends", {}, {}}};

inline constexpr Rule kHeapObjectDuplicate{
    .id = "mlpd/heap-object-duplicate",
    .severity = Severity::warning,
    .statement = "an object is listed once in a heapshot; what continues its references has the size 0",
    .message = "object {0x} is listed again in the same heapshot, with the size {1}",
    .why = "readers count its bytes twice",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0"};

inline constexpr Rule kHeapObjectContinuationUnknown{
    .id = "mlpd/heap-object-continuation-unknown",
    .severity = Severity::error,
    .statement = "the size 0 continues the references of an object that the heapshot has listed",
    .message = "object {0x} has the size 0, and the heapshot has not listed it yet",
    .why = "mprof-report --traces crashes",
    .spec = "4.3.2 Heapshots",
    .since = "0.1.0"};

inline constexpr Rule kHeapRefDangling{.id = "mlpd/heap-ref-dangling",
                                       .severity = Severity::warning,
                                       .statement = "objects refer to objects of the same heapshot",
                                       .message = "the heapshot does not list object {0x}",
                                       .why = "mprof-report --traces crashes; nobody knows what keeps the object alive",
                                       .spec = "4.3.2 Heapshots",
                                       .since = "0.1.0",
                                       .decided_later = true};

inline constexpr const Rule* kHeapshotRules[] = {
    &kHeapObjectOutsideHeapshot, &kHeapshotEndWithoutStart,       &kHeapshotNested, &kHeapshotUnterminated,
    &kHeapObjectDuplicate,       &kHeapObjectContinuationUnknown, &kHeapRefDangling};

enum class HeapshotState : uint8_t { out, in, unknown, over, count_ };
enum class HeapshotEvent : uint8_t { start, object, root, end, taint, end_of_file, count_ };
inline constexpr std::string_view kHeapshotStateNames[] = {"out", "in", "unknown", "over"};
inline constexpr std::string_view kHeapshotEventNames[] = {"HEAP_START", "HEAP_OBJECT", "HEAP_ROOT",
                                                           "HEAP_END",   "taint",       "end of file"};
namespace heapshot {
using enum HeapshotState;
using Edges = Edge<HeapshotState, HeapshotEvent>;
using E = HeapshotEvent;
// Roots are reported at every collection, heapshot or not.
// clang-format off
inline constexpr Edges kEdges[] = {
    {out,     on(E::start),              in},
    {out,     on(E::object),             unknown, Recovery::skip, &kHeapObjectOutsideHeapshot},
    {out,     on(E::root),               out},
    {out,     on(E::end),                out,     Recovery::skip, &kHeapshotEndWithoutStart},
    {out,     on(E::taint),              unknown},
    {out,     on(E::end_of_file),        over},
    {in,      on(E::start),              unknown, Recovery::skip, &kHeapshotNested},
    {in,      on(E::object, E::root),    in},
    {in,      on(E::end),                out},
    {in,      on(E::taint),              unknown},
    {in,      on(E::end_of_file),        over,    Recovery::stop, &kHeapshotUnterminated},
    {unknown, on(E::start),              in},
    {unknown, on(E::object),             unknown, Recovery::skip},
    {unknown, on(E::root),               unknown},
    {unknown, on(E::end),                out},
    {unknown, on(E::taint),              unknown},
    {unknown, on(E::end_of_file),        over},
};
// clang-format on
}  // namespace heapshot
inline constexpr auto kHeapshotMachine = make_machine(heapshot::kEdges, HeapshotState::out, HeapshotState::over);

// What the heapshots of a file share: the last objects that the current buffer lists and refers to. A table of objects
// has them once its memory, which is on the way meanwhile, has come.
struct HeapNotes {
    struct Note {
        uint64_t object;
        uint64_t size;  // kNone: a reference to it
        Place place;
    };
    Waiting<Note, 16> last;
    PlaceKinds kinds;  // of references
};

class Heapshot {
  public:
    Heapshot(FileState& file, HeapNotes& notes, uint64_t thread_id)
        : file_(file), notes_(notes), thread_id_(thread_id) {}

    void start(const Spot& event);
    void object(uint64_t object, uint64_t size, const Spot& event);
    // `place`: F of the reference; null is none.
    void reference(uint64_t object, const Place& place);
    void end(const Spot& event);
    void taint();
    // Behind the last event of a buffer: all is said that the objects in it give rise to.
    void end_buffer() { take_noted(); }
    // Rule 66. `looks_killed`: nothing in the file ended as it should.
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

    // Takes the machine along; true: the event's insides count.
    bool step(HeapshotEvent what, const Spot& event);
    void note(uint64_t object, uint64_t size, const Place& place);
    void take_noted();
    void take(const HeapNotes::Note& note);
    void forget() { objects_ = nullptr; }

    FileState& file_;
    HeapNotes& notes_;
    const uint64_t thread_id_;
    HeapshotState state_ = HeapshotState::out;
    Spot start_;
    std::unique_ptr<Objects> objects_;  // while in
};

}  // namespace tracelint::mlpd
