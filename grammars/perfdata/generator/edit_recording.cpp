// perf.data: changes of a recording, compressed records included, and what has to fit afterwards.
#include "grammars/perfdata/generator/edit_recording.hpp"

#include <algorithm>
#include <utility>

#include "grammars/perfdata/generator/model.hpp"
#include "grammars/perfdata/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::perfdata {

// perf.data: a zstd stream of stored blocks, as RFC 8878 has them.

namespace {

// The magic, a descriptor that asks for nothing, and a window of 512 KiB.
constexpr std::string_view kFrameHeader("\x28\xb5\x2f\xfd\x00\x48", 6);
constexpr uint64_t kLargestPayload = 2000;

}  // namespace

std::vector<std::string> StoredStream::payloads(Random& random, std::string_view plain) {
    std::string stream;
    if (!std::exchange(has_begun_, true)) stream += kFrameHeader;
    while (!plain.empty()) {
        const uint64_t size = between(random, 1, std::min<uint64_t>(plain.size(), kLargestPayload));
        for (int shift = 0; shift < 24; shift += 8) stream += static_cast<char>(size << 3 >> shift);
        stream += plain.substr(0, size);
        plain.remove_prefix(size);
    }
    std::vector<std::string> cut;
    for (size_t at = 0; at < stream.size();) {
        const uint64_t left = stream.size() - at;
        const uint64_t least = std::min<uint64_t>(left, at == 0 ? 4 : 1);
        const uint64_t size = between(random, least, std::min(left, kLargestPayload));
        cut.push_back(stream.substr(at, size));
        at += size;
    }
    return cut;
}

// perf.data: edits of a generated file or stream.

namespace {

uint64_t own_size(const RecordValues& attribute) {
    const uint64_t size = attribute.number("attr_size");
    return size == 0 ? kAttrSizes[0] : size;
}

std::vector<uint64_t> numbers_in(std::string_view bytes, ByteOrder order) {
    std::vector<uint64_t> numbers;
    for (size_t at = 0; at + 8 <= bytes.size(); at += 8) numbers.push_back(load(as_bytes(bytes).data() + at, 8, order));
    return numbers;
}

// The ids of an attribute of a file: those after the ids of the attributes before it.
std::vector<uint64_t> ids_of_file(const FileRecords& file, size_t attribute) {
    uint64_t first = 0, count = 0;
    for (size_t i = 0; i <= attribute + 1; ++i) {
        if (file[i].record != &kIdsSection) continue;
        first += count;
        count = file[i].number("size") / 8;
    }
    const RecordValues& all = file[first_record(file, kIds)];
    std::vector<uint64_t> ids;
    for (uint64_t i = 0; i < count; ++i) {
        const Value* const id = all.find("id", first + i);
        if (id == nullptr) break;
        ids.push_back(id->leaf.number);
    }
    return ids;
}

}  // namespace

uint64_t ids_offset(const RecordValues& attribute) { return fixed_size(kPrefix) + own_size(attribute); }

std::vector<size_t> attributes_of(const FileRecords& file) {
    const Record& kind = either(is_stream(file), kHeaderAttr, kAttr);
    std::vector<size_t> attributes;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kind) attributes.push_back(i);
    return attributes;
}

Event event_of(const FileRecords& file, size_t attribute) {
    const RecordValues& attr = file[attribute];
    Event event;
    event.version = attr_version(own_size(attr));
    event.sample_type = attr.number("sample_type");
    event.read_format = attr.number("read_format");
    event.branch_sample_type = attr.number("branch_sample_type");
    event.regs_user = attr.number("sample_regs_user");
    event.has_trailers = attr.number("sample_id_all") != 0;
    event.uses_clockid = attr.number("use_clockid") != 0;
    if (attr.record == &kAttr) {
        event.regs_intr = attr.number("sample_regs_intr");
        event.ids = ids_of_file(file, attribute);
        return event;
    }
    const std::string bytes = bytes_of(attr);
    if (event.version >= 4) event.regs_intr = load(as_bytes(bytes).data() + 8 + 96, 8, attr.layout.order);
    event.ids = numbers_in(std::string_view(bytes).substr(ids_offset(attr)), attr.layout.order);
    return event;
}

size_t first_record(const FileRecords& file, const Record& kind) {
    const auto found = std::ranges::find(file, &kind, &RecordValues::record);
    return static_cast<size_t>(found - file.begin());
}

size_t end_of_records(const FileRecords& file) { return first_record(file, kFeatureEntry); }

size_t early_place(const FileRecords& file) {
    return std::min(first_record(file, kFinishedInit) + 1, end_of_records(file));
}

std::optional<size_t> section_place(const FileRecords& file, uint64_t feature) {
    if (!has_feature_bits(file)) return std::nullopt;
    static constexpr std::string_view kWords[] = {"features_0", "features_1", "features_2", "features_3"};
    const auto is_set = [&](uint64_t bit) { return (file[0].number(kWords[bit / 64]) >> bit % 64 & 1) != 0; };
    if (!is_set(feature)) return std::nullopt;
    size_t at = first_record(file, kFeatureEntry);
    while (at < file.size() && file[at].record == &kFeatureEntry) ++at;
    for (uint64_t bit = 0; bit < feature; ++bit) {
        if (!is_set(bit)) continue;
        const bool is_list = at < file.size() && file[at].record == &kBuildIdEntry;
        while (is_list && at < file.size() && file[at].record == &kBuildIdEntry) ++at;
        if (!is_list) ++at;
    }
    if (at >= file.size()) return std::nullopt;
    return at;
}

