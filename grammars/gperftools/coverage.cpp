// gperftools, section 5.3: which sampled PCs and return addresses the mappings explain.
#include "grammars/gperftools/coverage.hpp"

namespace tracelint::gperftools {

// Addresses come in ascending order, so that each is looked up near the one before. Zeros have rules of their own.
void check_coverage(Profile& profile) {
    Leaf lost;  // all leaves without a mapping, as one
    const Leaf* first = nullptr;
    for_each_address(profile.leaves, profile.callers, [&](uint64_t address, const Leaf* leaf, const Caller* caller) {
        if (address == 0) return;
        const bool is_mapped = profile.mappings.explains(address);
        if (leaf != nullptr && !is_mapped) {
            lost.absorb(*leaf);
            if (first == nullptr || leaf->first.offset < first->first.offset) first = leaf;
        }
        // A call at the end of a mapping returns behind it.
        if (caller != nullptr && !is_mapped && !profile.mappings.explains(address - 1))
            profile.once.add({.rule = &kPcUnmappedCaller,
                              .place = place_of(profile, caller->first),
                              .numbers = {0, address},
                              .about_end = profile.ends_file});
    });
    if (first != nullptr)
        profile.report.add({.rule = &kPcUnmappedLeaf,
                            .place = place_of(profile, first->first),
                            .numbers = {lost.records, profile.sums.records, lost.samples, first->key},
                            .about_end = profile.ends_file});
}

}  // namespace tracelint::gperftools
