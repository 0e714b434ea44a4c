// Planted faults of the header and of the frame of records: sections 5.1 and 5.2 of the digest.
#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/header.hpp"
#include "grammars/jitdump/registered_extension.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::jitdump::faults {
namespace {

constexpr uint64_t kHour = 3'600'000'000'000;  // ns
constexpr uint64_t kHeaderSize = fixed_size(kHeader), kPrefixSize = fixed_size(kPrefix);

Planted at_header(std::string_view field) { return {0, field, kNone, 0, 0, {}}; }
uint64_t size_of(const File& file) {
    uint64_t size = 0;
    for (const RecordValues& draft : file) size += bytes_of(draft).size();
    return size;
}

uint64_t timestamp_of(const File& file, size_t record) { return file[record].number("timestamp"); }

// Puts a record of an unknown kind where the walk can stand it.
size_t insert_unknown(File& file, Random& random, uint64_t body_size) {
    const size_t at = between(random, 1, end_before_close(file));
    uint64_t id = 0;
    do id = one_in(random, 2) ? between(random, 6, 20) : between(random, 6, 0xffffffff);
    while (kExtension.owns(id));
    insert(file, at,
           opaque_record(kOther, id, timestamp_before(file, at), random_bytes(random, body_size), layout_of(file)));
    return at;
}

// Makes sure that the file ends in CLOSE, and says where it is.
size_t close_of(File& file) {
    if (file.back().record != &kClose)
        file.push_back(opaque_record(kClose, kCloseId, timestamp_before(file, file.size()), "", layout_of(file)));
    return file.size() - 1;
}

}  // namespace

std::optional<Planted> truncated_header(File& file, Random& random) {
    const uint64_t left = below(random, kHeaderSize);
    const std::string bytes = bytes_of(file.front()).substr(0, left);
    file.assign(1, raw_draft(bytes));
    return Planted{0, "", kNone, 0, left, {}};
}

std::optional<Planted> bad_magic(File& file, Random& random) {
    file.front().set("magic", kMagic ^ between(random, 1, 0xff));
    return at_header("magic");
}

std::optional<Planted> magic_byte_order(File& file, Random&) {
    Value& magic = *file.front().find("magic");
    uint8_t swapped[4];
    store(swapped, 4, opposite(layout_of(file).order), kMagic);
    magic.leaf.number = load(swapped, 4, layout_of(file).order);
    return at_header("magic");
}

std::optional<Planted> header_size_too_small(File& file, Random& random) {
    file.front().set("total_size", below(random, kHeaderSize));
    return at_header("total_size");
}

// Either only the number is wrong, and records start at 40 all the same, or there are more bytes.
std::optional<Planted> header_size_extended(File& file, Random& random) {
    const uint64_t size = size_of(file);
    if (file.size() > 1 && one_in(random, 2)) {
        file.front().set("total_size", between(random, kHeaderSize + 1, size));
        return at_header("total_size");
    }
    const uint64_t more = between(random, 4, 60);
    append_raw(file.front(), std::string(more, '\xff'));  // no record has this id
    file.front().set("total_size", kHeaderSize + more);
    return at_header("total_size");
}

std::optional<Planted> header_size_exceeds_file(File& file, Random& random) {
    file.front().set("total_size", between(random, size_of(file) + 1, 0xffffffff));
    return at_header("total_size");
}

// An unknown machine has narrow pointers, so that absolute ones in unwinding data would be read anew.
std::optional<Planted> elf_machine_unknown(File& file, Random& random) {
    const bool has_unwinding = choose(file, random, kUnwindingInfo, any).has_value();
    if (has_unwinding && pointer_width_of(file.front().number("elf_mach")) != 4) return std::nullopt;
    return plant_check<kHeader, kElfMachineUnknown>(file, random);
}

std::optional<Planted> elf_machine_endian(File& file, Random& random) {
    const bool wide = pointer_width_of(file.front().number("elf_mach")) == 8;
    const uint64_t of_big = wide ? 43 : pick<uint64_t>(random, {2, 18, 22});
    const uint64_t of_little = wide ? 62 : pick<uint64_t>(random, {3, 243, 258});
    file.front().set("elf_mach", layout_of(file).order == ByteOrder::little ? of_big : of_little);
    return at_header("elf_mach");
}

std::optional<Planted> truncated_record_header(File& file, Random& random) {
    const uint64_t left = between(random, 1, kPrefixSize - 1);
    if (file.size() > 1 && one_in(random, 2))
        file.back() = raw_draft(bytes_of(file.back()).substr(0, left));
    else
        file.push_back(raw_draft(random_bytes(random, left)));
    return Planted{file.size() - 1, "", kNone, 0, left, {}};
}

