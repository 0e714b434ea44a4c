// perf.data: ways to break the feature table and the sections of features (section 3.8).
#include "grammars/perfdata/generator/edit_recording.hpp"

namespace tracelint::perfdata {
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