RecordValues record_with(const FileRecords& file, uint64_t type, uint64_t misc, std::string_view body) {
    Encoder record(layout_of(file).order);
    record.number(type, 4).number(misc, 2).number(fixed_size(kPrefix) + body.size(), 2).bytes(body);
    return raw_record(record.text());
}

size_t put_early(FileRecords& file, uint64_t type, uint64_t misc, std::string_view body) {
    const size_t at = early_place(file);
    insert(file, at, record_with(file, type, misc, body));
    fit(file);
    return at;
}

size_t put_last(FileRecords& file, uint64_t type, uint64_t misc, std::string_view body) {
    const size_t at = end_of_records(file);
    insert(file, at, record_with(file, type, misc, body));
    fit(file);
    return at;
}

std::string early_trailer(const FileRecords& file) {
    const std::vector<size_t> attributes = attributes_of(file);
    if (attributes.empty()) return {};
    const Event event = event_of(file, attributes[0]);
    const uint64_t id = event.ids.empty() ? 0 : event.ids[0];
    return trailer(event, {.pid = 1, .tid = 1, .time = 1, .id = id}, layout_of(file).order);
}

// perf.data: what a file says of where its parts are (sections 3.1, 3.2 and 3.8).

namespace {

// The offset of each record, and of the end of the file.
std::vector<uint64_t> offsets_of(const FileRecords& file) {
    std::vector<uint64_t> offsets{0};
    for (const RecordValues& record : file) offsets.push_back(offsets.back() + bytes_of(record).size());
    return offsets;
}

size_t first_of(const FileRecords& file, const Record& kind) {
    const auto found = std::ranges::find(file, &kind, &RecordValues::record);
    return static_cast<size_t>(found - file.begin());
}

// A mutated record may have lost the field.
void set_if_there(RecordValues& record, std::string_view field, uint64_t number) {
    if (Value* const value = record.find(field)) value->leaf.number = number;
}

void fit_attributes(FileRecords& file, const std::vector<uint64_t>& offsets) {
    const size_t ids = first_of(file, kIds);
    uint64_t next = ids < file.size() ? offsets[ids] : 0;
    for (RecordValues& record : file) {
        if (record.record != &kIdsSection) continue;
        set_if_there(record, "offset", next);
        next += record.number("size");
    }
}

void fit_header(FileRecords& file, const std::vector<uint64_t>& offsets) {
    RecordValues& header = file[0];
    const size_t attrs = first_of(file, kAttr), table = first_of(file, kFeatureEntry);
    size_t data = attrs;
    while (data < file.size() && (file[data].record == &kAttr || file[data].record == &kIdsSection)) ++data;
    set_if_there(header, "attrs_offset", offsets[attrs]);
    set_if_there(header, "attrs_size", offsets[data] - offsets[attrs]);
    set_if_there(header, "data_offset", offsets[data]);
    set_if_there(header, "data_size", offsets[table] - offsets[data]);
}

// EVENT_DESC repeats the attributes of the file and their ids.
void describe_events(FileRecords& file) {
    const size_t section = first_of(file, kEventDesc), all_ids = first_of(file, kIds);
    if (section == file.size() || all_ids == file.size()) return;
    Encoder events(layout_of(file).order);
    uint64_t attr_size = 0, next = 0, count = 0;
    for (size_t i = 0; i + 1 < file.size(); ++i) {
        if (file[i].record != &kAttr) continue;
        const std::string attr = bytes_of(file[i]);
        const uint64_t ids = file[i + 1].number("size") / 8;
        attr_size = attr.size();
        events.bytes(attr).number(ids, 4).number(8, 4).bytes(std::string_view("event\0\0\0", 8));
        for (uint64_t id = 0; id < ids; ++id) {
            const Value* const value = file[all_ids].find("id", next++);
            if (value == nullptr) break;
            events.number(value->leaf.number);
        }
        ++count;
    }
    set_if_there(file[section], "nr", count);
    set_if_there(file[section], "attr_size", attr_size);
    if (Value* const value = file[section].find("events")) value->text = events.text();
}

// The sections are in the order of the table. Only BUILD_ID takes more than one record.
void fit_features(FileRecords& file, const std::vector<uint64_t>& offsets) {
    size_t entry = first_of(file, kFeatureEntry), section = entry;
    while (section < file.size() && file[section].record == &kFeatureEntry) ++section;
    for (const size_t end = section; entry < end && section < file.size(); ++entry) {
        const size_t first = section++;
        while (file[first].record == &kBuildIdEntry && section < file.size() && file[section].record == &kBuildIdEntry)
            ++section;
        set_if_there(file[entry], "offset", offsets[first]);
        set_if_there(file[entry], "size", offsets[section] - offsets[first]);
    }
}

}  // namespace

void fit(FileRecords& file) {
    if (file.empty()) return;
    if (file[0].record != &kHeader && file[0].record != &kOldHeader) return;
    describe_events(file);
    const std::vector<uint64_t> offsets = offsets_of(file);
    fit_attributes(file, offsets);
    fit_header(file, offsets);
    fit_features(file, offsets);
}

}  // namespace tracelint::perfdata
