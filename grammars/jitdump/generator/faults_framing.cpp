// Planted faults of the file header and the framing of records.
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/samply/samply.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::jitdump::faults {
namespace {

constexpr uint64_t kHour = 3'600'000'000'000;  // ns
constexpr uint64_t kHeaderSize = fixed_size(kHeader), kPrefixSize = fixed_size(kPrefix);

Planted at_header(std::string_view field) { return {0, field, kNone, 0, 0, {}}; }
uint64_t size_of(const FileRecords& file) {
    uint64_t size = 0;
    for (const RecordValues& record : file) size += bytes_of(record).size();
    return size;
}

uint64_t timestamp_of(const FileRecords& file, size_t record) { return file[record].number("timestamp"); }

// Inserts a record of an unknown kind before CLOSE.
size_t insert_unknown(FileRecords& file, Random& random, uint64_t body_size) {
    const size_t at = between(random, 1, end_before_close(file));
    uint64_t id = 0;
    do id = one_in(random, 2) ? between(random, 6, 20) : between(random, 6, 0xffffffff);
    while (samply::kExtension.owns(id));
    insert(file, at,
           opaque_record(kOther, id, timestamp_before(file, at), random_bytes(random, body_size), layout_of(file)));
    return at;
}

// Ends the file with CLOSE if it does not yet, and returns the index of CLOSE.
size_t close_of(FileRecords& file) {
    if (file.back().record != &kClose)
        file.push_back(opaque_record(kClose, kCloseId, timestamp_before(file, file.size()), "", layout_of(file)));
    return file.size() - 1;
}

constexpr FaultRow kFramingRows[] = {
    {"jitdump/truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t left = below(random, kHeaderSize);
         const std::string bytes = bytes_of(file.front()).substr(0, left);
         file.assign(1, raw_record(bytes));
         return Planted{0, "", kNone, 0, left, {}};
     }},
    {"jitdump/bad-magic",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         file.front().set("magic", kMagic ^ between(random, 1, 0xff));
         return at_header("magic");
     }},
    {"jitdump/magic-byte-order",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         Value& magic = *file.front().find("magic");
         uint8_t swapped[4];
         store(swapped, 4, opposite(layout_of(file).order), kMagic);
         magic.leaf.number = load(swapped, 4, layout_of(file).order);
         return at_header("magic");
     }},
    {"jitdump/header-size-too-small",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         file.front().set("total_size", below(random, kHeaderSize));
         return at_header("total_size");
     }},
    // Only the size is wrong and records start at 40, or the header has more bytes.
    {"jitdump/header-size-extended",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t size = size_of(file);
         if (file.size() > 1 && one_in(random, 2)) {
             file.front().set("total_size", between(random, kHeaderSize + 1, size));
             return at_header("total_size");
         }
         const uint64_t more = between(random, 4, 60);
         append_raw(file.front(), std::string(more, '\xff'));  // not a record id
         file.front().set("total_size", kHeaderSize + more);
         return at_header("total_size");
     }},
    {"jitdump/header-size-exceeds-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         file.front().set("total_size", between(random, size_of(file) + 1, 0xffffffff));
         return at_header("total_size");
     }},
    // Pointers of an unknown machine are 4 bytes wide, which must not change how unwinding data is read.
    {"jitdump/elf-machine-unknown",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool has_unwinding = choose(file, random, kUnwindingInfo, any).has_value();
         if (has_unwinding && pointer_width_of(file.front().number("elf_mach")) != 4) return std::nullopt;
         return plant_check(file, random, kHeader, "jitdump/elf-machine-unknown");
     }},
    {"jitdump/elf-machine-endian",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const bool wide = pointer_width_of(file.front().number("elf_mach")) == 8;
         const uint64_t of_big = wide ? 43 : pick<uint64_t>(random, {2, 18, 22});
         const uint64_t of_little = wide ? 62 : pick<uint64_t>(random, {3, 243, 258});
         file.front().set("elf_mach", layout_of(file).order == ByteOrder::little ? of_big : of_little);
         return at_header("elf_mach");
     }},
    {"jitdump/truncated-record-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t left = between(random, 1, kPrefixSize - 1);
         if (file.size() > 1 && one_in(random, 2))
             file.back() = raw_record(bytes_of(file.back()).substr(0, left));
         else
             file.push_back(raw_record(random_bytes(random, left)));
         return Planted{file.size() - 1, "", kNone, 0, left, {}};
     }},
    {"jitdump/truncated-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::string whole = bytes_of(file.back());
         if (file.size() == 1 || whole.size() <= kPrefixSize) return std::nullopt;
         const uint64_t left = between(random, kPrefixSize, whole.size() - 1);
         file.back() = raw_record(whole.substr(0, left));
         return Planted{file.size() - 1, "", kNone, 0, left, {}};
     }},
    {"jitdump/record-size-too-small",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.size() == 1) return std::nullopt;
         const size_t at = between(random, 1, file.size() - 1);
         file[at].set("total_size", below(random, kPrefixSize));
         return at_field(at, "total_size");
     }},
    // The record is short, and its size says so. No MOVE of its function follows.
    {"jitdump/record-body-too-small",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const Record& kind = *pick<const Record*>(random, {&kLoad, &kMove, &kDebugInfo, &kUnwindingInfo});
         const auto at = choose(file, random, kind, [&](size_t i) {
             return (&kind != &kLoad && &kind != &kMove) || !is_moved_later(file, i);
         });
         if (!at) return std::nullopt;
         const uint64_t left = between(random, kPrefixSize, minimum_size(kind) - 1);
         const std::string bytes = bytes_of(file[*at]).substr(0, left);
         file[*at] = decode_values(kOther, as_bytes(bytes), layout_of(file), true);
         update_sizes(file[*at]);
         return at_field(*at, "total_size");
     }},
    {"jitdump/unknown-record-kind",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return at_field(insert_unknown(file, random, between(random, 1, 40)), "id");
     }},
    {"jitdump/header-only-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         Planted planted = at_field(insert_unknown(file, random, 0), "total_size");
         planted.consequences = {"jitdump/unknown-record-kind"};
         return planted;
     }},
    {"jitdump/close-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const size_t at = close_of(file);
         append_raw(file[at], random_bytes(random, between(random, 1, 40)));
         update_sizes(file[at]);
         return at_field(at, "total_size");
     }},
    // A record after CLOSE, or CLOSE in the middle of the file where no record is pending.
    {"jitdump/record-after-close",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto load = choose(file, random, kLoad, [&](size_t i) { return i + 1 < file.size(); });
         if (load && one_in(random, 2)) {
             insert(file, *load + 1, opaque_record(kClose, kCloseId, timestamp_of(file, *load), "", layout_of(file)));
             return Planted{*load + 2, "", kNone, 0, kPrefixSize, {}};
         }
         const size_t close = close_of(file);
         const uint64_t id = pick<uint64_t>(random, {kCloseId, samply::kExtension.ids[0]});
         file.push_back(
             opaque_record(either(id == kCloseId, kClose, kOther), id, timestamp_of(file, close), "", layout_of(file)));
         return Planted{close + 1, "", kNone, 0, kPrefixSize, {}};
     }},
    {"jitdump/timestamp-regression",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.size() < 3) return std::nullopt;
         const size_t at = between(random, 2, file.size() - 1);
         const uint64_t step = between(random, 1, 1000);
         if (timestamp_of(file, at - 1) <= step) return std::nullopt;
         file[at].set("timestamp", timestamp_of(file, at - 1) - step);
         return at_field(at, "timestamp");
     }},
    {"jitdump/timestamp-zero",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.size() == 1) return std::nullopt;
         const size_t at = between(random, 1, file.size() - 1);
         file[at].set("timestamp", 0);
         return at_field(at, "timestamp");
     }},
    {"jitdump/timestamp-clock-mix",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.size() < 4) return std::nullopt;
         const size_t at = between(random, 2, file.size() - 2);
         const uint64_t before = timestamp_of(file, at - 1), after = timestamp_of(file, at + 1);
         const uint64_t step = kHour + (one_in(random, 2) ? 1 : between(random, 1, kHour));
         // If the record before has jumped itself, that one is reported.
         const bool has_jumped = at > 2 && before - timestamp_of(file, at - 2) > kHour;
         const bool can_be_below = before > step && !has_jumped, can_be_above = !ends_above_2_64(after, step + 1);
         if (!can_be_below && !can_be_above) return std::nullopt;
         const bool is_below = can_be_below && (!can_be_above || one_in(random, 2));
         file[at].set("timestamp", is_below ? before - step : after + step);
         return at_field(at, "timestamp");
     }},
};

}  // namespace

constinit const FaultList kFramingFaults{kFramingRows};

}  // namespace tracelint::jitdump::faults
