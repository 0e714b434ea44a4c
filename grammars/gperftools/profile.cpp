// gperftools, section 4: what is remembered of the current profile.
#include "grammars/gperftools/profile.hpp"

#include "validator/tables/tracking_limit.hpp"

namespace tracelint::gperftools {

void Profile::clear() {
    sums = {};
    depths = {};
    highest_pc = 0;
    tracking = true;
    leaves.clear();
    callers.clear();
    mappings.clear();
    locations.clear();
}

// --- 4.3 Bounds and memory -------------------------------------------------------------------------------------------

constexpr Rule kTrackingLimit = tracking_limit("gperftools/tracking-limit", "4.3 Bounds and memory", false);

void Profile::stop_tracking(const Place& place) {
    if (!tracking) return;
    tracking = false;
    leaves.release();
    callers.release();
    mappings.stop_tracking(*this);
    locations.release();
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = place,
                .numbers = {context.limits.memory},
                .hint = "addresses, mappings and ids of this profile are not compared with each other"});
}

// --- 5.2 Records and trailer -----------------------------------------------------------------------------------------

constexpr Rule kDepthExceedsWriterLimit{
    .id = "gperftools/depth-exceeds-writer-limit",
    .severity = Severity::note,
    .statement = "a call chain has at most 254 PCs",
    .message = "num_pcs is {1}, more than the 254 that gperftools stores ({0 record|records} of this profile)",
    .why = "readers accept it; another writer made the profile, or the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

constexpr Rule kStackTruncated{
    .id = "gperftools/stack-truncated",
    .severity = Severity::note,
    .statement = "every call chain is shorter than the writer's limit",
    .message = "the call chain has {1} PCs, as many as the writer can store ({0 record|records} of this profile)",
    .why =
        "the outermost callers are cut off: the samples lack their root, and flame graphs and cumulative times are "
        "wrong",
    .spec = "3.2 Binary Profile Records; 5.2 Records and trailer",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// The limits are those of gperftools, so they say nothing about other dialects.
void Profile::check_depths() {
    if (!is_native()) return;
    if (depths.above.records > 0)
        once.add({.rule = &kDepthExceedsWriterLimit, .place = depths.above.first, .numbers = {0, depths.above.pcs}},
                 depths.above.records);
    const Depths::Occurrence& cut = depths.limit.records > 0 ? depths.limit : depths.old_limit;
    const bool is_old_limit = depths.largest == kOldWriterDepth && depths.old_limit.records >= 2;
    // If bytes are missing, they may hold a deeper chain, and then 64 is not the limit.
    if (depths.limit.records > 0 || is_old_limit)
        once.add({.rule = &kStackTruncated,
                  .place = cut.first,
                  .numbers = {0, cut.pcs},
                  .about_end = is_old_limit && ends_file},
                 cut.records);
}

void Profile::finish_records(uint64_t offset) {
    check_depths();
    totals.records += sums.records;
    totals.samples += sums.samples;
    totals.depth = std::max(totals.depth, depths.largest);
    totals.mappings += mappings.count();
    mappings.finish(*this);
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

namespace {}
constinit const RuleList kProfileRules = rules<&kTrackingLimit, &kDepthExceedsWriterLimit, &kStackTruncated>;

}  // namespace tracelint::gperftools
