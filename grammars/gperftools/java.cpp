// gperftools, sections 3.5 and 5.3: the text of the Java dialect.
#include "grammars/gperftools/java.hpp"

#include "grammars/gperftools/profile.hpp"

namespace tracelint::gperftools {

void Locations::take(Profile& profile, const Line& line) {
    if (const std::optional<Location> location = location_in(line.text)) {
        const Place place = line.place(location->digits);
        if (!location->id.fits) return profile.report.add(kJavaLocationOverflow, place, {location->digits.length});
        if (!profile.tracking) return;
        const Named named{location->id.value, line.record.offset(), line.length, line.record.record_index()};
        if (!named_.add(named)) profile.stop_tracking(line.whole());
        return;
    }
    if (profile.version != kJavaVersion) return;
    const std::optional<Mapping> mapping = mapping_in(line.text);
    if (mapping && !mapping->is_cooked && mapping->blanks == 0) profile.once.add(kJavaMapLine, line.whole());
}

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

}  // namespace tracelint::gperftools
