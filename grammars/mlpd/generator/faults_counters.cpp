// Planted faults of counters and code coverage.
#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {
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

// A method whose statements are counted.
std::optional<size_t> choose_covered(const FileRecords& file, Random& random) {
    return choose(file, random, kCoverageMethod,
                  [&](size_t i) { return file[i].number("statement_count") != 0 && is_only_method(file, i); });
}

// The indices of its statements.
std::vector<size_t> statements_of(const FileRecords& file, size_t method) {
    std::vector<size_t> statements;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kCoverageStatement && file[i].number("method_id") == file[method].number("method_id"))
            statements.push_back(i);
    return statements;
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
