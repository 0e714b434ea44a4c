// Planted faults of LOAD and MOVE.
#include "grammars/jitdump/generator/faults.hpp"

namespace tracelint::jitdump::faults {
namespace {

constexpr uint64_t kFixedLoad = fixed_size(kLoad);
constexpr uint64_t kShiftedName = fixed_size(kShiftedLoad);

// Any number but `number`, often a neighbour.
uint64_t other_than(uint64_t number, unsigned bits, Random& random) {
    const uint64_t all = bits == 64 ? kNone : (uint64_t{1} << bits) - 1;
    const uint64_t other = (one_in(random, 2) ? number + 2 * below(random, 2) - 1 : edge_number(random, bits)) & all;
    return other == number ? (number + 1) & all : other;
}

// Whether the record is consistent in the layout with a 64-bit tid, which the walk tries if code_size does not fit.
bool fits_shifted(const RecordValues& load) {
    const std::string bytes = bytes_of(load);
    const size_t nul = bytes.find('\0', kShiftedName);
    return nul != std::string::npos && bytes.size() - nul - 1 == load.number("code_index");
}

uint64_t moved_size(const FileRecords& file, size_t move) {
    for (size_t i = 0; i < move; ++i)
        if (file[i].record == &kLoad && file[i].number("code_index") == file[move].number("code_index"))
            return file[i].number("code_size");
    return 0;
}

bool is_loaded(const FileRecords& file, uint64_t code_index) {
    return std::any_of(file.begin(), file.end(), [&](const RecordValues& record) {
        return record.record == &kLoad && record.number("code_index") == code_index;
    });
}

// An address at which `size` bytes end above 2^64. `size` is at least 2.
uint64_t overflowing(uint64_t size, Random& random) { return kNone - size + 1 + between(random, 1, size - 1); }

constexpr FaultRow kCodeRows[] = {
    // The record ends before the NUL of the name.
    {"jitdump/load-name-unterminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) { return file[i].find("name")->text.size() > 1; });
         if (!at) return std::nullopt;
         RecordValues& load = file[*at];
         load.find("name")->text.pop_back();
         load.values.pop_back();  // the code; code_size stays
         update_sizes(load);
         return at_field(*at, "name");
     }},
    // Not at address 0, which only an empty function may have.
    {"jitdump/load-code-exceeds-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) { return file[i].number("code_addr") != 0; });
         if (!at) return std::nullopt;
         const uint64_t room = file[*at].number("code_size");
         file[*at].set("code_size",
                       std::max(room + 1, one_in(random, 2) ? room + between(random, 1, 9) : edge_number(random, 64)));
         if (fits_shifted(file[*at])) return std::nullopt;
         return at_field(*at, "code_size");
     }},
    {"jitdump/load-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, any);
         if (!at) return std::nullopt;
         RecordValues& load = file[*at];
         const uint64_t name_and_code = load.find("name")->text.size() + load.find("code")->text.size();
         uint64_t extra = between(random, 1, 20);
         if (one_in(random, 2) && load.number("code_size") > 0) {
             extra = between(random, 1, load.number("code_size"));
             load.set("code_size", load.number("code_size") - extra);
             return Planted{*at, "", kNone, kFixedLoad + name_and_code - extra, extra, {}};
         }
         append_raw(load, random_bytes(random, extra));
         update_sizes(load);
         return Planted{*at, "", kNone, kFixedLoad + name_and_code, extra, {}};
     }},
    {"jitdump/load-address-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) {
             return file[i].number("code_size") > 1 && !has_pending_records(file, i);
         });
         if (!at) return std::nullopt;
         file[*at].set("code_addr", overflowing(file[*at].number("code_size"), random));
         return at_field(*at, "code_addr");
     }},
    {"jitdump/load-address-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) {
             return file[i].number("code_size") > 0 && !has_pending_records(file, i) && !is_moved_later(file, i);
         });
         if (!at) return std::nullopt;
         file[*at].set("code_addr", 0);
         return at_field(*at, "code_addr");
     }},
    {"jitdump/load-name-invalid-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, any);
         if (!at) return std::nullopt;
         const BadText bad = draw_bad_text(random);
         file[*at].find("name")->text = bad.text;
         update_sizes(file[*at]);
         return Planted{*at, "name", kNone, bad.bad_at, 1, {}};
     }},
    // Neither function is moved later, as the second one takes over the index.
    {"jitdump/duplicate-code-index",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) { return !is_moved_later(file, i); });
         if (!at) return std::nullopt;
         const auto earlier = choose(file, random, kLoad, [&](size_t i) {
             return i < *at && !is_moved_later(file, *at, file[i].number("code_index"));
         });
         if (!earlier) return std::nullopt;
         file[*at].set("code_index", file[*earlier].number("code_index"));
         return at_field(*at, "code_index");
     }},
    {"jitdump/load-pid-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kLoad, [&](size_t i) { return !is_moved_later(file, i); });
         if (!at) return std::nullopt;
         file[*at].set("pid", other_than(file[*at].number("pid"), 32, random));
         return at_field(*at, "pid");
     }},
    {"jitdump/move-trailing-bytes",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, any);
         if (!at) return std::nullopt;
         const uint64_t extra = between(random, 1, 20);
         append_raw(file[*at], random_bytes(random, extra));
         update_sizes(file[*at]);
         return Planted{*at, "", kNone, fixed_size(kMove), extra, {}};
     }},
    // The last MOVE of its function, as a later one would not match the address.
    {"jitdump/move-unknown-code-index",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, [&](size_t i) { return !is_moved_later(file, i); });
         if (!at) return std::nullopt;
         const uint64_t other = other_than(file[*at].number("code_index"), 64, random);
         if (is_loaded(file, other)) return std::nullopt;
         file[*at].set("code_index", other);
         return at_field(*at, "code_index");
     }},
    {"jitdump/move-size-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, any);
         if (!at) return std::nullopt;
         file[*at].set("code_size", other_than(file[*at].number("code_size"), 64, random));
         return at_field(*at, "code_size");
     }},
    {"jitdump/move-old-address-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, any);
         if (!at) return std::nullopt;
         file[*at].set("old_code_addr", other_than(file[*at].number("old_code_addr"), 64, random));
         return at_field(*at, "old_code_addr");
     }},
    {"jitdump/move-address-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, [&](size_t i) { return moved_size(file, i) > 1; });
         if (!at) return std::nullopt;
         file[*at].set("new_code_addr", overflowing(moved_size(file, *at), random));
         return at_field(*at, "new_code_addr");
     }},
    {"jitdump/move-pid-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kMove, any);
         if (!at) return std::nullopt;
         file[*at].set("pid", other_than(file[*at].number("pid"), 32, random));
         return at_field(*at, "pid");
     }},
};

}  // namespace

constinit const FaultList kCodeFaults{kCodeRows};

}  // namespace tracelint::jitdump::faults
