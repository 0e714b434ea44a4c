// perf.data: what all checks of a file share, and the regions of the file.
#include "grammars/perfdata/checks/state.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "validator/tables/rule.hpp"

namespace tracelint::perfdata {

// perf.data, section 5.2: the regions of a file, which may not overlap.

namespace {

constexpr Rule kSectionsOverlap{
    .id = "perfdata/sections-overlap",
    .severity = Severity::error,
    .statement = "header, attributes, ids, data and feature sections do not overlap",
    .message = "the section that this points to, {0x} to {1x}, overlaps another one, which ends at {2x}",
    .why =
        "readers read the bytes of one section as those of another. If perf inject -i gets a saved pipe stream and -o "
        "names a file, it writes attributes over the records: no reader can read the output",
    .spec = "3.1 File header; 5.2 Regions",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

Place place_of(const Region& region) {
    Place place{.offset = region.pointer, .length = 16};
    const auto in_header = [&](std::string_view field) {
        place.record = &kHeader;
        place.field = kHeader.find(field);
    };
    switch (region.kind) {
        case Region::Kind::attrs: in_header("attrs_offset"); break;
        case Region::Kind::data: in_header("data_offset"); break;
        case Region::Kind::event_types: in_header("event_types_offset"); break;
        case Region::Kind::feature_table: in_header("features_0"); break;
        case Region::Kind::ids: place.record = &kIdsSection; break;
        case Region::Kind::feature: place.record = &kFeatureEntry; break;
        case Region::Kind::header: break;
    }
    return place;
}

// Which of two regions that overlap is blamed (section 5.2).
Region& blamed_of(Region& later, Region& owner) {
    if (later.kind == Region::Kind::header) return owner;
    if (owner.kind == Region::Kind::attrs && later.kind == Region::Kind::data) return owner;
    return later;
}

// Blames each pointer to a region that overlaps one before it, once. Returns whether the attributes are among them.
bool judge_regions(State& state, std::span<Region> regions, bool is_reported) {
    const auto key = [](const Region& region) { return std::tuple(region.start, region.end, region.pointer); };
    std::ranges::sort(regions, {}, key);
    state.context.work.add(regions.size() * std::bit_width(regions.size()));
    bool blames_attrs = false;
    Region* owner = nullptr;
    for (Region& region : regions) {
        if (owner != nullptr && region.start < owner->end && !region.is_blamed && !owner->is_blamed) {
            Region& blamed = blamed_of(region, *owner);
            const Region& other = &blamed == &region ? *owner : region;
            blamed.is_blamed = true;
            blames_attrs = blames_attrs || blamed.kind == Region::Kind::attrs;
            if (is_reported)
                state.report.add<kSectionsOverlap>(place_of(blamed), {blamed.start, blamed.end, other.end});
        }
        if (owner == nullptr || region.end > owner->end) owner = &region;
    }
    return blames_attrs;
}

}  // namespace

void HeaderRegions::add(const Region& region) {
    if (region.start != region.end) regions_[count_++] = region;
}

bool HeaderRegions::judge(State& state, bool is_reported) {
    return judge_regions(state, std::span(regions_).first(count_), is_reported);
}

void Regions::add(const Region& region) {
    if (region.start == region.end) return;
    end_ = std::max(end_, region.end);
    if (!is_complete_) return;
    if (regions_.push_back(region)) return;
    is_complete_ = false;
    regions_.release();
    state_.hit_limit(place_of(region));
}

void Regions::judge() { judge_regions(state_, {regions_.begin(), regions_.end()}, true); }

constexpr Rule kTrackingLimit = tracking_limit("perfdata/tracking-limit", "6. Limits", true, "0.2.0");

void State::hit_limit(const Place& place, std::string_view hint) {
    if (!std::exchange(is_limit_hit_, true))
        report.add({.rule = &kTrackingLimit, .place = place, .numbers = {context.limits.memory}, .hint = hint});
    context.limit_hit = true;
}

constinit const RuleList kStateRules = rules<&kSectionsOverlap, &kTrackingLimit>;

}  // namespace tracelint::perfdata
