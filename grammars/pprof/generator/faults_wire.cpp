// pprof: ways to break the wire format (section 5.1) and the string table (section 5.2).
#include "grammars/pprof/generator/messages.hpp"
#include "grammars/pprof/generator/model.hpp"

namespace tracelint::pprof {
namespace {

using std::string_literals::operator""s;

// clang-format off
constexpr FaultRow kWireRows[] = {
    {"pprof/empty-file", [](FileRecords& file, Random&) -> std::optional<Planted> {
        file.clear();
        return append_field(file, "", 0, 0);
    }},
    {"pprof/field-exceeds-file", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t length = between(random, 1, 200);
        std::string bytes = delimited_field(OfProfile::string_table, std::string(length, 'x'));
        bytes.resize(below(random, 8) == 0 ? 1 : bytes.size() - between(random, 1, length));
        return append_field(file, bytes, 0, bytes.size());
    }},
    {"pprof/field-exceeds-message", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const std::string cut = delimited_field(OfLocation::line, std::string(between(random, 2, 90), '\0'));
        const std::string kept = cut.substr(0, cut.size() - 1);
        return append_message(file, OfProfile::location, {number_field(OfLocation::id, kFreeId) + kept, 7, kept.size()});
    }},
    {"pprof/varint-too-long", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_field(file, "\x78" + std::string(between(random, 10, 300), '\x80') + '\1', 1, 10);
    }},
    {"pprof/varint-overflow", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_field(file, "\x78" + std::string(9, '\xff') + static_cast<char>(between(random, 2, 0x7f)), 1, 10);
    }},
    {"pprof/wire-type-invalid", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_field(file, std::string(1, pick(random, {'\x7e', '\x7f', '\x4e', '\x17'})), 0, 1);
    }},
    {"pprof/wire-type-group", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_field(file, one_in(random, 2) ? "\x83\1\x84\1" : "\x84\1", 0, 2);
    }},
    {"pprof/field-number-zero", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t zeros = between(random, 1, 400);
        return append_field(file, std::string(zeros, '\0'), 0, zeros);
    }},
    {"pprof/field-number-too-large", [](FileRecords& file, Random&) -> std::optional<Planted> {
        return append_field(file, "\x80\x80\x80\x80\x10\0"s, 0, 5);
    }},
    {"pprof/prefix-too-long", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t length = between(random, 6, 10);
        std::string bytes = "\x32";
        append_leb(bytes, 1, false, length);
        return append_field(file, bytes + 'x', 1, length);
    }},
    {"pprof/wire-type-mismatch", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        return append_field(file, one_in(random, 2) ? "\x3a\2cc"s : "\x79" + random_bytes(random, 8), 0, 1);
    }},
    {"pprof/packed-truncated", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const std::string items = std::string(below(random, 5), '\1') + '\x80';
        return append_message(file, OfProfile::sample, {delimited_field(OfSample::value, items), items.size() + 1, 1});
    }},
    {"pprof/field-repeated", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (count_of(file, kDocUrl) != 0) return std::nullopt;
         return append_field(file, "\x78\0\x78\0"s, 2, 2);
    }},
    {"pprof/field-repeated", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t limit = between(random, 1, 0xffff);
        MessageBytes mapping;
        mapping.with(OfMapping::id, kFreeId).with(OfMapping::memory_limit, limit).mark(OfMapping::memory_limit, limit);
        --mapping.at, ++mapping.length;
        return append_message(file, OfProfile::mapping, mapping);
    }},
    {"pprof/concatenated-profile", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (count_of(file, kTime) == 0) return std::nullopt;
        const std::string bytes = number_field(OfProfile::time_nanos, edge_number(random, 64));
        return append_field(file, bytes, 0, bytes.size());
    }},
    {"pprof/string-table-missing", [](FileRecords& file, Random&) -> std::optional<Planted> {
        std::erase_if(file, [](const RecordValues& record) { return record.record == &kString; });
        return append_field(file, "", 0, 0);
    }},
    {"pprof/string-table-first", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto first = std::find_if(file.begin(), file.end(), [](const RecordValues& r) { return r.record == &kString; });
        if (first == file.end()) return std::nullopt;
        const uint64_t length = between(random, 1, 20);
        *first = raw_record(delimited_field(OfProfile::string_table, std::string(length, 'x')));
        return at_bytes(static_cast<size_t>(first - file.begin()), 2, length);
    }},
    {"pprof/string-index-out-of-range", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t index = std::max(count_of(file, kString), edge_number(random, 64));
        const std::string bytes = number_field(OfProfile::comment, index);
        return append_field(file, bytes, 1, bytes.size() - 1);
    }},
    {"pprof/string-not-utf8", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (count_of(file, kString) == 0) return std::nullopt;
        return append_field(file, delimited_field(OfProfile::string_table, "text" + std::string(1, pick(random, {'\x80', '\xff', '\xc0'}))), 6, 1);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kWireFaults{kWireRows};

}  // namespace tracelint::pprof
