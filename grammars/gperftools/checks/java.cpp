// gperftools, section 3.5: the text of the Java dialect, which gives names to ids.
#include "grammars/gperftools/checks/java.hpp"

#include "grammars/gperftools/checks/profile.hpp"

namespace tracelint::gperftools {

constexpr Rule kJavaLocationOverflow{
    .id = "gperftools/java-location-overflow",
    .severity = Severity::error,
    .statement = "the id of a location line is below 2^64",
    .message = "the id has {0 digit|digits}, and its value does not fit into 64 bits",
    .why = "Go pprof refuses the whole file; google-pprof ignores the line",
    .spec = "3.5 Dialects",
    .since = "0.1.0",
};

constexpr Rule kJavaMapLine{
    .id = "gperftools/java-map-line",
    .severity = Severity::warning,
    .statement = "a profile of the Java dialect lists no mapped objects",
    .message = "a mapping line in a profile of format version 1 ({0 line|lines} of this profile)",
    .why =
        "the version says Java, but the profile looks like one of C or C++ with a damaged version: Go pprof treats its "
        "PCs as ids, and silently loses every mapping and every symbol",
    .spec = "3.5 Dialects",
    .since = "0.1.0",
};

// What follows the id and the blanks after it.
static LineText name_in(LineText line, const Location& location) {
    const LineText rest = line.substr(location.digits.at + location.digits.length);
    return rest.substr(rest.find_first_not_of(" \t"));
}

void Locations::check_line(Profile& profile, const Line& line) {
    if (const std::optional<Location> location = location_in(line.text)) {
        const Place place = line.place(location->digits);
        if (!location->id.fits)
            return profile.report.add<kJavaLocationOverflow>(place, {uint64_t{location->digits.length}});
        if (profile.context.names != nullptr) profile.context.names->on_name(as_bytes(name_in(line.text, *location)));
        if (!profile.tracking) return;
        const Named named{location->id.value, line.record.offset(), line.length, line.record.record_index()};
        if (!named_.add(named)) profile.stop_tracking(line.whole());
        return;
    }
    if (profile.version != kJavaVersion) return;
    const std::optional<Mapping> mapping = mapping_in(line.text);
    if (mapping && !mapping->is_cooked && mapping->blanks == 0) profile.once.add<kJavaMapLine>(line.whole());
}

constexpr Rule kJavaLocationDuplicate{
    .id = "gperftools/java-location-duplicate",
    .severity = Severity::note,
    .statement = "an id has one location line",
    .message = "an earlier line already has the id {1x} ({0 line|lines} of this profile)",
    .why = "Go pprof uses the last line of the id",
    .spec = "3.5 Dialects",
    .since = "0.1.0",
};

void Locations::finish(Profile& profile) {
    const std::span<const Named> named = named_.sorted();
    for (const Named& one : named) {
        if (one.repetitions == 0) continue;
        const View<kLine> line(nullptr, one.offset, ByteOrder::little, one.index);
        profile.once.add(
            {.rule = &kJavaLocationDuplicate, .place = line.place<"text">(0, one.length), .numbers = {0, one.key}},
            one.repetitions);
    }
    check_ids(profile, named);
}

constexpr Rule kJavaLocationMissing{
    .id = "gperftools/java-location-missing",
    .severity = Severity::note,
    .statement = "every id of a call chain has a location line",
    .message = "no location line has the id {1x} ({0 id|ids} of this profile)",
    .why = "frames with this id have no name",
    .spec = "3.5 Dialects",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Both lists ascend.
void Locations::check_ids(Profile& profile, std::span<const Named> named) {
    size_t at = 0;
    for_each_address(profile.leaves, profile.callers, [&](uint64_t id, const Leaf* leaf, const Caller* caller) {
        while (at < named.size() && named[at].key < id) ++at;
        if (at < named.size() && named[at].key == id) return;
        profile.once.add({.rule = &kJavaLocationMissing,
                          .place = place_of(profile, first_of(leaf, caller)),
                          .numbers = {0, id},
                          .about_end = profile.ends_file});
    });
}

constinit const RuleList kJavaRules =
    rules<&kJavaLocationOverflow, &kJavaMapLine, &kJavaLocationDuplicate, &kJavaLocationMissing>;

}  // namespace tracelint::gperftools
