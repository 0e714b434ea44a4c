// perf.data: what a file says of where its parts are (sections 3.1, 3.2 and 3.8).
#include <algorithm>

#include "grammars/perfdata/generator/model.hpp"
#include "grammars/perfdata/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::perfdata {
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

void fit_attributes(FileRecords& file, const std::vector<uint64_t>& offsets) {
    const size_t ids = first_of(file, kIds);
    uint64_t next = ids < file.size() ? offsets[ids] : 0;
    for (RecordValues& record : file) {
        if (record.record != &kIdsSection) continue;
        record.set("offset", next);
        next += record.number("size");
    }
}

void fit_header(FileRecords& file, const std::vector<uint64_t>& offsets) {
    RecordValues& header = file[0];
    const size_t attrs = first_of(file, kAttr), table = first_of(file, kFeatureEntry);
    size_t data = attrs;
    while (data < file.size() && (file[data].record == &kAttr || file[data].record == &kIdsSection)) ++data;
    header.set("attrs_offset", offsets[attrs]);
    header.set("attrs_size", offsets[data] - offsets[attrs]);
    header.set("data_offset", offsets[data]);
    header.set("data_size", offsets[table] - offsets[data]);
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
            events.number(value == nullptr ? 0 : value->leaf.number);
        }
        ++count;
    }
    file[section].set("nr", count);
    file[section].set("attr_size", attr_size);
    file[section].find("events")->text = events.text();
}

// The sections stand in the order of the table. Only BUILD_ID takes more than one record.
void fit_features(FileRecords& file, const std::vector<uint64_t>& offsets) {
    size_t entry = first_of(file, kFeatureEntry), section = entry;
    while (section < file.size() && file[section].record == &kFeatureEntry) ++section;
    for (const size_t end = section; entry < end && section < file.size(); ++entry) {
        const size_t first = section++;
        while (file[first].record == &kBuildIdEntry && section < file.size() && file[section].record == &kBuildIdEntry)
            ++section;
        file[entry].set("offset", offsets[first]);
        file[entry].set("size", offsets[section] - offsets[first]);
    }
}

}  // namespace

void fit(FileRecords& file) {
    if (file[0].record != &kHeader && file[0].record != &kOldHeader) return;
    describe_events(file);
    const std::vector<uint64_t> offsets = offsets_of(file);
    fit_attributes(file, offsets);
    fit_header(file, offsets);
    fit_features(file, offsets);
}

}  // namespace tracelint::perfdata
