// gperftools: what is remembered of one profile, and the rules about it as a whole.
#include "grammars/gperftools/checks/profile.hpp"

#include <algorithm>

#include "validator/tables/rule.hpp"

namespace tracelint::gperftools {

// gperftools, section 5.0: rules that are reported once per profile.

void OncePerProfile::add(const Diagnostic& first, uint64_t times) {
    const auto known = std::ranges::find_if(pending_, [&](const Pending& p) {
        return p.first.rule == first.rule && p.first.is_overridden == first.is_overridden;
    });
    if (known == pending_.end()) return pending_.push_back({first, times});
    known->times += times;
    if (first.place.offset < known->first.place.offset) known->first = first;
}

void OncePerProfile::drop(const Rule& rule) {
    std::erase_if(pending_, [&](const Pending& p) { return p.first.rule == &rule; });
}

void OncePerProfile::report_to(Report& report) {
    for (Pending& pending : pending_) {
        pending.first.numbers[0] = pending.times;
        if (pending.first.place.offset >= cut_) pending.first.about_end = true;
        report.add(pending.first);
    }
    pending_.clear();
}

// gperftools, section 4.3: the distinct addresses of a profile.

bool Callers::add(uint64_t address, const Slot& slot) {
    if (address != 0 && recent_.bring_home(address)) return true;
    if (!all_.add({address, slot})) return false;
    if (address != 0) recent_.enter(address);
    return true;
}

void Callers::clear() {
    recent_.clear();
    all_.clear();
}

void Callers::release() {
    clear();
    all_.release();
}

Leaves::Leaves(Budget& budget, WorkCounter& work) : settled_(budget, work) {}

// The entry that is vacant or has another address becomes that of `address`. False: the budget is spent.
bool Leaves::enter(uint64_t address, uint64_t samples, const Slot& slot) {
    Leaf* recent = &recent_[home_of(address)];
    if (recent->records != 0 && is_small() && ++moved_ == kMostMoved) {
        if (!grow()) return false;
        recent = &recent_[home_of(address)];
    }
    if (recent->records == 0)
        taken_.push_back(static_cast<uint16_t>(recent - recent_.data()));
    else if (!settled_.add(*recent))
        return false;
    *recent = {address, slot, 1, samples};
    return true;
}

bool Leaves::grow() {
    if (!settle()) return false;
    shift_ = 64 - kBits;
    recent_ = Zeros<Leaf>(size_t{1} << kBits);
    taken_.reserve(size_t{1} << kBits);
    return true;
}

bool Leaves::settle() {
    for (const uint16_t place : taken_) {
        if (!settled_.add(recent_[place])) return false;
        recent_[place] = {};
    }
    taken_.clear();
    return true;
}

void Leaves::clear() {
    for (const uint16_t place : taken_) recent_[place] = {};
    taken_.clear();
    settled_.clear();
}

void Leaves::release() {
    clear();
    settled_.release();
}

// gperftools, section 3.4.4: which sampled PCs and return addresses are in an executable mapping.

constexpr Rule kPcUnmappedLeaf{
    .id = "gperftools/pc-unmapped-leaf",
    .severity = Severity::warning,
    .statement = "the sampled PC of each record is in an executable mapping",
    .message = "the sampled PC {3x} is in no executable mapping; this affects {0} of {1} records ({2 sample|samples})",
    .why =
        "these samples have no name: a library was unloaded before the end, code was generated at run time, or the "
        "unwinder failed. google-pprof attributes them to the main program",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kPcUnmappedCaller{
    .id = "gperftools/pc-unmapped-caller",
    .severity = Severity::note,
    .statement = "the return addresses of a call chain are in executable mappings",
    .message = "the return address {1x} is in no executable mapping ({0 address|addresses} of this profile)",
    .why = "these frames have no name; in code without frame pointers, unwinders often produce garbage",
    .spec = "3.4.4 Ranges and PCs",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Addresses of 0 have rules of their own.
void check_unmapped_pcs(Profile& profile) {
    Leaf unmapped;  // the sum of all leaves without a mapping
    const Leaf* first = nullptr;
    for_each_address(profile.leaves, profile.callers, [&](uint64_t address, const Leaf* leaf, const Caller* caller) {
        if (address == 0) return;
        const bool is_mapped = profile.mappings.explains(address);
        if (leaf != nullptr && !is_mapped) {
            unmapped.absorb(*leaf);
            if (first == nullptr || leaf->first.offset < first->first.offset) first = leaf;
        }
        // A call at the end of a mapping returns to the byte after it.
        if (caller != nullptr && !is_mapped && !profile.mappings.explains(address - 1))
            profile.once.add({.rule = &kPcUnmappedCaller,
                              .place = place_of(profile, caller->first),
                              .numbers = {0, address},
                              .about_end = profile.ends_file});
    });
    if (first != nullptr)
        profile.report.add({.rule = &kPcUnmappedLeaf,
                            .place = place_of(profile, first->first),
                            .numbers = {unmapped.records, profile.sums.records, unmapped.samples, first->key},
                            .about_end = profile.ends_file});
}

// gperftools, section 4: what is remembered of the current profile.

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

constexpr Rule kPeriodOneSecond{
    .id = "gperftools/period-one-second",
    .severity = Severity::warning,
    .statement = "a profile without records has a period below one second",
    .message = "no sample was taken, and the period is {0} microseconds, which setitimer refuses",
    .why =
        "with CPUPROFILE_FREQUENCY=1, gperftools before 2.5 asked for a timer of 1,000,000 microseconds and 0 seconds, "
        "which is no legal time, and took no sample; use a frequency of 2 or more, or a later gperftools",
    .spec = "3.1 Binary Header; 5.2 Records and trailer",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

// tv_usec is below a million. A longer period has a finding of its own.
bool Profile::blames_timer() {
    if (!is_native() || sums.period != kLongestPeriod) return false;
    report.add<kPeriodOneSecond>(period, {sums.period});
    return true;
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

constinit const RuleList kProfileRules = rules<&kPcUnmappedLeaf, &kPcUnmappedCaller, &kTrackingLimit,
                                               &kDepthExceedsWriterLimit, &kStackTruncated, &kPeriodOneSecond>;

}  // namespace tracelint::gperftools