std::optional<Planted> truncated_record(File& file, Random& random) {
    const std::string whole = bytes_of(file.back());
    if (file.size() == 1 || whole.size() <= kPrefixSize) return std::nullopt;
    const uint64_t left = between(random, kPrefixSize, whole.size() - 1);
    file.back() = raw_draft(whole.substr(0, left));
    return Planted{file.size() - 1, "", kNone, 0, left, {}};
}

std::optional<Planted> record_size_too_small(File& file, Random& random) {
    if (file.size() == 1) return std::nullopt;
    const size_t at = between(random, 1, file.size() - 1);
    file[at].set("total_size", below(random, kPrefixSize));
    return at_field(at, "total_size");
}

// The record is cut and says so. What needs it must not follow: MOVEs of its function.
std::optional<Planted> record_body_too_small(File& file, Random& random) {
    const Record& kind = *pick<const Record*>(random, {&kLoad, &kMove, &kDebugInfo, &kUnwindingInfo});
    const auto at = choose(file, random, kind,
                           [&](size_t i) { return (&kind != &kLoad && &kind != &kMove) || !is_moved_behind(file, i); });
    if (!at) return std::nullopt;
    const uint64_t left = between(random, kPrefixSize, minimum_size(kind) - 1);
    const std::string bytes = bytes_of(file[*at]).substr(0, left);
    file[*at] = decode_values(kOther, as_bytes(bytes), layout_of(file), true);
    settle(file[*at]);
    return at_field(*at, "total_size");
}

std::optional<Planted> unknown_record_kind(File& file, Random& random) {
    return at_field(insert_unknown(file, random, between(random, 1, 40)), "id");
}

std::optional<Planted> header_only_record(File& file, Random& random) {
    Planted planted = at_field(insert_unknown(file, random, 0), "total_size");
    planted.consequences = {"jitdump/unknown-record-kind"};
    return planted;
}

std::optional<Planted> close_size(File& file, Random& random) {
    const size_t at = close_of(file);
    append_raw(file[at], random_bytes(random, between(random, 1, 40)));
    settle(file[at]);
    return at_field(at, "total_size");
}

// A record behind CLOSE, or CLOSE in the middle, where nothing is pending.
std::optional<Planted> record_after_close(File& file, Random& random) {
    const auto load = choose(file, random, kLoad, [&](size_t i) { return i + 1 < file.size(); });
    if (load && one_in(random, 2)) {
        insert(file, *load + 1, opaque_record(kClose, kCloseId, timestamp_of(file, *load), "", layout_of(file)));
        return Planted{*load + 2, "", kNone, 0, kPrefixSize, {}};
    }
    const size_t close = close_of(file);
    const uint64_t id = pick<uint64_t>(random, {kCloseId, kExtension.ids[0]});
    file.push_back(opaque_record(id == kCloseId ? kClose : kOther, id, timestamp_of(file, close), "", layout_of(file)));
    return Planted{close + 1, "", kNone, 0, kPrefixSize, {}};
}

std::optional<Planted> timestamp_regression(File& file, Random& random) {
    if (file.size() < 3) return std::nullopt;
    const size_t at = between(random, 2, file.size() - 1);
    const uint64_t step = between(random, 1, 1000);
    if (timestamp_of(file, at - 1) <= step) return std::nullopt;
    file[at].set("timestamp", timestamp_of(file, at - 1) - step);
    return at_field(at, "timestamp");
}

std::optional<Planted> timestamp_zero(File& file, Random& random) {
    if (file.size() == 1) return std::nullopt;
    const size_t at = between(random, 1, file.size() - 1);
    file[at].set("timestamp", 0);
    return at_field(at, "timestamp");
}

std::optional<Planted> timestamp_clock_mix(File& file, Random& random) {
    if (file.size() < 4) return std::nullopt;
    const size_t at = between(random, 2, file.size() - 2);
    const uint64_t before = timestamp_of(file, at - 1), after = timestamp_of(file, at + 1);
    const uint64_t step = kHour + (one_in(random, 2) ? 1 : between(random, 1, kHour));
    // Behind a jump of its own, the record before is the odd one out of the three.
    const bool has_jumped = at > 2 && before - timestamp_of(file, at - 2) > kHour;
    const bool can_be_below = before > step && !has_jumped, can_be_above = !ends_above_2_64(after, step + 1);
    if (!can_be_below && !can_be_above) return std::nullopt;
    const bool is_below = can_be_below && (!can_be_above || one_in(random, 2));
    file[at].set("timestamp", is_below ? before - step : after + step);
    return at_field(at, "timestamp");
}

}  // namespace tracelint::jitdump::faults
