// perf.data: ways to break an attribute, in a file or in a stream (section 3.2).
#include "grammars/perfdata/generator/edit_recording.hpp"

namespace tracelint::perfdata {
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
        const size_t at = first_record(file, is_stream(file) ? kHeaderAttr : kIds);
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
        return at_bytes(1, 0, 0);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kAttributeFaults{kAttributeRows};

}  // namespace tracelint::perfdata
