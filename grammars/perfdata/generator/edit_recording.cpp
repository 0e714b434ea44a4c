// perf.data: edits of a generated file or stream.
#include "grammars/perfdata/generator/edit_recording.hpp"

#include <algorithm>

namespace tracelint::perfdata {
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
    const Record& kind = is_stream(file) ? kHeaderAttr : kAttr;
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
    const Event event = event_of(file, attributes_of(file).at(0));
    const uint64_t id = event.ids.empty() ? 0 : event.ids[0];
    return trailer(event, {.pid = 1, .tid = 1, .time = 1, .id = id}, layout_of(file).order);
}

}  // namespace tracelint::perfdata
