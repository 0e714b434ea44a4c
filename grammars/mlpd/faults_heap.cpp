// Planted faults of heapshots: rules 63 to 69.
#include "grammars/mlpd/faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint16_t kThreadsEndSince = 11;

bool is_in_heapshot(const Situation& now) { return now.in_heapshot; }
bool is_outside(const Situation& now) { return !now.in_heapshot; }

// A heapshot by the numbers of its first and last events, and the first object; it lies in one buffer.
struct Heapshot {
    size_t start, end;
    std::optional<size_t> object;
};

Heapshot heapshot_at(const File& file, size_t start) {
    Heapshot shot{start, start + 1, {}};
    for (; file[shot.end].record != &kHeapEnd; ++shot.end)
        if (!shot.object && file[shot.end].record == &kHeapObject) shot.object = shot.end;
    return shot;
}

uint64_t thread_of(const File& file, size_t record) { return file[buffer_of(file, record).header].number("thread_id"); }

// The next one of the same thread.
std::optional<size_t> next_start(const File& file, size_t behind) {
    for (size_t i = behind; i < file.size(); ++i)
        if (file[i].record == &kHeapStart && thread_of(file, i) == thread_of(file, behind)) return i;
    return std::nullopt;
}

// Whether the program came to its end, as far as the file tells.
bool first_thread_ends(const File& file) {
    const uint64_t thread = file.at(1).number("thread_id");
    return version_of(file) >= kThreadsEndSince && std::any_of(file.begin(), file.end(), [&](const Draft& draft) {
               return is_op(draft, kThread, kUnload) && draft.number("pointer") == thread;
           });
}

Planned object_event(const File& file, Random& random, uint64_t size) {
    Planned event = with_known_class(file, kHeapObject);
    return event.with("object", fresh_object(file, random)).with("size", size);
}

}  // namespace

// One or several.
std::optional<Planted> heap_object_outside(File& file, Random& random) {
    const auto at = choose_situation(file, random, is_outside);
    if (!at) return std::nullopt;
    for (uint64_t left = between(random, 1, 3); left > 0; --left)
        insert_event(file, random, *at, object_event(file, random, 8 * below(random, 3)));
    return at_event(file, *at);
}

std::optional<Planted> heap_start_missing(File& file, Random& random) {
    const auto at = choose(file, random, kHeapStart, [&](size_t i) { return heapshot_at(file, i).object.has_value(); });
    if (!at) return std::nullopt;
    const size_t object = *heapshot_at(file, *at).object - 1;
    erase_event(file, *at);
    return at_event(file, object);
}

std::optional<Planted> heapshot_end_alone(File& file, Random& random) {
    const auto at = choose_situation(file, random, is_outside);
    if (!at) return std::nullopt;
    insert_event(file, random, *at, Planned(kHeapEnd));
    return at_event(file, *at);
}

std::optional<Planted> heapshot_start_missing(File& file, Random& random) {
    const auto at = choose(file, random, kHeapStart, [&](size_t i) { return !heapshot_at(file, i).object; });
    if (!at) return std::nullopt;
    const size_t end = heapshot_at(file, *at).end - 1;
    erase_event(file, *at);
    return at_event(file, end);
}

std::optional<Planted> heapshot_nested(File& file, Random& random) {
    const auto at = choose_situation(file, random, is_in_heapshot);
    if (!at) return std::nullopt;
    insert_event(file, random, *at, Planned(kHeapStart));
    return at_event(file, *at);
}

// The next one of the thread begins inside of this.
std::optional<Planted> heapshot_end_missing(File& file, Random& random) {
    const auto end = choose(file, random, kHeapEnd, [&](size_t i) { return next_start(file, i).has_value(); });
    if (!end) return std::nullopt;
    const size_t next = *next_start(file, *end) - 1;
    erase_event(file, *end);
    return at_event(file, next);
}

// The last one of a thread, in a file that does not look as if the program was killed.
std::optional<Planted> heapshot_unterminated(File& file, Random& random) {
    if (!first_thread_ends(file)) return std::nullopt;
    const auto start = choose(file, random, kHeapStart, [&](size_t i) { return !next_start(file, i + 1); });
    if (!start) return std::nullopt;
    erase_event(file, heapshot_at(file, *start).end);
    return at_event(file, *start);
}

std::optional<Planted> heap_object_duplicate(File& file, Random& random) {
    const auto at = choose(file, random, kHeapObject, [&](size_t i) { return file[i].number("size") != 0; });
    if (!at) return std::nullopt;
    insert_event(file, *at + 1, file[*at]);
    return at_event(file, *at + 1);
}

std::optional<Planted> heap_object_continuation_alone(File& file, Random& random) {
    const auto at = choose_situation(file, random, is_in_heapshot);
    if (!at) return std::nullopt;
    insert_event(file, random, *at, object_event(file, random, 0));
    return at_event(file, *at);
}

std::optional<Planted> heap_object_size_zero(File& file, Random& random) {
    const auto at = choose(file, random, kHeapObject, [&](size_t i) { return file[i].number("size") != 0; });
    if (!at) return std::nullopt;
    file[*at].set("size", 0);
    settle_buffers(file);
    return at_event(file, *at);
}

std::optional<Planted> heap_ref_dangling(File& file, Random& random) {
    const auto at = choose_value(file, random, [](const Draft&, const Value& value) {
        return value.leaf.record == &kReference && value.leaf.field->name == "object";
    });
    if (!at) return std::nullopt;
    file[at->record].values[at->value].leaf.number = fresh_object(file, random);
    settle_buffers(file);
    return at_value(file, *at);
}

}  // namespace tracelint::mlpd::faults
