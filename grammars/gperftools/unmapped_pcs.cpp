// gperftools, section 3.4.4: which sampled PCs and return addresses lie in an executable mapping.
#include "grammars/gperftools/unmapped_pcs.hpp"

namespace tracelint::gperftools {

constexpr Rule kPcUnmappedLeaf{
    .id = "gperftools/pc-unmapped-leaf",
    .severity = Severity::warning,
    .statement = "the sampled PC of each record lies in an executable mapping",
    .message =
        "the sampled PC {3x} lies in no executable mapping; this affects {0} of {1} records ({2 sample|samples})",
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
    .statement = "the return addresses of a call chain lie in executable mappings",
    .message = "the return address {1x} lies in no executable mapping ({0 address|addresses} of this profile)",
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

namespace {}
constinit const RuleList kUnmappedPcRules = rules<&kPcUnmappedLeaf, &kPcUnmappedCaller>;

}  // namespace tracelint::gperftools
