// A soak of pairs: healthy ones are made up at random, then one thing in each is broken (grammars/siblings/spec.md,
// section 4). The fault is found, nothing else is, and the next step is not perf inject where that would be in vain.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/grammars/siblings/siblings_scene.hpp"

namespace tracelint {
namespace {

using Scene = SiblingsScene;

constexpr uint64_t kCode = 0x100000, kRoom = 0x400;
constexpr size_t kMarker = 2;  // of the scene's mappings

class Draws {
  public:
    explicit Draws(uint64_t seed) : engine_(seed) {}
    uint64_t below(uint64_t limit) { return engine_() % limit; }
    uint64_t between(uint64_t least, uint64_t most) { return least + below(most - least + 1); }

  private:
    std::mt19937_64 engine_;
};

uint64_t end_of(const Scene& scene) { return scene.deaths[0].time; }

// Process 7 loads functions, one after the other, and each is sampled after that.
Scene healthy(Draws& random) {
    Scene scene;
    scene.samples.clear();
    scene.functions.clear();
    const uint64_t count = random.between(2, 40);
    scene.mappings[1].mapping.start = kCode;
    scene.mappings[1].mapping.length = kRoom * count;
    uint64_t time = kStart + 20;
    for (uint64_t i = 0; i < count; ++i) {
        time += random.between(1, 1'000'000);
        const uint64_t start = kCode + kRoom * i;
        scene.functions.push_back(Scene::function(time, start, static_cast<uint32_t>(random.between(1, kRoom)), i, 7));
    }
    for (const CodeFunction& one : scene.functions)
        scene.sample(random.between(5, 30), one.start + random.below(one.size), time + random.between(1, 1'000'000));
    scene.sample(random.below(20), 0x400010, kStart + 50);  // in the program
    for (uint64_t i = random.below(3); i > 0; --i) scene.events.push_back(scene.events[0]);
    scene.deaths[0].time = time + 10'000'000;
    return scene;
}

void inject(Scene& scene) {
    scene.mappings.pop_back();  // perf inject drops the marker
    for (const CodeFunction& one : scene.functions)
        scene.mappings.push_back(
            Scene::mapping("/tmp/jitted-7-" + std::to_string(one.index) + ".so", 7, one.time, one.start, one.size));
}

CodeFunction& any_function(Scene& scene, Draws& random) {
    return scene.functions[random.below(scene.functions.size())];
}

void shift(Scene& scene, uint64_t by) {
    for (CodeFunction& one : scene.functions) one.time += by;
}

void cover(Scene& scene, Draws& random, const char* name) {
    const CodeFunction& one = any_function(scene, random);
    const uint64_t start = one.start + random.below(one.size);
    // After all are loaded, and before the first sample.
    scene.mappings.push_back(Scene::mapping(name, 7, scene.functions.back().time + 1, start, random.between(1, kRoom)));
}

struct Fault {
    const char* rule;  // "error clock-not-monotonic"
    void (*plant)(Scene& scene, Draws& random);
};

constexpr Fault kFaults[] = {
    {"error clock-not-monotonic",
     [](Scene& s, Draws& random) { s.events[random.below(s.events.size())].uses_clock_id = false; }},
    {"error clock-not-monotonic",
     [](Scene& s, Draws& random) {
         constexpr int32_t kOthers[] = {0, 4, 7, 11};
         s.events[random.below(s.events.size())].clock_id = kOthers[random.below(4)];
     }},
    {"error arch-timestamp-without-time-conv", [](Scene& s, Draws&) { s.has_counter_times = true; }},
    {"error arch-timestamp-misplaced",
     [](Scene& s, Draws& random) {
         s.has_counter_times = true;
         s.conversion = {.shift = 0, .multiplier = random.between(1000, 9000), .zero = 0, .is_usable = true};
     }},
    {"warning no-time-in-records",
     [](Scene& s, Draws& random) { s.events[random.below(s.events.size())].has_time = false; }},
    {"error no-marker-mmap", [](Scene& s, Draws&) { s.mappings.erase(s.mappings.begin() + kMarker); }},
    {"error marker-name",
     [](Scene& s, Draws& random) {
         s.dump_path = "/tmp/jit-7-" + std::to_string(random.below(1000)) + ".dump";
         s.mappings[kMarker].name = s.dump_path;
     }},
    {"error marker-pid",
     [](Scene& s, Draws& random) {
         const auto pid = static_cast<uint32_t>(random.between(8, 4'000'000));
         s.pids = {pid};
         for (Scene::NamedMapping& one : s.mappings) one.mapping.pid = pid;
         for (Sample& one : s.samples) one.pid = pid;
         s.births[0].pid = s.deaths[0].pid = pid;
     }},
    {"warning marker-not-executable", [](Scene& s, Draws&) { s.mappings[kMarker].mapping.protection = 1; }},
    {"error pid-unknown",
     [](Scene& s, Draws& random) {
         CodeFunction added = any_function(s, random);
         added.pid = static_cast<uint32_t>(random.between(8, 4'000'000));
         added.index = s.functions.size();
         s.functions.push_back(added);
     }},
    {"warning header-pid",
     [](Scene& s, Draws& random) { s.header_pid = static_cast<uint32_t>(random.between(8, 4'000'000)); }},
    {"warning compressed-not-injected", [](Scene& s, Draws&) { s.compressed = Place{0x300, 8}; }},
    {"warning no-unwinding", [](Scene& s, Draws&) { s.events[0].has_user_stack = true; }},
    {"error no-common-time",
     [](Scene& s, Draws& random) {
         shift(s, end_of(s) - s.functions[0].time + 1'000'000'001 + random.below(uint64_t{1} << 50));
     }},
    {"error stale-dump",
     [](Scene& s, Draws& random) { shift(s, kStart - s.functions.back().time - random.between(1, 1'000'000'000)); }},
    {"warning load-after-exit",
     [](Scene& s, Draws& random) {
         s.functions.push_back(Scene::function(end_of(s) + random.between(1, 1'000'000), kCode + (uint64_t{1} << 30),
                                               16, s.functions.size(), 7));
     }},
    {"error loads-late",
     [](Scene& s, Draws&) {
         for (CodeFunction& one : s.functions) one.time = end_of(s) - 1;
     }},
    {"warning samples-before-load",
     [](Scene& s, Draws& random) {
         const CodeFunction& one = any_function(s, random);
         s.sample(random.between(1, 4), one.start, one.time - 50);
     }},
    {"warning samples-in-no-code",
     [](Scene& s, Draws& random) {
         s.mappings[1].mapping.length *= 2;
         s.sample(s.samples.size() + 20, kCode + kRoom * s.functions.size() + random.below(kRoom),
                  s.functions.back().time + 1);
     }},
    {"error code-covered-by-later-mmap", [](Scene& s, Draws& random) { cover(s, random, "/lib/a.so"); }},
    {"note code-covered-by-anonymous-mmap", [](Scene& s, Draws& random) { cover(s, random, "//anon"); }},
    {"note already-injected", [](Scene& s, Draws&) { inject(s); }},
    {"warning injected-incomplete",
     [](Scene& s, Draws& random) {
         inject(s);
         s.mappings.erase(s.mappings.begin() + kMarker + static_cast<int>(random.below(s.functions.size())));
     }},
    {"error injected-range",
     [](Scene& s, Draws& random) {
         inject(s);
         s.mappings[kMarker + random.below(s.functions.size())].mapping.start += random.between(1, 1 << 20);
     }},
    {"warning map-pid-unknown",
     [](Scene& s, Draws& random) {
         const auto pid = std::to_string(random.between(8, 4'000'000));
         s.maps = {{"/tmp/perf-" + pid + ".map", {{kCode, kCode + 1}}}};
     }},
    {"warning map-resolves-nothing",
     [](Scene& s, Draws& random) {
         s.sample(20, kCode, s.functions.back().time + 1);
         s.maps = {{"/tmp/perf-7.map", {{kCode + (random.between(1, 9) << 30), kNone}}}};
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
            Draws random(seed);
            const Scene scene = healthy(random);
            const std::vector<std::string> found = rules_found(scene, true);
            CHECK_MESSAGE(found == std::vector<std::string>{"note inject-not-done"}, joined(found));
        }
        for (const Fault& fault : kFaults) {
            CAPTURE(fault.rule);
            Draws random(seed);
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
