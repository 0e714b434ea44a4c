// xray's paths of a profile, compared by sorting, against their plain reading: each path with all others.
#include <doctest/doctest.h>

#include <algorithm>

#include "grammars/xray/checks/profile_paths.hpp"
#include "tests/support/allocated_bytes.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::xray {
namespace {

using Ids = std::vector<uint32_t>;  // leaf first

struct Plain {
    uint32_t path;
    bool is_twice;
    bool operator==(const Plain&) const = default;
};

std::vector<Plain> plain_faults(const std::vector<Ids>& paths) {
    std::vector<Plain> faults;
    for (uint32_t i = 0; i < paths.size(); ++i) {
        const auto here = paths.begin() + i;
        const bool is_twice = std::find(paths.begin(), here, *here) != here;
        const Ids parent(here->begin() + 1, here->end());
        const bool orphan = !parent.empty() && std::find(paths.begin(), paths.end(), parent) == paths.end();
        if (is_twice || orphan) faults.push_back({i, is_twice});
    }
    return faults;
}

void append(std::string& block, uint32_t id) {
    uint8_t bytes[4];
    store(bytes, 4, ByteOrder::little, id);
    block.append(as_text(bytes));
}

}  // namespace

TEST_CASE("paths that are there twice or without their parent are found") {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        std::vector<Ids> paths;
        const uint64_t wanted = pick<uint64_t>(random, {1, 5, 60, 200});
        while (paths.size() < wanted) {
            Ids path = paths.empty() || one_in(random, 9) ? Ids{} : pick_of(random, paths);
            if (path.empty() || !one_in(random, 6))
                path.insert(path.begin(), static_cast<uint32_t>(pick(random, {1, 2, 3, 0x01000000, -1})));
            if (one_in(random, 9)) path.insert(path.begin(), 2);
            paths.push_back(path);
        }
        std::shuffle(paths.begin(), paths.end(), random);

        Budget budget(kNone);
        WorkCounter work;
        ProfilePaths compared(budget, work);
        std::string block(16, 'x');
        for (const Ids& path : paths) {
            REQUIRE(compared.add({static_cast<uint32_t>(block.size()), static_cast<uint32_t>(path.size())}));
            for (const uint32_t id : path) append(block, id);
            block.append(20, '\0');
        }
        REQUIRE(compared.compare(as_bytes(block)));
        std::vector<Plain> found;
        for (const ProfilePaths::Fault& fault : compared.faults()) found.push_back({fault.path, fault.is_twice});
        INFO("seed ", seed);
        CHECK((found == plain_faults(paths)));
    }
}

TEST_CASE("comparing paths takes work that is linear but for a logarithm, and says when the memory is spent") {
    constexpr uint32_t kLength = 500;
    Budget budget(64 << 10);
    WorkCounter work;
    ProfilePaths paths(budget, work);
    std::string block;
    uint32_t added = 0;
    while (paths.add({static_cast<uint32_t>(block.size()), kLength}) && ++added < 1000) {
        append(block, added * 2654435761);
        for (uint32_t i = 1; i < kLength; ++i) append(block, 7);
        block.append(20, '\0');
    }
    CHECK(added == 1000);
    CHECK(paths.compare(as_bytes(block)));
    CHECK(paths.faults().size() == added);
    CHECK(work.total() <= 7 * block.size());
    while (paths.add({0, kLength})) REQUIRE(++added < 10'000);
}

TEST_CASE("what is found of the paths of a block goes with them") {
    constexpr size_t kPaths = 20'000;
    Budget budget(kNone);
    WorkCounter work;
    ProfilePaths paths(budget, work);
    std::string block;
    append(block, 7);
    for (size_t number = 0; number < kPaths; ++number) REQUIRE(paths.add({0, 1}));
    const size_t before = allocated_bytes();
    REQUIRE(paths.compare(as_bytes(block)));
    CHECK(paths.faults().size() == kPaths - 1);
    paths.clear();
    CHECK(paths.faults().empty());
    CHECK(allocated_bytes() < before + kPaths * sizeof(ProfilePaths::Fault) / 2);
}

}  // namespace tracelint::xray
