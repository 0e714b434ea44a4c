// Planted faults of metadata rows and payloads.
#include "grammars/nettrace/generator/faults.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace::faults {
namespace {

std::string text(std::string_view latin) { return utf16_of(std::string(latin) + '\0'); }
std::string short_text(std::string_view utf8) { return bytes_of_varint(utf8.size()) + std::string(utf8); }

// A row of versions 4 and 5 up to its fields.
std::string row_front(uint64_t id) {
    return bytes_of_number(id, 4) + text("S") + bytes_of_number(1, 4) + text("A") + bytes_of_number(0, 8) +
           bytes_of_number(1, 4) + bytes_of_number(4, 4);
}
// One of version 6.
std::string plain_front(uint64_t id) {
    return bytes_of_varint(id) + short_text("S") + bytes_of_varint(1) + short_text("A");
}

constexpr uint64_t kNewId = 0x7ffffff0;  // of no row of the file

// Adds a block with one row before the end of the stream. Returns the index of the row.
std::optional<size_t> append_row(FileRecords& file, const std::string& row) {
    if (is_netperf(file) || end_of(file) == file.size()) return std::nullopt;
    std::vector<RecordValues> content;
    if (is_plain(file)) {
        content.push_back(made(file, kMetadataStart, bytes_of_number(0, 2)));
        content.push_back(raw_record(bytes_of_number(row.size(), 2) + row));
        return insert_block(file, end_of(file), Kind::metadata, std::move(content)) + 1;
    }
    content.push_back(
        made(file, kEventBlock,
             bytes_of_number(20, 2) + bytes_of_number(1, 2) + bytes_of_number(0, 8) + bytes_of_number(kNone, 8)));
    content.push_back(made(file, kRowHeader, std::string("\x80\0", 2) + bytes_of_varint(row.size())));
    content.push_back(raw_record(row));
    return insert_block(file, end_of(file), Kind::metadata, std::move(content)) + 2;
}

// The same; the finding is `length` bytes at `offset` in the row, without the size that rows of version 6 have.
std::optional<Planted> plant_row(FileRecords& file, const std::string& row, uint64_t offset, uint64_t length) {
    const auto at = append_row(file, row);
    if (!at) return std::nullopt;
    return at_bytes(*at, offset + (is_plain(file) ? 2 : 0), length);
}

std::string field_row(uint64_t type) {
    return row_front(kNewId) + bytes_of_number(1, 4) + bytes_of_number(type, 4) + text("x");
}
std::string plain_field_row(const std::string& type) {
    const std::string content = short_text("x") + type;
    return plain_front(kNewId) + bytes_of_number(1, 2) + bytes_of_number(content.size(), 2) + content +
           bytes_of_number(0, 2);
}
uint64_t plain_type_at() { return plain_front(kNewId).size() + 2 + 2 + 2; }
std::string tag(uint64_t kind, const std::string& content) {
    return bytes_of_number(content.size(), 4) + std::string(1, static_cast<char>(kind)) + content;
}
std::string tagged(const std::string& tags) { return row_front(kNewId) + bytes_of_number(0, 4) + tags; }
uint64_t tags_at() { return row_front(kNewId).size() + 4; }

// clang-format off
constexpr FaultRow kMetadataRows[] = {
    {"nettrace/metadata-id-invalid", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t id = one_in(random, 2) ? 0 : between(random, 0x80000000, 0xffffffff);
        if (is_plain(file)) return plant_row(file, plain_front(id) + bytes_of_number(0, 4), 0, bytes_of_varint(id).size());
        return plant_row(file, row_front(id) + bytes_of_number(0, 4), 0, 4);
    }},
    {"nettrace/duplicate-metadata", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (is_plain(file)) {
            if (!append_row(file, plain_front(kNewId) + bytes_of_number(0, 4))) return std::nullopt;
            return plant_row(file, plain_front(kNewId) + bytes_of_number(0, 4), 0, bytes_of_varint(kNewId).size());
        }
        if (!append_row(file, row_front(kNewId) + bytes_of_number(0, 4))) return std::nullopt;
        return plant_row(file, row_front(kNewId) + bytes_of_number(0, 4), 0, 4);
    }},
    {"nettrace/provider-name-empty", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (is_plain(file)) return plant_row(file, bytes_of_varint(kNewId) + short_text("") + bytes_of_varint(1) + short_text("A") + bytes_of_number(0, 4), 5, 1);
        return plant_row(file, bytes_of_number(kNewId, 4) + text("") + bytes_of_number(1, 4) + text("A") + bytes_of_number(0, 8) + bytes_of_number(1, 4) + bytes_of_number(4, 4) + bytes_of_number(0, 4), 4, 2);
    }},
    {"nettrace/metadata-value-range", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t id = between(random, 65'536, 0xffffffff);
        if (is_plain(file)) return plant_row(file, bytes_of_varint(kNewId) + short_text("S") + bytes_of_varint(id) + short_text("A") + bytes_of_number(0, 4), 7, bytes_of_varint(id).size());
        return plant_row(file, bytes_of_number(kNewId, 4) + text("S") + bytes_of_number(id, 4) + text("A") + bytes_of_number(0, 8) + bytes_of_number(1, 4) + bytes_of_number(4, 4) + bytes_of_number(0, 4), 8, 4);
    }},
    {"nettrace/field-count", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (is_plain(file)) return plant_row(file, plain_front(kNewId) + bytes_of_number(between(random, 1, 0xffff), 2) + bytes_of_number(0, 2), plain_front(kNewId).size(), 2);
        const uint64_t count = one_in(random, 2) ? kNone : between(random, 10, 0x7fffffff);
        return plant_row(file, row_front(kNewId) + bytes_of_number(count, 4) + bytes_of_number(9, 4) + text("x"), row_front(kNewId).size(), 4);
    }},
    {"nettrace/type-code", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t code = pick<uint64_t>(random, {0, 2, 27, 200});
        if (is_plain(file)) return plant_row(file, plain_field_row(bytes_of_number(one_in(random, 4) ? 15 : code, 1)), plain_type_at(), 1);
        return plant_row(file, field_row(one_in(random, 4) ? 19 : code), row_front(kNewId).size() + 4, 4);
    }},
    {"nettrace/type-nesting", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        const uint64_t depth = between(random, 33, 50);
        return plant_row(file, plain_field_row(std::string(depth, '\x13') + '\x09'), plain_type_at() + 32, 1);
    }},
    {"nettrace/loc-element-type", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        const std::string location = bytes_of_number(between(random, 24, 25), 1);
        return plant_row(file, plain_field_row(location + bytes_of_number(pick<uint64_t>(random, {18, 20, 21}), 1)), plain_type_at(), 1);
    }},
    {"nettrace/both-field-lists", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        const std::string row = field_row(9);
        return plant_row(file, row + tag(2, bytes_of_number(0, 4)), row.size() + 4, 1);
    }},
    {"nettrace/duplicate-metadata-tag", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        return plant_row(file, tagged(tag(1, "\1") + tag(1, "\2")), tags_at() + 6 + 4, 1);
    }},
    {"nettrace/unknown-optional-metadata", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        const uint64_t kind = pick<uint64_t>(random, {0, 2, 10, 255});
        return plant_row(file, plain_front(kNewId) + bytes_of_number(0, 2) + bytes_of_number(2, 2) + bytes_of_number(kind, 1) + "\1", plain_front(kNewId).size() + 4, 1);
    }},
    {"nettrace/inner-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t size = between(random, 100, 0x7fff);
        if (is_plain(file)) return plant_row(file, plain_front(kNewId) + bytes_of_number(0, 2) + bytes_of_number(size, 2), plain_front(kNewId).size() + 2, 2);
        return plant_row(file, tagged(bytes_of_number(one_in(random, 2) ? kNone : size, 4) + "\1\1"), tags_at(), 4);
    }},
    {"nettrace/field-overruns-item", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        const std::string row = row_front(kNewId).substr(0, row_front(kNewId).size() - between(random, 1, 4));
        return plant_row(file, row, row_front(kNewId).size() - 4, row.size() + 4 - row_front(kNewId).size());
    }},
    {"nettrace/string-unterminated", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        return plant_row(file, bytes_of_number(kNewId, 4) + std::string("P\0r\0o\0", 6), 4, 6);
    }},
    {"nettrace/invalid-utf16", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        const std::string unit = bytes_of_number(between(random, 0xd800, 0xdfff), 2);
        return plant_row(file, bytes_of_number(kNewId, 4) + std::string("P\0", 2) + unit + text("x") + bytes_of_number(1, 4) + text("A") + bytes_of_number(0, 8) + bytes_of_number(1, 4) + bytes_of_number(4, 4) + bytes_of_number(0, 4), 6, 2);
    }},
    // A row with a number, and an event of its kind whose payload is cut.
    {"nettrace/payload-short", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto last = last_events(file);
        if (last.empty() || is_netperf(file)) return std::nullopt;
        LastEvent event = pick_of(random, last);
        // The metadata comes right before the block of the event.
        const std::string row = is_plain(file) ? plain_field_row("\x0b") : field_row(11);
        std::vector<RecordValues> content;
        if (is_plain(file)) {
            content.push_back(made(file, kMetadataStart, bytes_of_number(0, 2)));
            content.push_back(raw_record(bytes_of_number(row.size(), 2) + row));
        } else {
            content.push_back(made(file, kEventBlock, bytes_of_number(20, 2) + bytes_of_number(1, 2) + bytes_of_number(0, 8) + bytes_of_number(kNone, 8)));
            content.push_back(made(file, kRowHeader, std::string("\x80\0", 2) + bytes_of_varint(row.size())));
            content.push_back(raw_record(row));
        }
        const size_t before = file.size();
        insert_block(file, event.block.start, Kind::metadata, std::move(content));
        event.record += file.size() - before;
        event.values.metadata_id = kNewId;
        event.values.payload = random_bytes(random, between(random, 1, 7));
        rewrite(file, event);
        return at_field(event.record, "payload");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kMetadataFaults{kMetadataRows};

}  // namespace tracelint::nettrace::faults
