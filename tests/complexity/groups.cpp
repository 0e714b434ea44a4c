#include "tests/complexity/groups.hpp"

#include <algorithm>
#include <cstdio>

#include "fuzz/judged_group.hpp"
#include "tests/complexity/process.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSmallest = uint64_t{64} << 10;
GroupCost cost_of(const files::HostileGroup& group, uint64_t bytes) {
    const std::vector<files::NamedFile> made = group.make(bytes);
    std::vector<GroupFile> read;
    for (const files::NamedFile& file : made) read.push_back({file.name, as_bytes(file.bytes)});
    return group_cost(read, group.is_found);
}

Complaint fault(const Measured<GroupCost>& larger, const Measured<GroupCost>& smaller) {
    if (!larger.is_done) return "not checked";
    return smaller.is_done ? fault_of(larger.result, smaller.result) : fault_of(larger.result);
}

double ratio(uint64_t part, uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(whole, 1));
}

}  // namespace

bool run_group(const files::HostileGroup& group, uint64_t largest) {
    std::printf("%s: %s\n", group.name, group.stresses);
    bool well = true;
    Measured<GroupCost> smaller;
    for (uint64_t bytes = kSmallest; bytes <= std::min(largest, group.largest); bytes *= 2) {
        const Measured<GroupCost> measured = measure_alone([&] { return cost_of(group, bytes); });
        const GroupCost& cost = measured.result;
        const Complaint wrong = fault(measured, smaller);
        std::printf(
            "  %8.0f KiB  %7llu files  work %5.2f per byte  %7llu lines  memory %8.2f MiB  resident %7.1f MiB  "
            "%8.3f s%s%s%s\n",
            static_cast<double>(cost.bytes) / 1024, static_cast<unsigned long long>(cost.files),
            ratio(cost.work, cost.bytes), static_cast<unsigned long long>(cost.pairings),
            static_cast<double>(cost.memory) / (1 << 20), measured.resident, measured.seconds,
            cost.limit_hit ? "  limit hit" : "", wrong ? "  FAILED: " : "", wrong.value_or("").c_str());
        std::fflush(stdout);
        well &= !wrong;
        smaller = measured;
    }
    return well;
}

}  // namespace tracelint
