// perf.data: ways to break the header, the attributes and the features.
#include "grammars/perfdata/generator/edit_recording.hpp"
#include "grammars/perfdata/perfdata.hpp"

namespace tracelint::perfdata {

// perf.data: ways to break the header, and what it says of where the parts of a file are (section 3.1).

namespace {

using Plan = std::optional<Planted>;

// Puts bytes that belong to nothing between attrs and data.
void part_attrs_and_data(FileRecords& file, uint64_t bytes) {
    size_t data = first_record(file, kAttr);
    while (file[data].record == &kAttr || file[data].record == &kIdsSection) ++data;
    insert(file, data, raw_record(std::string(bytes, '\0')));
    fit(file);
    file[0].set("data_offset", file[0].number("data_offset") + bytes);
    file[0].set("data_size", file[0].number("data_size") - bytes);
}

uint64_t size_of_file(const FileRecords& file) { return size_of(file, 0, file.size()); }

// clang-format off
constexpr FaultRow kHeaderRows[] = {
    {"perfdata/truncated-header", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t left = between(random, 8, bytes_of(file[0]).size() - 1);
        cut(file, 0, left);
        return at_bytes(0, 0, left);
    }},
    {"perfdata/bad-magic", [](FileRecords& file, Random& random) -> Plan {
        if (file[0].layout.version != kCurrent) return std::nullopt;
        file[0].set("magic", kMagic ^ uint64_t{1} << below(random, 64));
        return at_field(0, "magic");
    }},
    {"perfdata/header-size", [](FileRecords& file, Random& random) -> Plan {
        if (!has_feature_bits(file)) return std::nullopt;
        file[0].set("size", pick<uint64_t>(random, {0, 15, 80, 103, 105, 112, uint64_t{1} << 40}));
        return at_field(0, "size");
    }},
    {"perfdata/header-unfinished", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file)) return std::nullopt;
        for (const std::string_view field : {"attr_size", "attrs_size", "data_size"}) file[0].set(field, 0);
        return at_bytes(0, 16, bytes_of(file[0]).size() - 16);
    }},
    {"perfdata/attr-size", [](FileRecords& file, Random& random) -> Plan {
        if (is_stream(file)) return std::nullopt;
        file[0].set("attr_size", pick<uint64_t>(random, {0, 8, 72, 79, 81, 143, 4104, uint64_t{1} << 63}));
        return at_field(0, "attr_size");
    }},
    {"perfdata/section-exceeds-file", [](FileRecords& file, Random& random) -> Plan {
        if (is_stream(file)) return std::nullopt;
        const bool is_near = one_in(random, 2);
        file[0].set("attrs_offset", is_near ? size_of_file(file) - 8 : kNone - 8);
        return at_bytes(0, 24, 16);
    }},
    {"perfdata/section-exceeds-file", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file)) return std::nullopt;
        file[0].set("event_types_offset", size_of_file(file));
        file[0].set("event_types_size", 1);
        return at_bytes(0, 56, 16);
    }},
    {"perfdata/attrs-none", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file)) return std::nullopt;
        file[0].set("attrs_size", 0);
        return at_bytes(0, 24, 16);
    }},
    {"perfdata/attrs-remainder", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file)) return std::nullopt;
        part_attrs_and_data(file, 8);
        file[0].set("attrs_size", file[0].number("attrs_size") + 8);
        return at_field(0, "attrs_size");
    }},
    {"perfdata/data-unaligned", [](FileRecords& file, Random& random) -> Plan {
        if (is_stream(file)) return std::nullopt;
        part_attrs_and_data(file, between(random, 1, 7));
        return at_field(0, "data_offset");
    }},
    {"perfdata/data-size-zero", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file)) return std::nullopt;
        erase(file, end_of_records(file), file.size());
        file[0].set("data_size", 0);
        return at_field(0, "data_size");
    }},
    {"perfdata/data-exceeds-file", [](FileRecords& file, Random& random) -> Plan {
        if (is_stream(file)) return std::nullopt;
        const size_t last = end_of_records(file) - 1;
        cut(file, last, below(random, bytes_of(file[last]).size()));
        Planted planted = at_bytes(0, 40, 16);
        planted.consequences = {"perfdata/compressed-tail"};
        return planted;
    }},
    {"perfdata/sections-overlap", [](FileRecords& file, Random&) -> Plan {
        if (is_stream(file) || file[0].number("data_size") < 24) return std::nullopt;
        file[0].set("event_types_offset", file[0].number("data_offset") + 8);
        file[0].set("event_types_size", 8);
        return at_bytes(0, 56, 16);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

// perf.data: ways to break an attribute, in a file or in a stream (section 3.2).

namespace {

using Plan = std::optional<Planted>;

bool any_attribute(const RecordValues&) { return true; }

// The finding is at flags, of which the table has the parts.
Planted at_flags(const FileRecords& file, size_t at) { return at_bytes(at, file[at].record == &kAttr ? 40 : 48, 8); }

Planted with_wrong_layout(Planted planted) {
    planted.consequences = kWrongLayout;
    return planted;
}

// clang-format off
constexpr FaultRow kAttributeRows[] = {
    {"perfdata/attr-own-size", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose_attribute(file, random, any_attribute);
        if (!at) return std::nullopt;
        const uint64_t size = file[*at].number("attr_size");
        file[*at].set("attr_size", is_stream(file) ? pick<uint64_t>(random, {4, 60, 0xfff8}) : size + 8);
        return with_wrong_layout(at_field(*at, "attr_size"));
    }},
    {"perfdata/attr-ids", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kIdsSection, any);
        if (!at) return std::nullopt;
        const bool is_far = one_in(random, 2);
        const uint64_t size = file[*at].number("size");
        file[*at].set(is_far ? "offset" : "size", is_far ? uint64_t{1} << 40 : size + between(random, 1, 7));
        return with_wrong_layout(at_bytes(*at, 0, 16));
    }},
    {"perfdata/attr-unknown-bits", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose_attribute(file, random, any_attribute);
        if (!at) return std::nullopt;
        const bool is_read = one_in(random, 2);
        const std::string_view field = is_read ? "read_format" : "sample_type";
        file[*at].set(field, file[*at].number(field) | uint64_t{1} << between(random, is_read ? 5 : 25, 63));
        return at_field(*at, field);
    }},
    {"perfdata/tracepoint-without-format", [](FileRecords& file, Random&) -> Plan {
        // simpleperf keeps formats in a record of its own.
        const bool is_old = !is_stream(file) && !has_feature_bits(file);
        const bool has_formats = std::ranges::any_of(file, [](const RecordValues& one) {
            return one.record == &kHeaderTracingData || one.record == &kOther;
        });
        if (is_old || has_formats || attributes_of(file).empty()) return std::nullopt;
        const size_t at = attributes_of(file).front();
        file[at].set("attr_type", 2);
        return at_bytes(at, is_stream(file) ? fixed_size(kPrefix) : 0, 16);
    }},
    {"perfdata/attr-reserved", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose_attribute(file, random, [](const RecordValues& attr) { return attr.number("attr_size") <= 128; });
        if (!at) return std::nullopt;
        file[*at].set("reserved", uint64_t{1} << below(random, 26));
        return at_flags(file, *at);
    }},
    {"perfdata/attrs-disagree", [](FileRecords& file, Random&) -> Plan {
        const std::vector<size_t> attributes = attributes_of(file);
        if (attributes.size() < 2) return std::nullopt;
        RecordValues& second = file[attributes[1]];
        second.set("sample_id_all", 1 - second.number("sample_id_all"));
        Planted planted = at_flags(file, attributes[1]);
        planted.consequences = {"perfdata/record-body-too-small"};
        return planted;
    }},
    // The place of ID moves by one word.
    {"perfdata/attrs-disagree", [](FileRecords& file, Random&) -> Plan {
        const std::vector<size_t> attributes = attributes_of(file);
        if (attributes.size() < 2) return std::nullopt;
        RecordValues& second = file[attributes[1]];
        const uint64_t type = second.number("sample_type");
        if ((type >> kIdentifierBit & 1) != 0) return std::nullopt;
        second.set("sample_type", type ^ uint64_t{1} << kAddrBit);
        Planted planted = at_field(attributes[1], "sample_type");
        planted.consequences = {"perfdata/record-body-too-small"};
        return planted;
    }},
    {"perfdata/read-without-id", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose_attribute(file, random, [](const RecordValues& attr) {
            return (attr.number("sample_type") >> kReadBit & 1) != 0;
        });
        if (!at) return std::nullopt;
        file[*at].set("read_format", file[*at].number("read_format") & ~uint64_t{4});
        return with_wrong_layout(at_field(*at, "read_format"));
    }},
    {"perfdata/duplicate-event-id", [](FileRecords& file, Random&) -> Plan {
        const std::vector<size_t> attributes = attributes_of(file);
        if (attributes.size() < 2) return std::nullopt;
        const Event first = event_of(file, attributes[0]);
        const size_t at = first_record(file, either(is_stream(file), kHeaderAttr, kIds));
        if (first.ids.empty()) return std::nullopt;
        if (!is_stream(file)) {
            Value* const id = file[at].find("id", first.ids.size());
            if (id == nullptr) return std::nullopt;
            id->leaf.number = first.ids[0];
            fit(file);
            Planted planted = with_wrong_layout(at_field(at, "id"));
            planted.element = first.ids.size();
            return planted;
        }
        RecordValues& second = file[attributes[1]];
        std::string& rest = second.find("rest")->text;
        const uint64_t offset = ids_offset(second), before = bytes_of(second).size() - rest.size();
        if (offset - before + 8 > rest.size()) return std::nullopt;
        rest.replace(offset - before, 8, Encoder(second.layout.order).number(first.ids[0]).text());
        return with_wrong_layout(at_bytes(attributes[1], offset, 8));
    }},
    {"perfdata/stream-attr", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kHeaderAttr, any);
        if (!at || !is_stream(file)) return std::nullopt;
        file[*at].find("rest")->text += std::string(between(random, 1, 7), '\0');
        update_sizes(file[*at]);
        const uint64_t offset = ids_offset(file[*at]);
        Planted planted = with_wrong_layout(at_bytes(*at, offset, bytes_of(file[*at]).size() - offset));
        planted.consequences.push_back("perfdata/record-unaligned");
        return planted;
    }},
    {"perfdata/stream-no-attr", [](FileRecords& file, Random&) -> Plan {
        if (!is_stream(file)) return std::nullopt;
        std::erase_if(file, [](const RecordValues& record) { return record.record == &kHeaderAttr; });
        if (file.size() == 1) return std::nullopt;
        return at_bytes(1, 0, 0);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kAttributeFaults{kAttributeRows};

// perf.data: ways to break the feature table and the sections of features (section 3.8).

namespace {

using Plan = std::optional<Planted>;

// The text of a section, its length included.
std::optional<size_t> choose_text(const FileRecords& file, Random& random) {
    return choose(file, random, kTextFeature, any);
}

// clang-format off
constexpr FaultRow kFeatureRows[] = {
    {"perfdata/feature-reserved-bit", [](FileRecords& file, Random&) -> Plan {
        const size_t table = first_record(file, kFeatureEntry);
        if (table == file.size()) return std::nullopt;
        size_t sections = table;
        while (sections < file.size() && file[sections].record == &kFeatureEntry) ++sections;
        insert(file, sections, raw_record(std::string(8, '\0')));
        insert(file, table, file[table]);
        file[0].set("features_0", file[0].number("features_0") | 1);
        fit(file);
        return at_field(0, "features_0");
    }},
    {"perfdata/feature-table-truncated", [](FileRecords& file, Random& random) -> Plan {
        const size_t table = first_record(file, kFeatureEntry);
        if (table == file.size()) return std::nullopt;
        const uint64_t left = between(random, 1, fixed_size(kFeatureEntry) - 1);
        cut(file, table, left);
        return at_bytes(table, 0, left);
    }},
    {"perfdata/feature-exceeds-file", [](FileRecords& file, Random& random) -> Plan {
        const auto entry = choose(file, random, kFeatureEntry, any);
        if (!entry) return std::nullopt;
        file[*entry].set("size", one_in(random, 2) ? size_of(file, 0, file.size()) : kNone);
        return at_bytes(*entry, 0, 16);
    }},
    {"perfdata/feature-too-small", [](FileRecords& file, Random& random) -> Plan {
        const uint64_t feature = pick<uint64_t>(random, {kNrCpusFeature, kTotalMemFeature, kSampleTimeFeature,
                                                         kClockIdFeature, kClockDataFeature, kCmdlineFeature});
        const auto section = section_place(file, feature);
        if (!section) return std::nullopt;
        const uint64_t size = between(random, 1, feature == kCmdlineFeature ? 3 : 7);
        file[*section] = raw_record(std::string(size, '\1'));
        fit(file);
        return at_bytes(*section, 0, size);
    }},
    {"perfdata/feature-string", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose_text(file, random);
        if (!section) return std::nullopt;
        const uint64_t room = file[*section].number("len") + file[*section].find("padding")->text.size();
        file[*section].set("len", one_in(random, 2) ? room + 1 : 0xffffffff);
        return at_field(*section, "len");
    }},
    {"perfdata/feature-string", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose(file, random, kCmdline, any);
        if (!section) return std::nullopt;
        file[*section].set("nr", between(random, 1 << 20, 0xffffffff));
        return at_field(*section, "nr");
    }},
    {"perfdata/injected-by-bad-release", [](FileRecords& file, Random& random) -> Plan {
        const auto section = section_place(file, kVersionFeature);
        if (!section || is_stream(file)) return std::nullopt;
        std::string& text = file[*section].find("text")->text;
        const auto release = pick<std::string_view>(random, {"5.4.215", "5.10.202", "5.19.17", "4.19.260"});
        if (text.size() <= release.size()) return std::nullopt;
        text.replace(0, text.size(), release).append(file[*section].number("len") - release.size(), '\0');
        Encoder body(layout_of(file).order);
        body.number(7, 4).number(7, 4).number(0x500000, 8).number(0x1000, 8).number(0, 8);
        body.bytes("/tmp/jitted-7-1.so").bytes(std::string(6, '\0')).bytes(early_trailer(file));
        put_early(file, kMmapType, 2, body.text());
        const size_t at = *section_place(file, kVersionFeature);
        return at_bytes(at, 4, release.size());
    }},
    {"perfdata/feature-string-unterminated", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose_text(file, random);
        if (!section) return std::nullopt;
        std::string& text = file[*section].find("text")->text;
        text.assign(text.size(), 'x');
        return at_field(*section, "text");
    }},
    {"perfdata/event-desc-broken", [](FileRecords& file, Random& random) -> Plan {
        const size_t section = first_record(file, kEventDesc);
        if (section == file.size()) return std::nullopt;
        const bool is_size = one_in(random, 2);
        file[section].set(is_size ? "attr_size" : "nr", is_size ? pick<uint64_t>(random, {0, 56, 63, 65}) : 1 << 30);
        return at_field(section, is_size ? "attr_size" : "nr");
    }},
    {"perfdata/event-desc-differs", [](FileRecords& file, Random&) -> Plan {
        const size_t section = first_record(file, kEventDesc);
        if (section == file.size()) return std::nullopt;
        std::string& events = file[section].find("events")->text;  // ends in an id
        events[events.size() - 4] ^= '\x55';
        return at_bytes(section, 0, 4);
    }},
    {"perfdata/build-id-entry", [](FileRecords& file, Random& random) -> Plan {
        const auto entry = choose(file, random, kBuildIdEntry, any);
        if (!entry) return std::nullopt;
        file[*entry].set("size", pick<uint64_t>(random, {0, 8, 36, 0xffff}));
        return at_bytes(*entry, 0, 8);
    }},
    {"perfdata/build-id-too-long", [](FileRecords& file, Random& random) -> Plan {
        const auto entry = choose(file, random, kBuildIdEntry, any);
        if (!entry) return std::nullopt;
        file[*entry].set("misc", file[*entry].number("misc") | kHasBuildIdSize);
        file[*entry].set("build_id_size", between(random, 21, 255));
        return at_field(*entry, "build_id_size");
    }},
    {"perfdata/sample-time-order", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose(file, random, kSampleTime, any);
        if (!section) return std::nullopt;
        file[*section].set("first", file[*section].number("last") + 1);
        return at_bytes(*section, 0, 16);
    }},
    {"perfdata/clock-data-differs", [](FileRecords& file, Random& random) -> Plan {
        const auto section = choose(file, random, kClockData, any);
        if (!section) return std::nullopt;
        file[*section].set(one_in(random, 2) ? "version" : "clockid", 7);
        return at_bytes(*section, 0, 8);
    }},
    {"perfdata/stream-feature", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kHeaderFeature, any);
        if (!at) return std::nullopt;
        file[*at].set("feat_id", pick<uint64_t>(random, {0, 256, 257, kNone}));
        return at_field(*at, "feat_id");
    }},
    {"perfdata/stream-feature", [](FileRecords& file, Random& random) -> Plan {
        const auto at = choose(file, random, kHeaderFeature, any);
        if (!at) return std::nullopt;
        insert(file, *at, file[*at]);
        return at_field(*at + 1, "feat_id");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kFeatureFaults{kFeatureRows};

}  // namespace tracelint::perfdata
