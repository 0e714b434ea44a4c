// XRay, section 3.6: the paths of a block. Sorted from the root on, a path is next to its caller and to its
// duplicates, so neighbours are all that need comparing. This takes 34 bytes per path, and no table of ids that a
// file could inflate.
#include "grammars/xray/checks/profile_paths.hpp"

namespace tracelint::xray {

bool ProfilePaths::add(const Path& path) {
    if (paths_.size() == paths_.capacity()) {
        const size_t before = paths_.capacity(), more = std::max<size_t>(64, 2 * before);
        if (!budget_.take(more * sizeof(Path))) return false;
        paths_.reserve(more);
        budget_.give_back(before * sizeof(Path));
    }
    paths_.push_back(path);
    return true;
}

bool ProfilePaths::compare(Bytes block) {
    // What sort() and judge() need temporarily.
    const uint64_t cost = paths_.size() * (sizeof(Fault) + sizeof(Group) / 2 + sizeof(uint32_t));
    if (!budget_.take(cost)) return false;
    block_ = block;
    sort();
    judge();
    budget_.give_back(cost);
    return true;
}

void ProfilePaths::clear() {
    paths_.clear();
    std::vector<Fault>().swap(faults_);  // its memory is no longer accounted for
}

// The id `step` steps from the root, in an order that only serves to compare ids.
uint32_t ProfilePaths::id_from_root(const Path& path, size_t step) const {
    const uint8_t* const end = block_.data() + path.start + fixed_size(kPathStep) * path.ids;
    return static_cast<uint32_t>(load(end - fixed_size(kPathStep) * (step + 1), 4, ByteOrder::little));
}

// How many steps from the root two paths have in common.
size_t ProfilePaths::common(const Path& a, const Path& b) const {
    const size_t most = std::min(a.ids, b.ids);
    size_t steps = 0;
    while (steps < most && id_from_root(a, steps) == id_from_root(b, steps)) ++steps;
    work_.add(steps + 1);
    return steps;
}

// Two ids at a time, so that long prefixes that many paths share are not compared over and over.
void ProfilePaths::sort() {
    faults_.resize(paths_.size());
    for (uint32_t number = 0; number < faults_.size(); ++number) faults_[number] = {0, number, false};
    std::vector<Group> unsorted{{0, static_cast<uint32_t>(faults_.size()), 0}};
    while (!unsorted.empty()) {
        const Group group = unsorted.back();
        unsorted.pop_back();
        sort_by_next(group);
        for (uint32_t begin = group.begin, end = begin; begin < group.end; begin = end) {
            const uint64_t key = faults_[begin].key;
            while (end < group.end && faults_[end].key == key) ++end;
            const bool continues =
                static_cast<uint32_t>(key) != 0;  // otherwise they are the same path, in the order of the block
            if (continues && end - begin > 1) unsorted.push_back({begin, end, group.steps + 2});
        }
    }
}

// Sorts a group by the next two ids of its paths; a missing id counts as 0.
void ProfilePaths::sort_by_next(const Group& group) {
    const auto begin = faults_.begin() + group.begin, end = faults_.begin() + group.end;
    const auto id = [&](const Path& path, uint32_t step) -> uint64_t {
        return step < path.ids ? id_from_root(path, step) : 0;
    };
    bool differ = false;
    for (auto fault = begin; fault != end; ++fault) {
        const Path& path = paths_[fault->path];
        fault->key = id(path, group.steps) << 32 | id(path, group.steps + 1);
        differ |= fault->key != begin->key;
    }
    work_.add(group.end - group.begin);
    if (!differ) return;
    std::sort(begin, end, [this](const Fault& a, const Fault& b) {
        work_.add(1);
        return a.key != b.key ? a.key < b.key : a.path < b.path;
    });
}

// Keeps the paths that are at fault.
void ProfilePaths::judge() {
    std::vector<uint32_t> parents;  // lengths of the paths that are prefixes of the last one, itself included
    const Path* last = nullptr;
    size_t kept = 0;
    for (const Fault& sorted : faults_) {
        const Path& path = paths_[sorted.path];
        const size_t steps = last == nullptr ? 0 : common(path, *last);
        if (steps == path.ids) {  // in this order, the last one has no further steps
            faults_[kept] = sorted;
            faults_[kept++].is_twice = true;
            continue;
        }
        while (!parents.empty() && parents.back() > steps) parents.pop_back();
        const uint32_t nearest = parents.empty() ? 0 : parents.back();
        if (nearest + 1 != path.ids) faults_[kept++] = sorted;
        parents.push_back(path.ids);
        last = &path;
    }
    faults_.resize(kept);
    std::sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) { return a.path < b.path; });
}

}  // namespace tracelint::xray
