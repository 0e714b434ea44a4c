// gperftools, section 4: what is remembered of the profile at hand.
#include "grammars/gperftools/profile.hpp"

namespace tracelint::gperftools {

void Profile::clear() {
    sums = {};
    depths = {};
    tracking = true;
    leaves.clear();
    callers.clear();
    mappings.clear();
    locations.clear();
}

void Profile::stop_tracking(const Place& place) {
    if (!tracking) return;
    tracking = false;
    leaves.release();
    callers.release();
    mappings.release();
    locations.release();
    once.drop(kMapOverlap);
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = place,
                .numbers = {context.limits.memory},
                .hint = "addresses, mappings and ids of this profile are not compared with each other"});
}

void Profile::finish_records(uint64_t offset) {
    if (is_native()) {
        if (depths.above.records > 0)
            once.add({.rule = &kDepthExceedsWriterLimit, .place = depths.above.first, .numbers = {0, depths.above.pcs}},
                     depths.above.records);
        const Depths::Met& cut = depths.limit.records > 0 ? depths.limit : depths.old_limit;
        const bool is_old_limit = depths.largest == kOldWriterDepth && depths.old_limit.records >= 2;
        // What is missing of the file may have a deeper chain, and then 64 is no limit.
        if (depths.limit.records > 0 || is_old_limit)
            once.add({.rule = &kStackTruncated,
                      .place = cut.first,
                      .numbers = {0, cut.pcs},
                      .about_end = is_old_limit && ends_file},
                     cut.records);
    }
    totals.records += sums.records;
    totals.samples += sums.samples;
    totals.depth = std::max(totals.depth, depths.largest);
    totals.mappings += mappings.count();
    if (!leaves.settle()) stop_tracking({.offset = offset});
}

void Profile::finish() {
    for_each_address(leaves, callers, [&](uint64_t, const Leaf*, const Caller*) { ++totals.addresses; });
    once.report_to(report);
    clear();
}

Place place_of(const Profile& profile, const Slot& slot) {
    const View<kCall> call(nullptr, slot.offset, profile.layout.order, slot.record,
                           View<kRecord>::field<"call_chain">(), slot.element);
    return call.place<"pc">(0, profile.layout.word_size);
}

}  // namespace tracelint::gperftools
