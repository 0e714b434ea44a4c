// Planted faults of DEBUG_INFO.
#include "grammars/jitdump/generator/faults.hpp"

namespace tracelint::jitdump::faults {
namespace {

constexpr uint64_t kFixed = fixed_size(kDebugInfo), kSmallestEntry = minimum_size(kDebugEntry);
constexpr uint64_t kFixedEntry = fixed_size(kDebugEntry);
constexpr uint64_t kNearBefore = 128, kNearAfter = 64;  // how far an entry may be outside its function, in bytes

Planted at_entry(size_t record, uint64_t entry, std::string_view field) { return {record, field, entry, 0, 0, {}}; }

uint64_t entries(const RecordValues& debug) { return debug.number("nr_entry"); }
std::string& padding(RecordValues& debug) { return debug.find("padding")->text; }

uint64_t entry_addr(const RecordValues& debug, uint64_t entry) { return debug.find("addr", entry)->leaf.number; }

// The size of all entries in bytes.
uint64_t entries_size(const RecordValues& debug) {
    uint64_t size = 0;
    for (uint64_t i = 0; i < entries(debug); ++i) size += kFixedEntry + debug.find("name", i)->text.size();
    return size;
}

// A DEBUG_INFO with at least so many entries.
std::optional<size_t> choose_debug(const FileRecords& file, Random& random, uint64_t at_least) {
    return choose(file, random, kDebugInfo, [&](size_t i) { return entries(file[i]) >= at_least; });
}

bool is_loaded_later(const FileRecords& file, size_t record, uint64_t code_addr) {
    for (size_t i = record + 1; i < file.size(); ++i)
        if (file[i].record == &kLoad && file[i].number("code_addr") == code_addr) return true;
    return false;
}

constexpr FaultRow kDebugInfoRows[] = {
    {"jitdump/debug-entry-count-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 0);
         if (!at) return std::nullopt;
         const uint64_t most = (bytes_of(file[*at]).size() - kFixed) / kSmallestEntry;
         file[*at].set(
             "nr_entry",
             std::max(most + 1, pick<uint64_t>(random, {most + 1, uint64_t{1} << 61, edge_number(random, 64)})));
         return at_field(*at, "nr_entry");
     }},
    // The count is one too high, in a record large enough for that count.
    {"jitdump/debug-entry-truncated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kDebugInfo, [&](size_t i) {
             const uint64_t size = entries_size(file[i]) + file[i].find("padding")->text.size();
             return size / kSmallestEntry > entries(file[i]);
         });
         if (!at) return std::nullopt;
         RecordValues& debug = file[*at];
         debug.set("nr_entry", entries(debug) + 1);
         return Planted{*at, "padding", kNone, 0, 0, {}};
     }},
    {"jitdump/debug-name-unterminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kDebugInfo, [&](size_t i) {
             return entries(file[i]) > 0 && (entries_size(file[i]) - 1) / kSmallestEntry >= entries(file[i]);
         });
         if (!at) return std::nullopt;
         RecordValues& debug = file[*at];
         debug.find("name", entries(debug) - 1)->text.pop_back();
         padding(debug).clear();
         update_sizes(debug);
         return at_entry(*at, entries(debug) - 1, "name");
     }},
    {"jitdump/debug-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 0);
         if (!at) return std::nullopt;
         padding(file[*at]) = draw_bad_padding(random);
         update_sizes(file[*at]);
         return at_field(*at, "padding");
     }},
    {"jitdump/debug-line-invalid",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 1);
         if (!at) return std::nullopt;
         const uint64_t entry = below(random, entries(file[*at]));
         file[*at].find("line", entry)->leaf.number =
             one_in(random, 2) ? 0xffffffff : between(random, 0x80000000, 0xffffffff);
         return at_entry(*at, entry, "line");
     }},
    // The first entry is too low or the last one too high, which keeps the order.
    {"jitdump/debug-entry-out-of-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 1);
         if (!at) return std::nullopt;
         const RecordValues& load = file[*next_load(file, *at)];
         const uint64_t start = load.number("code_addr"), end = saturating_add(start, load.number("code_size"));
         const bool can_be_early = start > kNearBefore, can_be_late = end < kNone - kNearAfter;
         if (!can_be_early && !can_be_late) return std::nullopt;
         const bool early = can_be_early && (!can_be_late || one_in(random, 2));
         const uint64_t entry = early ? 0 : entries(file[*at]) - 1;
         const uint64_t nearest = early ? start - kNearBefore - 1 : end + kNearAfter + 1;
         const uint64_t any = early ? between(random, 0, nearest) : between(random, nearest, kNone);
         file[*at].find("addr", entry)->leaf.number = one_in(random, 2) ? nearest : any;
         return at_entry(*at, entry, "addr");
     }},
    // The address is one less than that of the entry before, and still near the code.
    {"jitdump/debug-entry-order",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 2);
         if (!at) return std::nullopt;
         RecordValues& debug = file[*at];
         const uint64_t entry = between(random, 1, entries(debug) - 1);
         const uint64_t before = entry_addr(debug, entry - 1);
         if (before <= saturating_sub(debug.number("code_addr"), kNearBefore)) return std::nullopt;
         debug.find("addr", entry)->leaf.number = before - 1;
         return at_entry(*at, entry, "addr");
     }},
    {"jitdump/debug-name-repeat-first",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 1);
         if (!at) return std::nullopt;
         file[*at].find("name", 0)->text = std::string("\xff\0", 2);
         update_sizes(file[*at]);
         return at_entry(*at, 0, "name");
     }},
    {"jitdump/debug-name-invalid-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 1);
         if (!at) return std::nullopt;
         const uint64_t entry = below(random, entries(file[*at]));
         const BadText bad = draw_bad_text(random);
         file[*at].find("name", entry)->text = bad.text;
         update_sizes(file[*at]);
         return Planted{*at, "name", entry, bad.bad_at, 1, {}};
     }},
    {"jitdump/debug-orphan",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 0);
         if (!at) return std::nullopt;
         const uint64_t other = one_in(random, 2) ? file[*at].number("code_addr") + 1 : edge_number(random, 64);
         if (is_loaded_later(file, 0, other)) return std::nullopt;
         file[*at].set("code_addr", other);
         return at_field(*at, "code_addr");
     }},
    // The record follows its LOAD, and no later LOAD has the same address.
    {"jitdump/debug-after-load",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kDebugInfo, [&](size_t i) {
             return !is_loaded_later(file, *next_load(file, i), file[i].number("code_addr"));
         });
         if (!at) return std::nullopt;
         const size_t load = *next_load(file, *at);
         RecordValues debug = file[*at];
         debug.set("timestamp", file[load].number("timestamp"));
         erase(file, *at);
         insert(file, load, std::move(debug));
         return at_field(load, "code_addr");
     }},
    // A LOAD has two DEBUG_INFO records, or the record comes before those of another function.
    {"jitdump/debug-not-adjacent",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_debug(file, random, 0);
         if (!at) return std::nullopt;
         RecordValues debug = file[*at];
         size_t to = *at;
         const auto is_load = [&](size_t i) { return file[i].record == &kLoad; };
         while (to > 1 && !is_load(to - 1)) --to;
         const bool other_before = to > 1 && file[to - 1].number("code_addr") != debug.number("code_addr");
         if (!other_before || one_in(random, 2)) {
             insert(file, *at, std::move(debug));
             return at_field(*at, "code_addr");
         }
         do --to;
         while (to > 1 && !is_load(to - 1));
         debug.set("timestamp", file[to].number("timestamp"));
         erase(file, *at);
         insert(file, to, std::move(debug));
         return at_field(to, "code_addr");
     }},
};

}  // namespace

constinit const FaultList kDebugInfoFaults{kDebugInfoRows};

}  // namespace tracelint::jitdump::faults
