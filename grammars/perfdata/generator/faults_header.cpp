// perf.data: ways to break the header, and what it says of where the parts of a file are (section 3.1).
#include "grammars/perfdata/generator/edit_recording.hpp"

namespace tracelint::perfdata {
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

}  // namespace tracelint::perfdata
