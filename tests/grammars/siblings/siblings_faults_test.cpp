// A soak of pairs: healthy ones are made up at random, then one thing in each is broken (grammars/siblings/spec.md,
// section 4). The fault is found, nothing else is, and the next step is not perf inject where that would be in vain.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/grammars/siblings/siblings_scene.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

using Scene = SiblingsScene;

constexpr uint64_t kCode = 0x100000, kRoom = 0x400;
constexpr size_t kMarker = 2;  // of the scene's mappings

uint64_t end_of(const Scene& scene) { return scene.deaths[0].time; }

// Process 7 loads functions, one after the other, and each is sampled after that.
Scene healthy(Random& random) {
    Scene scene;
    scene.samples.clear();
    scene.functions.clear();
    const uint64_t count = between(random, 2, 40);
    scene.mappings[1].mapping.start = kCode;
    scene.mappings[1].mapping.length = kRoom * count;
    uint64_t time = kStart + 20;
    for (uint64_t i = 0; i < count; ++i) {
        time += between(random, 1, 1'000'000);
        const uint64_t start = kCode + kRoom * i;
        scene.functions.push_back(Scene::function(time, start, static_cast<uint32_t>(between(random, 1, kRoom)), i, 7));
    }
    for (const CodeFunction& one : scene.functions)
        scene.sample(between(random, 5, 30), one.start + below(random, one.size), time + between(random, 1, 1'000'000));
    scene.sample(below(random, 20), 0x400010, kStart + 50);  // in the program
    for (uint64_t i = below(random, 3); i > 0; --i) scene.events.push_back(scene.events[0]);
    scene.deaths[0].time = time + 10'000'000;
    return scene;
}

void inject(Scene& scene) {
    scene.mappings.pop_back();  // perf inject drops the marker
    for (const CodeFunction& one : scene.functions)
        scene.mappings.push_back(
            Scene::mapping("/tmp/jitted-7-" + std::to_string(one.index) + ".so", 7, one.time, one.start, one.size));
}

CodeFunction& any_function(Scene& scene, Random& random) {
    return scene.functions[below(random, scene.functions.size())];
}

void shift(Scene& scene, uint64_t by) {
    for (CodeFunction& one : scene.functions) one.time += by;
}

void cover(Scene& scene, Random& random, const char* name) {
    const CodeFunction& one = any_function(scene, random);
    const uint64_t start = one.start + below(random, one.size);
    // After all are loaded, and before the first sample.
    scene.mappings.push_back(
        Scene::mapping(name, 7, scene.functions.back().time + 1, start, between(random, 1, kRoom)));
}

struct Fault {
    const char* rule;  // "error clock-not-monotonic"
    void (*plant)(Scene& scene, Random& random);
};

