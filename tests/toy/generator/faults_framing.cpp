// toy: ways to break the header, the framing and the fields of a valid file, one for each rule at least.
#include "tests/toy/generator/model.hpp"
#include "tests/toy/records.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::toy {
namespace {

bool is_record(const RecordValues& record) { return record.record != nullptr && record.record != &kHeader; }

// The number of a record other than the header.
size_t any_record(const FileRecords& file, Random& random) { return between(random, 1, file.size() - 1); }

RecordValues unknown_record(Random& random, const Layout& layout) {
    RecordValues record = decode_values(kOther, as_bytes(std::string(3, '\0') + random_bytes(random, 5)), layout, true);
    record.set("kind", between(random, 5, 255));
    update_sizes(record);
    return record;
}

// clang-format off
constexpr FaultRow kFramingRows[] = {
    {"toy/bad-magic", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        file[0].set("magic", kMagic ^ uint64_t{1} << below(random, 32));
        return at_field(0, "magic");
    }},
    {"toy/unknown-version", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        file[0].set("version", one_in(random, 2) ? 0 : between(random, kNewestVersion + 1, 0xffff));
        return at_field(0, "version");
    }},
    {"toy/truncated-header", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t left = between(random, 1, fixed_size(kHeader) - 1);
        cut(file, 0, left);
        return at_bytes(0, 0, left);
    }},
    kBrokenCheck<kHeader, "toy/reserved-nonzero">,
    {"toy/unknown-kind", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        insert(file, at, unknown_record(random, layout_of(file)));
        return at_field(at, "kind");
    }},
    {"toy/record-too-small", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        file[at].set("size", below(random, fixed_size(kPrefix)));
        return at_field(at, "size");
    }},
    {"toy/truncated-record", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        const uint64_t left = between(random, 1, bytes_of(file[at]).size() - 1);
        cut(file, at, left);
        return at_bytes(at, 0, left);
    }},
    {"toy/record-after-close", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto counters = choose(file, random, kCounters, any);
        if (!counters || file.back().record != &kClose) return std::nullopt;
        file.push_back(file[*counters]);
        return at_bytes(file.size() - 1, 0, fixed_size(kPrefix));
    }},
    // The list of samples goes on after the end of the record.
    {"toy/field-exceeds-record", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kCounters, any);
        if (!at) return std::nullopt;
        file[*at].set("count", between(random, file[*at].number("count") + 1, 0xffff));
        return at_field(*at, "size");
    }},
    {"toy/trailing-bytes", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        if (!is_record(file[at])) return std::nullopt;
        const uint64_t end = bytes_of(file[at]).size(), extra = between(random, 1, 20);
        append_raw(file[at], random_bytes(random, extra));
        update_sizes(file[at]);
        return at_bytes(at, end, extra);
    }},
    // A copy of an event, whose own action is the one that counts.
    {"toy/unknown-action", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto event = choose(file, random, kEvent, any);
        if (!event) return std::nullopt;
        insert(file, *event, file[*event]);
        file[*event].set("action", between(random, 2, 15));
        return at_field(*event, "action");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kFramingFaults{kFramingRows};

}  // namespace tracelint::toy
