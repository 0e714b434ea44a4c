// Pairs of files that are made to be expensive, and the oracle for groups on the pairs of the corpus.
#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/judged_group.hpp"
#include "tests/files/hostile.hpp"
#include "tests/grammars/siblings/siblings_scene.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kBase = 0x10000;

// `count` of each kind.
struct Hostile {
    const char* what;
    void (*fill)(SiblingsScene& scene, uint64_t count);
};

// Process 7 has all of them.
void add_mapping(SiblingsScene& scene, uint64_t time, uint64_t start, uint64_t length) {
    scene.mappings.push_back(SiblingsScene::mapping("/lib/a.so", 7, kStart + time, start, length));
}
void add_function(SiblingsScene& scene, uint64_t time, uint64_t start, uint32_t size) {
    scene.functions.push_back(SiblingsScene::function(kStart + time, start, size, scene.functions.size(), 7));
}

constexpr Hostile kHostile[] = {
    {"every mapping covers every function",
     [](SiblingsScene& s, uint64_t count) {
         for (uint64_t i = 0; i < count; ++i) {
             add_function(s, 1 + i, kBase + i, 1'000'000);
             add_mapping(s, 2 * count + i, kBase, 2'000'000);
             s.sample(1, kBase + i, kStart + 4 * count + i);
         }
     }},
    {"functions one in the other, the outer ones first",
     [](SiblingsScene& s, uint64_t count) {
         for (uint64_t i = 0; i < count; ++i) {
             add_function(s, count - i, kBase + i, static_cast<uint32_t>(2 * (count - i)));
             add_mapping(s, count + i, kBase + i, 2 * (count - i));
             s.sample(1, kBase + count, kStart + i);
         }
     }},
    {"the same function again and again, between its mappings",
     [](SiblingsScene& s, uint64_t count) {
         for (uint64_t i = 0; i < count; ++i) {
             add_function(s, 3 * i, kBase, 64);
             add_mapping(s, 3 * i + 1, kBase, 64);
             s.sample(1, kBase, kStart + 3 * i + 2);
         }
     }},
    {"images of functions with the same number",
     [](SiblingsScene& s, uint64_t count) {
         for (uint64_t i = 0; i < count; ++i) {
             s.functions.push_back(SiblingsScene::function(kStart + i, kBase + i, 1, 0, 7));
             s.mappings.push_back(SiblingsScene::mapping("/tmp/jitted-7-0.so", 7, kStart + i, kBase + i, 1));
         }
     }},
    {"a process for each function, none of which is known",
     [](SiblingsScene& s, uint64_t count) {
         for (uint64_t i = 0; i < count; ++i)
             s.functions.push_back(
                 SiblingsScene::function(kStart + i, kBase + i, 1, i, static_cast<uint32_t>(1000 + i * 7919 % count)));
     }},
    {"births and deaths of a process, and a map of it",
     [](SiblingsScene& s, uint64_t count) {
         s.maps = {{"perf-7.map", {}}};
         for (uint64_t i = 0; i < count; ++i) {
             s.births.push_back({kStart + 2 * i, 7});
             s.deaths.push_back({kStart + 2 * i + 1, 7});
             s.maps[0].ranges.push_back({kBase, kBase + count - i});
             add_function(s, 2 * i, kBase + 2 * i, 4);
             s.sample(1, kBase + i, kStart + i);
         }
     }},
};

TEST_CASE("siblings: the work on hostile pairs is n log n") {
#ifndef TRACELINT_AGREEMENT
    return skip("work is only counted in builds with agreement checks");
#endif
    for (const Hostile& hostile : kHostile) {
        CAPTURE(hostile.what);
        for (const uint64_t count : {1000u, 30'000u}) {
            CAPTURE(count);
            SiblingsScene scene;
            hostile.fill(scene, count);
            const SiblingsScene::Costs costs = scene.costs();
            CHECK(costs.work >= costs.facts);
            CHECK(costs.work <= most_work(costs.facts, 2 + scene.maps.size()));
        }
    }
}

GroupCost cost_of(const files::HostileGroup& group, uint64_t bytes) {
    const std::vector<files::NamedFile> made = group.make(bytes);
    std::vector<GroupFile> read;
    for (const files::NamedFile& file : made) read.push_back({file.name, as_bytes(file.bytes)});
    return group_cost(read, group.is_found);
}

TEST_CASE("siblings: work, memory and lines of hostile groups grow no faster than their files") {
#ifndef TRACELINT_AGREEMENT
    return skip("work is only counted in builds with agreement checks");
#endif
    constexpr uint64_t kSmall = uint64_t{64} << 10;
    for (const files::HostileGroup& group : files::hostile_siblings()) {
        CAPTURE(std::string(group.name));
        const GroupCost one = cost_of(group, kSmall), two = cost_of(group, 2 * kSmall);
        CHECK(one.files > 2);
        for (const Complaint& complaint : {fault_of(one), fault_of(two, one)}) CHECK_MESSAGE(!complaint, *complaint);
    }
}

TEST_CASE("siblings: what is written and read as one input is the same files") {
    const std::vector<GroupFile> files = {{"perf.data", as_bytes("PERFILE2")}, {"", {}}, {"a b\xff", as_bytes("\n\n")}};
    const std::string input = framed(files);
    const std::vector<GroupFile> read = files_in(as_bytes(input));
    REQUIRE(read.size() == files.size());
    for (size_t i = 0; i < files.size(); ++i) {
        CHECK(read[i].name == files[i].name);
        CHECK(std::ranges::equal(read[i].bytes, files[i].bytes));
    }
    CHECK(files_in(as_bytes(std::string_view("a\n\xff\xff\xff\xff"
                                             "bc")))
              .at(0)
              .bytes.size() == 2);
    CHECK(files_in(as_bytes(std::string_view("a\n\1\0", 4))).empty());
}

TEST_CASE("siblings: the oracle for groups holds for every pair of the corpus") {
    Errors errors;
    size_t count = 0;
    for (const PairFile& pair : tested_corpus().pairs(errors)) {
        CAPTURE(pair.path);
        for (const PairBlock& block : pair.blocks) {
            CAPTURE(block.title);
            std::vector<GroupFile> files;
            for (const PairMember& member : block.files) files.push_back({member.name, as_bytes(member.bytes)});
            for (uint64_t seed = 1; seed <= 4; ++seed) {
                const Complaint complaint = group_holds(files, seed);
                CHECK_MESSAGE(!complaint, *complaint);
            }
            ++count;
        }
    }
    CHECK(count >= 58);
}

TEST_CASE("siblings: three recordings and dumps of the same process, in any order") {
    const auto members = tested_corpus().pair_members("c-writer");
    const auto injected = tested_corpus().pair_members("c-writer-injected");
    REQUIRE(members.size() == 2);
    REQUIRE(injected.size() == 2);
    const std::vector<GroupFile> files = {{"b/perf.data", as_bytes(members[1].bytes)},
                                          {"b/jit-4.dump", as_bytes(members[0].bytes)},
                                          {"a/perf.data", as_bytes(injected[1].bytes)},
                                          {"a/jit-9.dump", as_bytes(injected[0].bytes)}};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Complaint complaint = group_holds(files, seed);
        CHECK_MESSAGE(!complaint, *complaint);
    }
}

}  // namespace
}  // namespace tracelint
