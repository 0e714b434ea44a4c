// The rules about files that belong together, asked of facts that are typed by hand: for each rule what breaks it, and
// what is still right (grammars/siblings/spec.md, section 4).
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "tests/grammars/siblings/siblings_scene.hpp"

namespace tracelint {
namespace {

using Scene = SiblingsScene;

const std::string kNotDone = "note siblings/inject-not-done perf.data 0x2e0+112 with /tmp/jit-7.dump";

// "error clock-not-monotonic 0x90+8": in the recording. "error pid-unknown @0x38+4": in the dump.
std::string spelt(const std::string& brief) {
    const size_t rule = brief.find(' ') + 1, place = brief.find(' ', rule) + 1;
    const bool in_dump = brief[place] == '@';
    return brief.substr(0, rule) + "siblings/" + brief.substr(rule, place - rule) +
           (in_dump ? "/tmp/jit-7.dump " + brief.substr(place + 1) + " with perf.data"
                    : "perf.data " + brief.substr(place) + " with /tmp/jit-7.dump");
}

struct Row {
    std::string what;
    std::function<void(Scene&)> change;
    std::vector<std::string> expected;  // short forms; of the recording or the dump
    bool is_joined = true;              // the note that perf inject was not run is also expected
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        CAPTURE(row.what);
        Scene scene;
        row.change(scene);
        std::vector<std::string> expected;
        for (const std::string& brief : row.expected) expected.push_back(spelt(brief));
        if (row.is_joined) expected.push_back(kNotDone);
        std::ranges::sort(expected);
        const std::vector<std::string> found = scene.findings();
        std::string text;
        for (const std::string& one : found) text += one + '\n';
        CHECK_MESSAGE(found == expected, text);
    }
}

TEST_CASE("siblings 4.1: clocks") {
    check({
        {"CLOCK_MONOTONIC", [](Scene&) {}, {}},
        {"the kernel's own clock",
         [](Scene& s) { s.events[0].uses_clock_id = false; },
         {"error clock-not-monotonic 0x90+8"}},
        {"CLOCK_MONOTONIC_RAW", [](Scene& s) { s.events[0].clock_id = 4; }, {"error clock-not-monotonic 0xc4+4"}},
        {"of two events the second",
         [](Scene& s) {
             s.events.push_back(s.events[0]);
             s.events[1].uses_clock_id = false;
             s.events[1].flags = {0x120, 8};
         },
         {"error clock-not-monotonic 0x120+8"}},
        {"a counter without TIME_CONV",
         [](Scene& s) { s.has_counter_times = true; },
         {"error arch-timestamp-without-time-conv @0x20+8"}},
        {"a multiplier of 0",
         [](Scene& s) {
             s.has_counter_times = true;
             s.conversion = {.shift = 0, .multiplier = 0, .zero = 0, .is_usable = true};
         },
         {"error arch-timestamp-without-time-conv @0x20+8"}},
        {"a shift of 64",
         [](Scene& s) {
             s.has_counter_times = true;
             s.conversion = {.shift = 64, .multiplier = 1, .zero = 0, .is_usable = true};
         },
         {"error arch-timestamp-without-time-conv @0x20+8"}},
        {"a conversion that the kernel calls unusable",
         [](Scene& s) {
             s.has_counter_times = true;
             s.conversion = {.shift = 0, .multiplier = 1, .zero = 0, .is_usable = false};
         },
         {"error arch-timestamp-without-time-conv @0x20+8"}},
        {"with a conversion no clock is asked for",
         [](Scene& s) {
             s.has_counter_times = true;
             s.events[0].uses_clock_id = false;
             s.conversion = {.shift = 0, .multiplier = 1, .zero = 0, .is_usable = true};
         },
         {}},
    });
}

TEST_CASE("siblings 4.1: times in records") {
    check({
        {"no TIME", [](Scene& s) { s.events[0].has_time = false; }, {"warning no-time-in-records 0x80+8"}, false},
        {"no TID", [](Scene& s) { s.events[0].has_thread = false; }, {"warning no-time-in-records 0x80+8"}, false},
        {"no sample_id_all",
         [](Scene& s) { s.events[0].is_sample_id_all = false; },
         {"warning no-time-in-records 0x90+8"},
         false},
        {"no events: nothing is compared", [](Scene& s) { s.events.clear(); }, {}, false},
    });
}

TEST_CASE("siblings 4.1: the marker") {
    check({
        {"no marker", [](Scene& s) { s.mappings.pop_back(); }, {"error no-marker-mmap @0x14+4"}, false},
        {"no marker, but compressed records that cannot be read",
         [](Scene& s) {
             s.mappings.pop_back();
             s.is_blind = true;
         },
         {},
         false},
        {"another process than in the name",
         [](Scene& s) {
             s.mappings[2].mapping.pid = 9;
             s.pids.push_back(9);
         },
         {"error marker-pid 0x2e8+4", "note no-samples-in-code @0x0+4"}},
        {"the mapping of process 0", [](Scene& s) { s.mappings[2].mapping.pid = 0; }, {}},
        {"without PROT_EXEC",
         [](Scene& s) { s.mappings[2].mapping.protection = 1; },
         {"warning marker-not-executable 0x2e0+112"}},
        {"an MMAP has no protection", [](Scene& s) { s.mappings[2].mapping.has_protection = false; }, {}},
        {"a marker of a dump that was not given",
         [](Scene& s) { s.mappings.push_back(Scene::mapping("/tmp/jit-8.dump", 7, kStart + 12, 0x8000000, 0x1000)); },
         {"note dump-not-given 0x350+112"}},
        {"the same twice",
         [](Scene& s) {
             s.mappings.push_back(Scene::mapping("/tmp/jit-8.dump", 7, kStart + 12, 0x8000000, 0x1000));
             s.mappings.push_back(Scene::mapping("/tmp/jit-8.dump", 7, kStart + 13, 0x8000000, 0x1000));
         },
         {"note dump-not-given 0x350+112"}},
    });
}

TEST_CASE("siblings 4.1: names of dumps") {
    Scene scene;
    scene.dump_path = "/tmp/jit-7-1.dump";
    scene.mappings[2].name = scene.dump_path;
    CHECK(scene.findings() ==
          std::vector<std::string>{"error siblings/marker-name perf.data 0x2e0+112 with /tmp/jit-7-1.dump"});
    scene.mappings[2].name = "/elsewhere/jit-7.dump";  // the dump was renamed since
    CHECK(scene.findings() ==
          std::vector<std::string>{"note siblings/inject-not-done perf.data 0x2e0+112 with /tmp/jit-7-1.dump"});
}

TEST_CASE("siblings 4.1: processes") {
    check({
        {"a function of a process that does not occur",
         [](Scene& s) { s.functions[1].pid = 8; },
         {"error pid-unknown @0x9c+4"}},
        {"two of the same",
         [](Scene& s) { s.functions[0].pid = s.functions[1].pid = 8; },
         {"error pid-unknown @0x38+4", "warning header-pid @0x14+4", "note no-samples-in-code @0x0+4"}},
        {"each process once",
         [](Scene& s) {
             s.functions.push_back(s.functions[1]);
             s.functions[1].pid = 8;
             s.functions[2].pid = 9;
         },
         {"error pid-unknown @0x9c+4", "error pid-unknown @0x100+4"}},
        {"not if records cannot be read",
         [](Scene& s) {
             s.functions[1].pid = 8;
             s.is_blind = true;
         },
         {}},
        {"the pid of a namespace, known from the marker",
         [](Scene& s) {
             s.mappings[2].mapping.pid = 12;
             s.pids = {12};
             for (Scene::NamedMapping& one : s.mappings) one.mapping.pid = 12;
             for (Sample& one : s.samples) one.pid = 12;
             s.births[0].pid = s.deaths[0].pid = 12;
         },
         {"error marker-pid 0x2e8+4"}},
        {"a header with another pid", [](Scene& s) { s.header_pid = 8; }, {"warning header-pid @0x14+4"}},
        {"a header with the pid of one of them",
         [](Scene& s) {
             s.functions[1].pid = 8;
             s.pids.push_back(8);
         },
         {}},
        {"a dump without functions", [](Scene& s) { s.functions.clear(); }, {"note no-samples-in-code @0x0+4"}},
    });
}

TEST_CASE("siblings 4.1: recordings that are injected otherwise") {
    check({
        {"compressed", [](Scene& s) { s.compressed = Place{0x300, 8}; }, {"warning compressed-not-injected 0x300+8"}},
        {"a pipe", [](Scene& s) { s.stream = Place{8, 8}; }, {"note pipe-not-injected 0x8+8"}},
    });
}

TEST_CASE("siblings 4.2: times") {
    const auto shift = [](Scene& s, uint64_t by) {
        for (CodeFunction& one : s.functions) one.time += by;
    };
    check({
        {"1 s after the end",
         [&](Scene& s) {
             s.deaths.clear();
             s.births.clear();
             shift(s, 390 - 20 + 1'000'000'000);
         },
         {"error loads-late 0x1000+40"}},
        {"1 ns more",
         [&](Scene& s) {
             s.deaths.clear();
             s.births.clear();
             shift(s, 390 - 20 + 1'000'000'001);
         },
         {"error no-common-time @0x30+8"}},
        {"all before the recording, of a process that was there before",
         [&](Scene& s) {
             s.births.clear();
             shift(s, ~uint64_t{4'000'000'000} + 1);
         },
         {"note code-covered-by-anonymous-mmap 0x270+112"}},
        {"all before the process began", [&](Scene& s) { shift(s, ~uint64_t{31} + 1); }, {"error stale-dump @0x30+8"}},
        {"the last one when the process began",
         [&](Scene& s) { shift(s, ~uint64_t{30} + 1); },
         {"note code-covered-by-anonymous-mmap 0x270+112"}},
        {"a function after the end of its process",
         [](Scene& s) { s.functions[1].time = kStart + 1001; },
         {"warning load-after-exit @0x94+8"}},
        {"a function at the end of its process", [](Scene& s) { s.functions[1].time = kStart + 1000; }, {}},
        {"a time of 0 is no time", [](Scene& s) { s.functions[1].time = 0; }, {}},
        {"nanoseconds, converted",
         [](Scene& s) {
             s.has_counter_times = true;
             s.conversion = {.shift = 1, .multiplier = 1, .zero = 0, .is_usable = true};
         },
         {"error arch-timestamp-misplaced @0x20+8"}},
        {"a counter, converted",
         [](Scene& s) {
             s.has_counter_times = true;
             s.conversion = {.shift = 1, .multiplier = 1, .zero = kStart, .is_usable = true};
             for (CodeFunction& one : s.functions) one.time = 2 * (one.time - kStart);
         },
         {}},
    });
}

TEST_CASE("siblings 4.3: samples") {
    check({
        {"4 samples before their function, none after",
         [](Scene& s) {
             s.samples.clear();
             s.sample(4, 0x10010, kStart + 11);
             s.functions[0].time = kStart + 200;
         },
         {"warning samples-before-load 0x1000+40"}},
        {"5 samples before their function, none after",
         [](Scene& s) {
             s.samples.clear();
             s.sample(5, 0x10010, kStart + 11);
             s.functions[0].time = kStart + 200;
         },
         {"error loads-late 0x1000+40"}},
        {"as many before as after",
         [](Scene& s) {
             s.samples.clear();
             s.sample(10, 0x10010, kStart + 110);
             s.functions[0].time = kStart + 160;
         },
         {"warning samples-before-load 0x1000+40"}},
        {"a sample at the time of its function", [](Scene& s) { s.functions[0].time = kStart + 100; }, {}},
        {"20 samples nowhere among 80",
         [](Scene& s) {
             s.sample(20, 0x11000, kStart + 100);
             s.sample(28, 0x10010, kStart + 100);
         },
         {}},
        {"20 samples nowhere among 79",
         [](Scene& s) {
             s.sample(20, 0x11000, kStart + 100);
             s.sample(27, 0x10010, kStart + 100);
         },
         {"warning samples-in-no-code 0x1500+40"}},
        {"19 samples nowhere among 51", [](Scene& s) { s.sample(19, 0x11000, kStart + 100); }, {}},
        {"20 samples in a library", [](Scene& s) { s.sample(20, 0x400020, kStart + 100); }, {}},
        {"20 samples in no memory", [](Scene& s) { s.sample(20, 0x900000, kStart + 100); }, {}},
        {"no sample in a function",
         [](Scene& s) {
             s.samples.clear();
             s.sample(3, 0x400010, kStart + 50);
         },
         {"note no-samples-in-code @0x0+4"}},
        {"no sample in a function, but records that cannot be read",
         [](Scene& s) {
             s.samples.clear();
             s.is_blind = true;
         },
         {}},
        {"the last byte of a function",
         [](Scene& s) {
             s.samples.clear();
             s.sample(1, 0x100ff, kStart + 50);
         },
         {}},
        {"the byte after it",
         [](Scene& s) {
             s.samples.clear();
             s.sample(1, 0x10100, kStart + 50);
         },
         {"note no-samples-in-code @0x0+4"}},
    });
}

TEST_CASE("siblings 4.3: unwinding") {
    check({
        {"five samples",
         [](Scene& s) { s.events[0].has_user_stack = true, s.samples.resize(5); },
         {"warning no-unwinding @0x28+100"}},
        {"four samples", [](Scene& s) { s.events[0].has_user_stack = true, s.samples.resize(4); }, {}},
        {"unwinding data", [](Scene& s) { s.events[0].has_user_stack = s.has_unwinding = true; }, {}},
        {"unread records", [](Scene& s) { s.events[0].has_user_stack = s.is_blind = true; }, {}},
    });
}

TEST_CASE("siblings 4.3: code that is covered") {
    const auto cover = [](const std::string& name, uint64_t time, uint64_t start = 0x10000, uint64_t length = 0x1000) {
        return [=](Scene& s) { s.mappings.push_back(Scene::mapping(name, 7, time, start, length)); };
    };
    check({
        {"a file over a function that runs on",
         cover("/lib/a.so", kStart + 110),
         {"error code-covered-by-later-mmap 0x350+112"}},
        {"the heap", cover("[heap]", kStart + 110), {"error code-covered-by-later-mmap 0x350+112"}},
        {"anonymous memory", cover("//anon", kStart + 110), {"note code-covered-by-anonymous-mmap 0x350+112"}},
        {"when the function is loaded", cover("/lib/a.so", kStart + 20), {}},
        {"after the last sample", cover("/lib/a.so", kStart + 390), {}},
        {"before the last sample", cover("/lib/a.so", kStart + 389), {"error code-covered-by-later-mmap 0x350+112"}},
        {"up to the function", cover("/lib/a.so", kStart + 110, 0xf000, 0x1000), {}},
        {"one byte of the function",
         cover("/lib/a.so", kStart + 110, 0xf000, 0x1001),
         {"error code-covered-by-later-mmap 0x350+112"}},
        {"a function that is not sampled", cover("/lib/a.so", kStart + 110, 0x10200, 0x100), {}},
        {"of another process",
         [](Scene& s) { s.mappings.push_back(Scene::mapping("/lib/a.so", 8, kStart + 110, 0x10000, 0x1000)); },
         {}},
        {"data",
         [](Scene& s) {
             s.mappings.push_back(Scene::mapping("/lib/a.so", 7, kStart + 110, 0x10000, 0x1000));
             s.mappings[3].mapping.is_data = true;
         },
         {}},
        {"not executable",
         [](Scene& s) {
             s.mappings.push_back(Scene::mapping("/lib/a.so", 7, kStart + 110, 0x10000, 0x1000));
             s.mappings[3].mapping.protection = 3;
         },
         {}},
        {"loaded again after it",
         [](Scene& s) {
             s.mappings.push_back(Scene::mapping("/lib/a.so", 7, kStart + 40, 0x10000, 0x1000));
             s.functions.push_back(Scene::function(kStart + 35, 0x10000, 0x100, 2, 7));
             s.functions.push_back(Scene::function(kStart + 40, 0x10000, 0x100, 3, 7));
         },
         {}},
        {"two mappings are one finding",
         [](Scene& s) {
             s.mappings.push_back(Scene::mapping("/lib/a.so", 7, kStart + 110, 0x10000, 0x1000));
             s.mappings.push_back(Scene::mapping("/lib/b.so", 7, kStart + 120, 0x10000, 0x1000));
         },
         {"error code-covered-by-later-mmap 0x350+112"}},
    });
}

TEST_CASE("siblings 4.4: after perf inject") {
    const auto image = [](uint64_t index, uint64_t start, uint64_t length) {
        return Scene::mapping("/tmp/jitted-7-" + std::to_string(index) + ".so", 7, kStart + 20 + 10 * index, start,
                              length);
    };
    const auto inject = [&](Scene& s) {
        s.mappings.pop_back();  // perf inject drops the marker
        s.mappings.push_back(image(0, 0x10000, 0x100));
        s.mappings.push_back(image(1, 0x10200, 0x100));
    };
    check({
        {"injected", inject, {"note already-injected 0x2e0+112"}, false},
        {"with unwinding data after the code",
         [&](Scene& s) {
             inject(s);
             s.mappings[2].mapping.length = 0x180;
         },
         {"note already-injected 0x2e0+112"},
         false},
        {"an image is missing",
         [&](Scene& s) {
             inject(s);
             s.mappings.pop_back();
         },
         {"note already-injected 0x2e0+112", "warning injected-incomplete @0xbc+8"},
         false},
        {"a function without code has no image",
         [&](Scene& s) {
             inject(s);
             s.mappings.pop_back();
             s.functions[1].size = 0;
         },
         {"note already-injected 0x2e0+112"},
         false},
        {"an image elsewhere",
         [&](Scene& s) {
             inject(s);
             s.mappings[3].mapping.start = 0x10300;
         },
         {"note already-injected 0x2e0+112", "error injected-range 0x350+112"},
         false},
        {"an image that is too short",
         [&](Scene& s) {
             inject(s);
             s.mappings[3].mapping.length = 0xff;
         },
         {"note already-injected 0x2e0+112", "error injected-range 0x350+112"},
         false},
        {"images of another process",
         [&](Scene& s) { s.mappings.push_back(Scene::mapping("/tmp/jitted-8-0.so", 8, kStart + 20, 0x10000, 0x100)); },
         {}},
    });
}

TEST_CASE("siblings 4.3: processes that were forked have the code of their parent") {
    const auto tally = [](const SiblingsScene& scene) {
        const Pairing pairing = scene.pairings().at(0);
        return std::tuple(pairing.samples, pairing.in_functions, pairing.forked);
    };
    SiblingsScene scene;
    scene.births.push_back({.time = kStart + 200, .pid = 8, .parent = 7});
    scene.sample(40, 0x10010, kStart + 300, 8);
    const std::vector<std::string> healthy = SiblingsScene().findings();
    CHECK(tally(scene) == std::tuple(72, 70, 1));
    CHECK(scene.findings() == healthy);

    SiblingsScene grandchild = scene;
    grandchild.births.push_back({.time = kStart + 250, .pid = 9, .parent = 8});
    grandchild.sample(5, 0x10010, kStart + 300, 9);
    CHECK(tally(grandchild) == std::tuple(77, 75, 2));

    SiblingsScene other_program = scene;
    other_program.births.push_back({.time = kStart + 250, .pid = 8, .parent = 0});
    CHECK(tally(other_program) == std::tuple(32, 30, 0));

    SiblingsScene unrelated = scene;
    unrelated.births.back().parent = 0;
    CHECK(tally(unrelated) == std::tuple(32, 30, 0));

    SiblingsScene own_memory = scene;
    own_memory.mappings.push_back(SiblingsScene::mapping("//anon", 8, kStart + 210, 0x10000, 0x1000));
    CHECK(tally(own_memory) == std::tuple(32, 30, 1));

    SiblingsScene forked_before = scene;
    forked_before.births.back().time = kStart + 15;
    CHECK(tally(forked_before) == std::tuple(72, 30, 1));
    CHECK(forked_before.findings() == healthy);
}

TEST_CASE("siblings 4.3: frames of call chains count once, beside the samples in functions") {
    SiblingsScene scene;
    scene.frames = {{31, 0x10010}, {31, 0x10210}, {31, 0x400020}, {0, 0x10210}};
    CHECK(scene.pairings().at(0).in_functions == 30);
    CHECK(scene.pairings().at(0).in_chains == 1);
    scene.frames = {{30, 0x10300}, {31, 0x400020}};
    CHECK(scene.pairings().at(0).in_chains == 0);

    scene.has_dump = false;
    scene.maps = {{"/tmp/perf-7.map", {{0x10000, 0x100ff}}}};
    scene.frames = {{30, 0x10020}, {31, 0x10300}};
    CHECK(scene.pairings().at(0).in_functions == 30);
    CHECK(scene.pairings().at(0).in_chains == 1);
}

TEST_CASE("siblings 4.5: memory for which perf looks at no perf map") {
    SiblingsScene scene;
    scene.has_dump = false;
    scene.mappings.pop_back();
    scene.maps = {{"/tmp/perf-7.map", {{0x10000, 0x100ff}}}};
    const std::vector<std::string> found = {
        "error siblings/map-not-consulted perf.data 0x270+112 with /tmp/perf-7.map"};
    for (const char* name : {"/memfd:doublemapper (deleted)", "[anon:v8]", "//anonymous"}) {
        scene.mappings[1].name = name;
        CHECK_MESSAGE(scene.findings() == found, name);
        CHECK(scene.pairings().at(0).in_functions == 0);
        CHECK(scene.pairings().at(0).not_consulted == 30);
    }
    for (const char* name :
         {"//anon", "/dev/zero (deleted)", "/anon_hugepage (deleted)", "[heap]", "[stack]", "/SYSV0"}) {
        scene.mappings[1].name = name;
        CHECK_MESSAGE(scene.findings().empty(), name);
        CHECK(scene.pairings().at(0).in_functions == 30);
    }
    scene.mappings[1].name = "/memfd:doublemapper (deleted)";
    scene.mappings[1].mapping.is_huge = true;
    CHECK(scene.findings().empty());
    scene.mappings[1].mapping.is_huge = false;
    scene.samples.clear();
    scene.sample(19, 0x10010, kStart + 100);
    CHECK(scene.findings().empty());
    scene.sample(1, 0x10010, kStart + 100);
    CHECK(scene.findings() == found);
}

TEST_CASE("siblings 4.5: perf maps") {
    const auto map = [](const std::string& path, uint64_t start) { return Scene::Map{path, {{start, start + 0xff}}}; };
    Scene scene;
    scene.has_dump = false;
    scene.mappings.pop_back();
    scene.maps = {map("/tmp/perf-7.map", 0x10000)};
    CHECK(scene.findings().empty());
    CHECK(scene.pairings()[0].in_functions == 30);

    scene.maps = {map("/tmp/perf-8.map", 0x10000)};
    CHECK(scene.findings() ==
          std::vector<std::string>{"warning siblings/map-pid-unknown /tmp/perf-8.map 0x0+0 with perf.data"});
    scene.is_blind = true;
    CHECK(scene.findings().empty());
    scene.is_blind = false;

    const std::vector<std::string> nothing = {
        "warning siblings/map-resolves-nothing /tmp/perf-7.map 0x0+0 with perf.data"};
    scene.maps = {map("/tmp/perf-7.map", 0x11000)};
    CHECK(scene.findings() == nothing);
    scene.sample(30, 0x11000, kStart + 100);  // as many hits as misses
    CHECK(scene.findings().empty());
    scene.samples.clear();
    scene.sample(19, 0x10010, kStart + 100);
    CHECK(scene.findings().empty());
    scene.sample(1, 0x10010, kStart + 100);
    CHECK(scene.findings() == nothing);
    scene.maps[0].path = "/tmp/names.map";  // its process is unknown
    CHECK(scene.findings().empty());

    Scene both;
    both.maps = {map("/tmp/perf-7.map", 0x10000)};
    CHECK(both.findings() ==
          std::vector<std::string>{kNotDone, "note siblings/map-and-dump /tmp/jit-7.dump 0x14+4 with /tmp/perf-7.map"});
    both.header_pid = 9;
    CHECK(std::ranges::none_of(both.findings(),
                               [](const std::string& one) { return one.find("map-and-dump") != one.npos; }));
}

TEST_CASE("siblings: what is joined is counted") {
    const std::vector<Pairing> pairings = Scene().pairings();
    REQUIRE(pairings.size() == 1);
    CHECK(pairings[0].functions == 2);
    CHECK(pairings[0].processes == 1);
    CHECK(pairings[0].pid == 7);
    CHECK(pairings[0].samples == 32);
    CHECK(pairings[0].in_functions == 30);
    CHECK(pairings[0].next_step == "run `perf inject -j -i perf.data -o perf.jit.data`");
}

TEST_CASE("siblings: what a limit cut is marked as the least there is") {
    Scene scene;
    scene.sample(20'000, 0x10010, kStart + 100);
    bool seen = false;
    for (uint64_t memory = 10'000; memory < 800'000; memory += 10'000) {
        CAPTURE(memory);
        scene.memory = memory;
        for (const Pairing& pairing : scene.pairings()) {
            if (!pairing.is_compared) continue;
            CHECK((pairing.is_least || pairing.samples == 20'032));
            CHECK(pairing.samples <= 20'032);
            seen |= pairing.is_least && pairing.samples < 20'032;
        }
    }
    CHECK(seen);
    scene.memory = Limits{}.memory;
    CHECK_FALSE(scene.pairings()[0].is_least);
}

TEST_CASE("siblings: without memory a note says what was not asked, and nothing is made up") {
    Scene scene;
    scene.functions[1].time = kStart + 1001;
    const std::vector<std::string> all = scene.findings();
    std::set<std::string> seen;
    for (uint64_t memory = 0; memory < 40'000; memory += 97) {
        CAPTURE(memory);
        scene.memory = memory;
        for (const std::string& one : scene.findings()) {
            if (one.find("tracking-limit") == one.npos) CHECK(std::ranges::find(all, one) != all.end());
            seen.insert(one);
        }
    }
    CHECK(seen.contains("note siblings/tracking-limit /tmp/jit-7.dump 0x0+4 with perf.data"));
    CHECK(std::ranges::all_of(all, [&](const std::string& one) { return seen.contains(one); }));
}

}  // namespace
}  // namespace tracelint
