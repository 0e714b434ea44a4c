// Prefetching for the LOADs after the cursor (sections 4.2 and 4.3).
#include "grammars/jitdump/prefetcher.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kReach = 1024;  // bytes after the cursor: many records if they are small

}  // namespace

// Looks at two records for each one that is checked, until it is far enough ahead.
void Prefetcher::advance(Bytes in_view, uint64_t offset) {
    next_ = std::max(next_, offset);
    for (int records = 0; records < 2 && next_ - offset < std::min<uint64_t>(kReach, in_view.size()); ++records) {
        const Bytes rest = in_view.subspan(next_ - offset);
        if (rest.size() < minimum_size(kLoad)) return;
        const View<kLoad> load(rest.data(), next_, state_.order, kNone);
        const uint64_t total_size = load.get<"total_size">();
        if (total_size < fixed_size(kPrefix) || total_size > in_view.size()) return;
        if (load.get<"id">() == kLoadId) prefetch(load);
        next_ += total_size;
    }
}

void Prefetcher::prefetch(const View<kLoad>& load) {
    const Load seen{static_cast<uint32_t>(load.get<"pid">()), load.get<"code_index">(), load.get<"code_addr">()};
    state_.functions.prefetch_group(seen.pid, seen.index);
    state_.code.prefetch_group(seen.pid, seen.address);
    loads_.add(seen, [this](const Load& earlier) {
        state_.functions.prefetch(earlier.pid, earlier.index);
        state_.code.prefetch(earlier.pid, earlier.address);
    });
}

}  // namespace tracelint::jitdump
