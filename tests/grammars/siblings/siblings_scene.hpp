// A recording, a dump and perf maps of one run as facts, to be broken one at a time.
#pragma once

#include <string>
#include <vector>

#include "validator/group.hpp"

namespace tracelint {

inline constexpr uint64_t kStart = 5'000'000'000;  // ns: when the process begins

// The facts of healthy files about process 7, which runs two functions.
struct SiblingsScene {
    struct NamedMapping {
        std::string name;
        Mapping mapping;
    };
    struct Frame {
        uint64_t sample = 0;  // its number
        uint64_t address = 0;
    };
    struct Map {
        std::string path;
        std::vector<CodeRange> ranges;
        uint64_t bytecode = 0;  // names of interpreted functions
    };

    std::string recording_path = "perf.data", dump_path = "/tmp/jit-7.dump";
    // In this order: attrs from 0x68 on, mappings from 0x200 on, samples from 0x1000 on.
    std::vector<SampledEvent> events = {{.uses_clock_id = true,
                                         .clock_id = 1,
                                         .has_time = true,
                                         .has_thread = true,
                                         .is_sample_id_all = true,
                                         .flags = {0x90, 8},
                                         .clock_id_place = {0xc4, 4},
                                         .sample_type = {0x80, 8}}};
    std::optional<TimeConversion> conversion{};
    std::vector<NamedMapping> mappings = {mapping("/usr/bin/app", 7, kStart + 5, 0x400000, 0x1000),
                                          mapping("//anon", 7, kStart + 8, 0x10000, 0x10000),
                                          mapping("/tmp/jit-7.dump", 7, kStart + 10, 0x7000000, 0x1000)};
    std::vector<LifeEvent> births = {{kStart, 7}}, deaths = {{kStart + 1000, 7}};
    std::vector<Sample> samples = {};  // the constructor adds 30 in the first function and 2 in the program
    std::vector<Frame> frames = {};
    std::vector<uint32_t> pids = {7};
    std::optional<Place> stream{}, compressed{}, lost{};
    bool is_blind = false;

    bool has_dump = true;
    uint32_t header_pid = 7;
    bool has_counter_times = false;
    bool has_unwinding = false;
    // In the order of the file, from 40 on, each 100 bytes long.
    std::vector<CodeFunction> functions = {function(kStart + 20, 0x10000, 0x100, 0, 7),
                                           function(kStart + 30, 0x10200, 0x100, 1, 7)};
    std::vector<Map> maps{};
    uint64_t memory = Limits{}.memory;

    SiblingsScene();

    static NamedMapping mapping(const std::string& name, uint32_t pid, uint64_t time, uint64_t start, uint64_t length);
    static CodeFunction function(uint64_t time, uint64_t start, uint32_t size, uint64_t index, uint32_t pid);
    // `count` samples at an address, 10 ns apart.
    void sample(uint64_t count, uint64_t address, uint64_t time, uint32_t pid = 7);

    // The findings: "error siblings/clock-not-monotonic perf.data 0x90+8 with /tmp/jit-7.dump", sorted.
    std::vector<std::string> findings() const;
    // The lines that always come.
    std::vector<Pairing> pairings() const;

    // What judging takes: units of work, and the facts that it is about.
    struct Costs {
        uint64_t work = 0, facts = 0;
    };
    Costs costs() const;

  private:
    struct Judged {
        std::vector<std::string> findings;
        std::vector<Pairing> pairings;
        uint64_t work = 0;
    };
    Judged judge() const;
    void fill_recording(Recording& recording) const;
    void fill_dump(CodeDump& dump) const;
};

}  // namespace tracelint
