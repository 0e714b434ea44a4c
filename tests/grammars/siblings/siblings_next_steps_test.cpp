// What to do next about files that belong together.
#include <doctest/doctest.h>

#include "tests/grammars/siblings/siblings_scene.hpp"

namespace tracelint {
namespace {

TEST_CASE("siblings: a map of interpreted functions that names less than half of the samples need not be kept") {
    SiblingsScene scene;
    scene.has_dump = false;
    scene.mappings.pop_back();
    scene.maps = {{"/tmp/perf-7.map", {{0x10000, 0x100ff}}, 2}};  // 30 of 32 samples
    CHECK(scene.pairings()[0].next_step ==
          "keep the map as /tmp/perf-7.map, where `perf report -i perf.data` reads it");
    scene.sample(40, 0x400000, kStart + 100);
    CHECK(scene.pairings()[0].next_step ==
          "start node with --interpreted-frames-native-stack: 2 functions are interpreted and have no code");
    scene.maps[0].bytecode = 0;
    CHECK(scene.pairings()[0].next_step.starts_with("keep the map"));
}

}  // namespace
}  // namespace tracelint
