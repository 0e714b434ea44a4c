// Planted faults of heapshots.
#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint16_t kThreadsEndSince = 11;

bool is_in_heapshot(const Situation& now) { return now.in_heapshot; }
bool is_outside(const Situation& now) { return !now.in_heapshot; }

// The end and the first object of the heapshot that begins at `start`.
std::optional<size_t> end_of(const FileRecords& file, size_t start) {
    return next_on_thread(file, start, kHeapEnd, any);
}
std::optional<size_t> first_object(const FileRecords& file, size_t start) {
    const auto end = end_of(file, start);
    return next_on_thread(file, start, kHeapObject, [&](size_t i) { return end && i < *end; });
}

// The next heapshot of the thread.
std::optional<size_t> next_start(const FileRecords& file, size_t after) {
    return next_on_thread(file, after, kHeapStart, any);
}

// Whether the main thread ends, so that the program was not killed.
bool first_thread_ends(const FileRecords& file) {
    if (buffers_of(file).empty()) return false;
    const uint64_t thread = thread_of(file, 1);
    return version_of(file) >= kThreadsEndSince &&
           std::any_of(file.begin(), file.end(), [&](const RecordValues& record) {
               return is_op(record, kThread, kUnload) && record.number("pointer") == thread;
           });
}

// Inserts an object event at index `at`.
bool insert_object(FileRecords& file, Random& random, size_t at, uint64_t size) {
    std::optional<PlannedRecord> event = with_known_type(file, kHeapObject, at);
    if (event) insert_event(file, random, at, event->with("object", fresh_object(file, random)).with("size", size));
    return event.has_value();
}

constexpr FaultRow kHeapRows[] = {
    // One or more objects without a heapshot.
    {"mlpd/heap-object-outside-heapshot",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, is_outside);
         if (!at) return std::nullopt;
         for (uint64_t left = between(random, 1, 3); left > 0; --left)
             if (!insert_object(file, random, *at, 8 * below(random, 3))) return std::nullopt;
         return at_event(file, *at);
     }},
    // The start of a heapshot with objects is missing.
    {"mlpd/heap-object-outside-heapshot",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kHeapStart, [&](size_t i) { return first_object(file, i).has_value(); });
         if (!at) return std::nullopt;
         const size_t object = *first_object(file, *at) - 1;
         erase_event(file, *at);
         return at_event(file, object);
     }},
    // An end without a start.
    {"mlpd/heapshot-end-without-start",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, is_outside);
         if (!at) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kHeapEnd));
         return at_event(file, *at);
     }},
    // The start of an empty heapshot is missing.
    {"mlpd/heapshot-end-without-start",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at =
             choose(file, random, kHeapStart, [&](size_t i) { return end_of(file, i) && !first_object(file, i); });
         if (!at) return std::nullopt;
         const size_t end = *end_of(file, *at) - 1;
         erase_event(file, *at);
         return at_event(file, end);
     }},
    // A start in a heapshot.
    {"mlpd/heapshot-nested",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, is_in_heapshot);
         if (!at) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kHeapStart));
         return at_event(file, *at);
     }},
    // The end is missing, so the next heapshot begins in this one.
    {"mlpd/heapshot-nested",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto end = choose(file, random, kHeapEnd, [&](size_t i) { return next_start(file, i).has_value(); });
         if (!end) return std::nullopt;
         const size_t next = *next_start(file, *end) - 1;
         erase_event(file, *end);
         return at_event(file, next);
     }},
    // The last heapshot of a thread has no end, although the program was not killed.
    {"mlpd/heapshot-unterminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!first_thread_ends(file)) return std::nullopt;
         const auto start =
             choose(file, random, kHeapStart, [&](size_t i) { return end_of(file, i) && !next_start(file, i); });
         if (!start) return std::nullopt;
         erase_event(file, *end_of(file, *start));
         return at_event(file, *start);
     }},
    {"mlpd/heap-object-duplicate",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kHeapObject, [&](size_t i) { return file[i].number("size") != 0; });
         if (!at) return std::nullopt;
         insert_event(file, *at + 1, file[*at]);
         return at_event(file, *at + 1);
     }},
    // A continuation without its object.
    {"mlpd/heap-object-continuation-unknown",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, is_in_heapshot);
         if (!at || !insert_object(file, random, *at, 0)) return std::nullopt;
         return at_event(file, *at);
     }},
    // An object becomes a continuation.
    {"mlpd/heap-object-continuation-unknown",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kHeapObject, [&](size_t i) { return file[i].number("size") != 0; });
         if (!at) return std::nullopt;
         file[*at].set("size", 0);
         update_buffers(file);
         return at_event(file, *at);
     }},
    {"mlpd/heap-ref-dangling",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues&, const Value& value) {
             return value.leaf.record == &kReference && value.leaf.field->name == "object";
         });
         if (!at) return std::nullopt;
         file[at->record].values[at->value].leaf.number = fresh_object(file, random);
         update_buffers(file);
         return at_value(file, *at);
     }},
};

}  // namespace

constinit const FaultList kHeapFaults{kHeapRows};

}  // namespace tracelint::mlpd::faults
