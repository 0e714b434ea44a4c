// Planted faults of source positions and their callers.
#include "grammars/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
namespace {

constexpr uint64_t kMost31 = 0x7fffffff;  // the largest signed number

uint64_t caller_of(const RecordValues& positions, uint64_t position) {
    return get(positions, "source_positions", position, "caller_index");
}

const std::string& name_of(const RecordValues& positions, uint64_t position) {
    return text_of(positions, "strings", get(positions, "source_positions", position, "function_name"));
}

std::vector<uint64_t> roots_of(const RecordValues& positions) {
    std::vector<uint64_t> roots;
    for (uint64_t i = 0; i < count_of(positions, "source_positions"); ++i)
        if (caller_of(positions, i) == kNone) roots.push_back(i);
    return roots;
}

// A number below -1, which means none.
std::optional<Planted> below_none(FileRecords& file, Random& random, std::string_view field) {
    const auto entry = choose_entry(file, random, kPositions, "source_positions", [](const Entry&) { return true; });
    if (!entry) return std::nullopt;
    const uint64_t number = ~near_edge(random, 1, kMost31);  // ~1 is -2
    set(file[entry->record], "source_positions", entry->element, field, number);
    return at_entry(file, *entry, "source_positions", field);
}

constexpr FaultRow kPositionRows[] = {
    // 0xffffffff would mean no position.
    {"samply/position-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random,
                                   {kPositions, "code_offsets", "source_position", "source_positions", 0xfffffffe});
     }},
    // The index is too large.
    {"samply/caller-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random,
                                   {kPositions, "source_positions", "caller_index", "source_positions", kMost31});
     }},
    // The index is negative.
    {"samply/caller-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return below_none(file, random, "caller_index");
     }},
    // A position becomes the caller of one of its callers, or of itself.
    {"samply/caller-cycle",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto entry =
             choose_entry(file, random, kPositions, "source_positions", [](const Entry&) { return true; });
         if (!entry) return std::nullopt;
         RecordValues& positions = file[entry->record];
         std::vector<uint64_t> cycle{entry->element};
         while (caller_of(positions, cycle.back()) != kNone && !one_in(random, 3))
             cycle.push_back(caller_of(positions, cycle.back()));
         set(positions, "source_positions", cycle.back(), "caller_index", entry->element);
         const uint64_t lowest = *std::min_element(cycle.begin(), cycle.end());
         return at_entry(file, {entry->record, lowest}, "source_positions", "caller_index");
     }},
    {"samply/position-name-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random, {kPositions, "source_positions", "function_name", "strings"});
     }},
    // The index is too large.
    {"samply/position-file-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return index_out_of_range(file, random, {kPositions, "source_positions", "file", "strings", kMost31});
     }},
    // The index is negative.
    {"samply/position-file-index-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> { return below_none(file, random, "file"); }},
    // If the first root is changed, the second one differs from it.
    {"samply/root-function-differs",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto chosen = choose(file, random, kPositions, [&](size_t i) { return roots_of(file[i]).size() > 1; });
         if (!chosen) return std::nullopt;
         RecordValues& positions = file[*chosen];
         const std::vector<uint64_t> roots = roots_of(positions);
         const uint64_t root = pick_of(random, roots);
         const uint64_t name = below(random, count_of(positions, "strings"));
         if (text_of(positions, "strings", name) == name_of(positions, root)) return std::nullopt;
         set(positions, "source_positions", root, "function_name", name);
         const uint64_t found = root == roots[0] ? roots[1] : root;
         return at_entry(file, {*chosen, found}, "source_positions", "function_name");
     }},
};

}  // namespace

constinit const FaultList kPositionFaults{kPositionRows};

}  // namespace tracelint::samply::faults
