// Planted faults of positions, and of records that wait for a LOAD.
#include "grammars/jitdump/samply/generator/faults.hpp"

namespace tracelint::samply::faults {

// Planted faults of source positions and their callers.

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

// Planted faults of records and the LOAD that they belong to.

namespace {

using jitdump::faults::end_before_close;
using jitdump::faults::timestamp_before;

bool is_info2(const RecordValues& record) { return record.record == &kTree || record.record == &kPositions; }

bool ends_wait(const RecordValues& record) {
    return record.record == &jitdump::kLoad || record.record == &jitdump::kClose;
}

// A tree or positions record for which `fits(index)` holds.
template <class Fits>
std::optional<size_t> choose_info2(const FileRecords& file, Random& random, Fits fits) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (is_info2(file[i]) && fits(i)) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

// Whether a tree or positions record before record `at` is still pending.
bool is_pending(const FileRecords& file, size_t at) {
    while (at-- > 0 && !ends_wait(file[at]))
        if (is_info2(file[at])) return true;
    return false;
}

// code_addr of the last LOAD before a record.
std::optional<uint64_t> address_before(const FileRecords& file, size_t at) {
    while (at-- > 0)
        if (file[at].record == &jitdump::kLoad) return file[at].number("code_addr");
    return std::nullopt;
}

// Whether all offsets are in the code of the LOAD.
bool is_long_enough(const RecordValues& load, const RecordValues& positions) {
    const uint64_t count = count_of(positions, "code_offsets");
    return count == 0 || get(positions, "code_offsets", count - 1, "code_offset") <= load.number("code_size");
}

void insert_copy(FileRecords& file, size_t from, size_t at) {
    RecordValues copy = file[from];
    copy.set("timestamp", timestamp_before(file, at));
    insert(file, at, std::move(copy));
}

// The body of a record that does not look like positions: no list fits, or all are empty.
std::string draw_other_body(Random& random) {
    std::string body = random_bytes(random, 8);
    body += one_in(random, 2) ? std::string(24, '\0') : std::string(8, '\xff') + random_bytes(random, 16);
    body += random_bytes(random, below(random, 40));
    return body;
}

constexpr FaultRow kPendingRows[] = {
    // A copy of any DEBUG_INFO2 before another one.
    {"samply/info2-superseded",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto from = choose_info2(file, random, any), at = choose_info2(file, random, any);
         if (!from || !at) return std::nullopt;
         insert_copy(file, *from, *at);
         return at_bytes(*at, 0, fixed_size(kPrefix));
     }},
    // A copy after the last LOAD, to which it must not belong.
    {"samply/info2-without-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const size_t end = end_before_close(file);
         const auto last = address_before(file, end);
         const auto from = choose_info2(
             file, random, [&](size_t i) { return file[i].record == &kTree || file[i].number("code_addr") != last; });
         if (!from) return std::nullopt;
         insert_copy(file, *from, end);
         return at_bytes(end, 0, fixed_size(kPrefix));
     }},
    {"samply/id-conflict",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const size_t at = between(random, 1, end_before_close(file));
         if (is_pending(file, at)) return std::nullopt;  // the record would supersede it
         const std::string body = draw_other_body(random);
         insert(file, at,
                jitdump::faults::opaque_record(kTier, kPositionsId, timestamp_before(file, at), body, layout_of(file)));
         return at_bytes(at, 0, fixed_size(kPrefix));
     }},
    {"samply/info2-code-addr-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kPositions, any);
         if (!at) return std::nullopt;
         const uint64_t right = file[*at].number("code_addr");
         const uint64_t wrong = one_in(random, 2) ? right + 2 * below(random, 2) - 1 : edge_number(random, 64);
         if (wrong == right || wrong == address_before(file, *at)) return std::nullopt;
         file[*at].set("code_addr", wrong);
         return at_field(*at, "code_addr");
     }},
    // The record has the address of the LOAD before it, or follows its own LOAD.
    {"samply/info2-after-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (one_in(random, 2)) {
             const auto at = choose(file, random, kPositions, [&](size_t i) {
                 const auto before = address_before(file, i);
                 return before && before != file[i].number("code_addr");
             });
             if (!at) return std::nullopt;
             file[*at].set("code_addr", address_before(file, *at).value());
             return at_field(*at, "code_addr");
         }
         const auto at = choose(file, random, kPositions, [&](size_t i) {
             const size_t load = next_load(file, i).value();
             const auto later = next_load(file, load);
             if (!later) return true;
             const bool is_other = file[*later].number("code_addr") != file[i].number("code_addr");
             return is_other && !is_pending(file, *later) && is_long_enough(file[*later], file[i]);
         });
         if (!at) return std::nullopt;
         const size_t load = next_load(file, *at).value();
         insert_copy(file, *at, load + 1);
         erase(file, *at);
         return at_field(load, "code_addr");
     }},
};

}  // namespace

constinit const FaultList kPendingFaults{kPendingRows};

}  // namespace tracelint::samply::faults