constexpr Fault kFaults[] = {
    {"error clock-not-monotonic",
     [](Scene& s, Random& random) { s.events[below(random, s.events.size())].uses_clock_id = false; }},
    {"error clock-not-monotonic",
     [](Scene& s, Random& random) {
         constexpr int32_t kOthers[] = {0, 4, 7, 11};
         s.events[below(random, s.events.size())].clock_id = kOthers[below(random, 4)];
     }},
    {"error arch-timestamp-without-time-conv", [](Scene& s, Random&) { s.has_counter_times = true; }},
    {"error arch-timestamp-misplaced",
     [](Scene& s, Random& random) {
         s.has_counter_times = true;
         s.conversion = {.shift = 0, .multiplier = between(random, 1000, 9000), .zero = 0, .is_usable = true};
     }},
    {"warning no-time-in-records",
     [](Scene& s, Random& random) { s.events[below(random, s.events.size())].has_time = false; }},
    {"error no-marker-mmap", [](Scene& s, Random&) { s.mappings.erase(s.mappings.begin() + kMarker); }},
    {"error marker-name",
     [](Scene& s, Random& random) {
         s.dump_path = "/tmp/jit-7-" + std::to_string(below(random, 1000)) + ".dump";
         s.mappings[kMarker].name = s.dump_path;
     }},
    {"error marker-pid",
     [](Scene& s, Random& random) {
         const auto pid = static_cast<uint32_t>(between(random, 8, 4'000'000));
         s.pids = {pid};
         for (Scene::NamedMapping& one : s.mappings) one.mapping.pid = pid;
         for (Sample& one : s.samples) one.pid = pid;
         s.births[0].pid = s.deaths[0].pid = pid;
     }},
    {"warning marker-not-executable", [](Scene& s, Random&) { s.mappings[kMarker].mapping.protection = 1; }},
    {"error pid-unknown",
     [](Scene& s, Random& random) {
         CodeFunction added = any_function(s, random);
         added.pid = static_cast<uint32_t>(between(random, 8, 4'000'000));
         added.index = s.functions.size();
         s.functions.push_back(added);
     }},
    {"warning header-pid",
     [](Scene& s, Random& random) { s.header_pid = static_cast<uint32_t>(between(random, 8, 4'000'000)); }},
    {"warning compressed-not-injected", [](Scene& s, Random&) { s.compressed = Place{0x300, 8}; }},
    {"warning no-unwinding", [](Scene& s, Random&) { s.events[0].has_user_stack = true; }},
    {"error no-common-time",
     [](Scene& s, Random& random) {
         shift(s, end_of(s) - s.functions[0].time + 1'000'000'001 + below(random, uint64_t{1} << 50));
     }},
    {"error stale-dump",
     [](Scene& s, Random& random) { shift(s, kStart - s.functions.back().time - between(random, 1, 1'000'000'000)); }},
    {"warning load-after-exit",
     [](Scene& s, Random& random) {
         s.functions.push_back(Scene::function(end_of(s) + between(random, 1, 1'000'000), kCode + (uint64_t{1} << 30),
                                               16, s.functions.size(), 7));
     }},
    {"error loads-late",
     [](Scene& s, Random&) {
         for (CodeFunction& one : s.functions) one.time = end_of(s) - 1;
     }},
    {"warning samples-before-load",
     [](Scene& s, Random& random) {
         const CodeFunction& one = any_function(s, random);
         s.sample(between(random, 1, 4), one.start, one.time - 50);
     }},
    {"warning samples-in-no-code",
     [](Scene& s, Random& random) {
         s.mappings[1].mapping.length *= 2;
         s.sample(s.samples.size() + 20, kCode + kRoom * s.functions.size() + below(random, kRoom),
                  s.functions.back().time + 1);
     }},
    {"error code-covered-by-later-mmap", [](Scene& s, Random& random) { cover(s, random, "/lib/a.so"); }},
    {"note code-covered-by-anonymous-mmap", [](Scene& s, Random& random) { cover(s, random, "//anon"); }},
    {"note already-injected", [](Scene& s, Random&) { inject(s); }},
    {"warning injected-incomplete",
     [](Scene& s, Random& random) {
         inject(s);
         s.mappings.erase(s.mappings.begin() + kMarker + static_cast<int>(below(random, s.functions.size())));
     }},
    {"error injected-range",
     [](Scene& s, Random& random) {
         inject(s);
         s.mappings[kMarker + below(random, s.functions.size())].mapping.start += between(random, 1, 1 << 20);
     }},
    {"warning map-pid-unknown",
     [](Scene& s, Random& random) {
         const auto pid = std::to_string(between(random, 8, 4'000'000));
         s.maps = {{"/tmp/perf-" + pid + ".map", {{kCode, kCode + 1}}}};
     }},
    {"warning map-resolves-nothing",
     [](Scene& s, Random& random) {
         s.sample(20, kCode, s.functions.back().time + 1);
         s.maps = {{"/tmp/perf-7.map", {{kCode + (between(random, 1, 9) << 30), kNone}}}};
     }},
};

// The rules of the findings, once each: "error clock-not-monotonic". Without notes if there is anything worse.
std::vector<std::string> rules_found(const Scene& scene, bool with_notes) {
    std::vector<std::string> rules;
    for (const std::string& one : scene.findings()) {
        const size_t slash = one.find('/'), severity = one.find(' ');
        if (!with_notes && one.starts_with("note")) continue;
        rules.push_back(one.substr(0, severity + 1) + one.substr(slash + 1, one.find(' ', slash) - slash - 1));
    }
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    return rules;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

TEST_CASE("soak: what is broken in a healthy pair is found, and nothing else") {
    for (uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        {
            Random random(seed);
            const Scene scene = healthy(random);
            const std::vector<std::string> found = rules_found(scene, true);
            CHECK_MESSAGE(found == std::vector<std::string>{"note inject-not-done"}, joined(found));
        }
        for (const Fault& fault : kFaults) {
            CAPTURE(fault.rule);
            Random random(seed);
            Scene scene = healthy(random);
            fault.plant(scene, random);
            const std::string rule = fault.rule;
            const bool is_note = rule.starts_with("note");
            std::vector<std::string> found = rules_found(scene, is_note);
            if (is_note) std::erase(found, "note inject-not-done");
            CHECK_MESSAGE(found == std::vector<std::string>{rule}, joined(found));
            for (const Pairing& pairing : scene.pairings()) {
                CAPTURE(pairing.next_step);
                CHECK_FALSE(pairing.next_step.empty());
                if (rule.starts_with("error")) CHECK_FALSE(pairing.next_step.starts_with("run `perf inject -j -i"));
            }
        }
    }
}

TEST_CASE("siblings 4.7: of very many functions, perf inject writes as many files") {
    for (const auto& [count, is_mentioned] : {std::pair{49'999u, false}, {50'000u, true}}) {
        Scene scene;
        for (uint32_t i = 2; i < count; ++i)
            scene.functions.push_back(Scene::function(kStart + 30, 0x100'0000 + uint64_t{i} * 16, 16, i, 7));
        const std::vector<Pairing> pairings = scene.pairings();
        REQUIRE(pairings.size() == 1);
        CHECK(pairings[0].next_step == std::string("run `perf inject -j -i perf.data -o perf.jit.data`") +
                                           (is_mentioned ? "; it writes a file for each of the 50000 functions" : ""));
    }
}

}  // namespace
}  // namespace tracelint
