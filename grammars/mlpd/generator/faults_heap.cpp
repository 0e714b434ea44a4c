// Planted faults of heapshots and counters.
#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {

// Planted faults of heapshots.

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

// Planted faults of counters and code coverage.

namespace {

constexpr uint64_t kFreshIndex = 1'000'000;

struct Counter {
    uint64_t index, type;
};

// A counter that is described before the record.
std::optional<Counter> known_counter(const FileRecords& file, Random& random, size_t before) {
    std::vector<Counter> counters;
    for (size_t i = 0; i < before; ++i)
        for (uint64_t n = 0; file[i].record == &kCountersDescription && n < file[i].number("count"); ++n)
            counters.push_back({file[i].find("index", n)->leaf.number, file[i].find("type", n)->leaf.number});
    if (counters.empty()) return std::nullopt;
    return pick_of(random, counters);
}

uint64_t any_type(Random& random) { return below(random, std::size(kCounterTypes)); }

PlannedRecord description(uint64_t index, uint64_t type) {
    return PlannedRecord(kCountersDescription).size("descriptors", 1).with("index", index, 0).with("type", type, 0);
}

PlannedRecord sample(uint64_t index, uint64_t type) {
    PlannedRecord event(kCounters);
    return event.size("samples", 2).with("index", index, 0).with("type", type, 0).with("index", 0, 1);
}

Planted at_first(size_t event, std::string_view field) { return {event, field, 0, 0, 0, {}}; }

// Statements are counted for the first of several methods with the same id.
bool is_only_method(const FileRecords& file, size_t method) {
    return std::count_if(file.begin(), file.end(), [&](const RecordValues& record) {
               return record.record == &kCoverageMethod &&
                      record.number("method_id") == file[method].number("method_id");
           }) == 1;
}

// The indices of the statements of a method.
std::vector<size_t> statements_of(const FileRecords& file, size_t method) {
    std::vector<size_t> statements;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kCoverageStatement && file[i].number("method_id") == file[method].number("method_id"))
            statements.push_back(i);
    return statements;
}

// A method whose statements are counted.
std::optional<size_t> choose_covered(const FileRecords& file, Random& random) {
    return choose(file, random, kCoverageMethod, [&](size_t i) {
        if (file[i].number("statement_count") == 0 || !is_only_method(file, i)) return false;
        const std::vector<size_t> statements = statements_of(file, i);
        return !statements.empty() && statements.front() > i;
    });
}

constexpr FaultRow kCounterRows[] = {
    // In a new event, as counters described by existing ones are sampled.
    {"mlpd/counter-index-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kCountersDescription)) return std::nullopt;
         insert_event(file, random, *at, description(0, any_type(random)));
         return at_first(*at, "index");
     }},
    {"mlpd/duplicate-counter-index",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at) return std::nullopt;
         const auto counter = known_counter(file, random, *at);
         if (!counter) return std::nullopt;
         insert_event(file, random, *at, description(counter->index, any_type(random)));
         return at_first(*at, "index");
     }},
    {"mlpd/unknown-counter-index",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kCounters)) return std::nullopt;
         const uint64_t index = kFreshIndex + below(random, 1000), type = any_type(random);
         insert_event(file, random, *at, sample(index, type));
         return at_first(*at, "index");
     }},
    {"mlpd/counter-type-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at) return std::nullopt;
         const auto counter = known_counter(file, random, *at);
         if (!counter) return std::nullopt;
         const uint64_t other =
             (counter->type + between(random, 1, std::size(kCounterTypes) - 1)) % std::size(kCounterTypes);
         insert_event(file, random, *at, sample(counter->index, other));
         return at_first(*at, "type");
     }},
    // A statement without a method.
    {"mlpd/coverage-dangling-statement",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || !has(file, kCoverageStatement)) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kCoverageStatement).with("method_id", kFreshIndex));
         return at_event(file, *at);
     }},
    // A statement is missing.
    {"mlpd/coverage-dangling-statement",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto method = choose_covered(file, random);
         if (!method) return std::nullopt;
         const std::vector<size_t> statements = statements_of(file, *method);
         erase_event(file, pick_of(random, statements));
         return at_event(file, *method);
     }},
    // The count is wrong.
    {"mlpd/coverage-dangling-statement",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto method = choose(file, random, kCoverageMethod, [&](size_t i) { return is_only_method(file, i); });
         if (!method) return std::nullopt;
         const uint64_t count = file[*method].number("statement_count");
         const uint64_t other = pick<uint64_t>(random, {count + 1, 0, below(random, 1u << 31)});
         if (other == count) return std::nullopt;
         file[*method].set("statement_count", other);
         update_buffers(file);
         return at_event(file, *method);
     }},
    // The method is missing. The finding is at its first statement.
    {"mlpd/coverage-dangling-statement",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto method = choose_covered(file, random);
         if (!method) return std::nullopt;
         const size_t first = statements_of(file, *method).front() - 1;
         erase_event(file, *method);
         return at_event(file, first);
     }},
};

}  // namespace

constinit const FaultList kCounterFaults{kCounterRows};

}  // namespace tracelint::mlpd::faults
