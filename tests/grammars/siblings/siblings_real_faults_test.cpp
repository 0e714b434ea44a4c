// A soak of real pairs: one thing is broken at random in each recorded pair of corpus/siblings/real, in its bytes. The
// fault is found at its place, and nothing else is (grammars/siblings/spec.md, section 4).
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "fuzz/judged_group.hpp"
#include "tests/support/corpus.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

// The effect of a fault on a pair: the rule that finds it, its place, and its consequences.
struct PairFault {
    std::string rule;     // "error clock-not-monotonic"
    bool in_dump = true;  // the place, else in the recording
    uint64_t offset = 0;
};

// A recording and a dump of one process, and what they say.
class RealPair {
  public:
    RealPair(const PairMember& recorded, const PairMember& dumped) : recording_file(recorded), dump_file(dumped) {
        facts_of(recording_file, in_recording);
        facts_of(dump_file, in_dump);
        for (const CodeFunction& one : functions()) held_.push_back(samples_held(one));
    }

    PairMember recording_file, dump_file;

  private:
    Budget budget_{Limits{}.memory};

  public:
    Facts in_recording{budget_}, in_dump{budget_};

    const Recording& recording() const { return in_recording.recording; }
    const FactTable<CodeFunction>& functions() const { return in_dump.dump.functions; }
    // The times of the samples in a function after it was loaded, sorted.
    const std::vector<uint64_t>& held(size_t function) const { return held_[function]; }
    size_t all_held() const {
        size_t all = 0;
        for (const auto& one : held_) all += one.size();
        return all;
    }
    bool is_of_one_process() const {
        return std::ranges::all_of(functions(), [&](const CodeFunction& one) { return one.pid == in_dump.dump.pid; });
    }
    uint32_t pid() const { return in_dump.dump.pid; }

    uint64_t place(size_t function, const Place& field) const {
        return place_of(functions()[function].at, in_dump.dump.record, field).offset;
    }
    void set_time(size_t function, uint64_t time) { set(dump_file, place(function, in_dump.dump.function_time), time); }
    // The mapping of the dump.
    const Mapping* marker() const {
        const auto found = std::ranges::find_if(recording().mappings, [&](const Mapping& one) {
            return recording().base_name(one) == dump_file.name && one.pid == pid();
        });
        return found == recording().mappings.end() ? nullptr : &*found;
    }

    template <class Number>
    static void set(PairMember& file, uint64_t offset, Number number) {
        REQUIRE(offset + sizeof number <= file.bytes.size());
        std::memcpy(file.bytes.data() + offset, &number, sizeof number);
    }

  private:
    static void facts_of(const PairMember& file, Facts& facts) {
        CheckOptions options;
        options.file_name = file.name;
        options.facts = &facts;
        MemorySource source(as_bytes(file.bytes));
        (void)check(source, options);
    }
    std::vector<uint64_t> samples_held(const CodeFunction& function) const {
        std::vector<uint64_t> times;
        for (const Sample& one : recording().samples)
            if (one.pid == function.pid && one.address - function.start < function.size && one.time >= function.time)
                times.push_back(one.time);
        std::ranges::sort(times);
        return times;
    }

    std::vector<std::vector<uint64_t>> held_;
};

// A function without samples, or none.
std::optional<size_t> idle_function(const RealPair& pair, Random& random) {
    std::vector<size_t> idle;
    for (size_t i = 0; i < pair.functions().size(); ++i)
        if (pair.held(i).empty() && pair.functions()[i].size != 0) idle.push_back(i);
    if (idle.empty()) return std::nullopt;
    return idle[below(random, idle.size())];
}

// All functions get the time; the first of them is where it is noticed.
void stamp_all(RealPair& pair, uint64_t time) {
    for (size_t i = 0; i < pair.functions().size(); ++i) pair.set_time(i, time + i);
}

const LifeEvent* life_event(const FactTable<LifeEvent>& events, uint32_t pid) {
    const auto found =
        std::ranges::find_if(events, [&](const LifeEvent& one) { return one.pid == pid && one.time != 0; });
    return found == events.end() ? nullptr : &*found;
}

using Plant = std::optional<PairFault> (*)(RealPair& pair, Random& random);  // nullopt: does not apply to the pair

constexpr Plant kPlants[] = {
    // The clock of the kernel.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        constexpr uint8_t kUseClockId = 2;  // of byte 3
        const uint64_t offset = pair.recording().events[below(random, pair.recording().events.size())].flags.offset;
        pair.recording_file.bytes[offset + 3] &= static_cast<char>(~kUseClockId);
        return PairFault{"error clock-not-monotonic", false, offset};
    },
    // Another clock.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        constexpr int32_t kOthers[] = {0, 4, 7, 11};
        const auto& event = pair.recording().events[below(random, pair.recording().events.size())];
        pair.set(pair.recording_file, event.clock_id_place.offset, kOthers[below(random, 4)]);
        return PairFault{"error clock-not-monotonic", false, event.clock_id_place.offset};
    },
    [](RealPair& pair, Random&) -> std::optional<PairFault> {
        pair.set(pair.dump_file, pair.in_dump.dump.flags.offset, uint64_t{1});
        return PairFault{"error arch-timestamp-without-time-conv", true, pair.in_dump.dump.flags.offset};
    },
    // The dump is mapped under a name of another file.
    [](RealPair& pair, Random&) -> std::optional<PairFault> {
        const size_t at = pair.recording_file.bytes.find(pair.dump_file.name, pair.marker()->at.offset);
        pair.recording_file.bytes[at] = 'x';
        return PairFault{"error no-marker-mmap", true, pair.in_dump.dump.pid_place.offset};
    },
    // The number in the names of the dump is not that of the process.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        if (!pair.is_of_one_process()) return std::nullopt;
        const uint64_t marker = pair.marker()->at.offset;
        std::string name = pair.dump_file.name;
        char& digit = name[name.find('.') - 1];
        digit = static_cast<char>('0' + (static_cast<uint64_t>(digit - '0') + 1 + below(random, 9)) % 10);
        std::string& bytes = pair.recording_file.bytes;
        if (bytes.find(name) != bytes.npos) return std::nullopt;  // that of another process
        bytes.replace(bytes.find(pair.dump_file.name, marker), name.size(), name);
        pair.dump_file.name = name;
        return PairFault{"error marker-pid", false, marker + pair.recording().pid_of_mapping.offset};
    },
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const auto function = idle_function(pair, random);
        if (!function || pair.functions().size() < 2) return std::nullopt;
        const uint64_t offset = pair.place(*function, pair.in_dump.dump.function_pid);
        pair.set(pair.dump_file, offset, static_cast<uint32_t>(4'000'000 + below(random, 1000)));
        return PairFault{"error pid-unknown", true, offset};
    },
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const uint64_t offset = pair.in_dump.dump.pid_place.offset;
        pair.set(pair.dump_file, offset, static_cast<uint32_t>(4'000'000 + below(random, 1000)));
        return PairFault{"warning header-pid", true, offset};
    },
    // The wall clock.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        stamp_all(pair, pair.recording().last_time + 1'000'000'001 + below(random, uint64_t{1} << 50));
        return PairFault{"error no-common-time", true, pair.place(0, pair.in_dump.dump.function_time)};
    },
    // The dump of an earlier process.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const LifeEvent* const birth = life_event(pair.recording().births, pair.pid());
        if (birth == nullptr) return std::nullopt;
        stamp_all(pair, birth->time - 1'000'000 - below(random, 1'000'000));
        return PairFault{"error stale-dump", true, pair.place(0, pair.in_dump.dump.function_time)};
    },
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const LifeEvent* const death = life_event(pair.recording().deaths, pair.pid());
        const auto function = idle_function(pair, random);
        if (death == nullptr || !function) return std::nullopt;
        pair.set_time(*function, death->time + 1 + below(random, 1000));
        return PairFault{"warning load-after-exit", true, pair.place(*function, pair.in_dump.dump.function_time)};
    },
    // Stamped after the last sample.
    [](RealPair& pair, Random&) -> std::optional<PairFault> {
        if (pair.all_held() < 5) return std::nullopt;
        uint64_t last = 0;
        for (size_t i = 0; i < pair.functions().size(); ++i)
            if (!pair.held(i).empty()) last = std::max(last, pair.held(i).back());
        const LifeEvent* const death = life_event(pair.recording().deaths, pair.pid());
        if (death != nullptr && last + pair.functions().size() >= death->time) return std::nullopt;
        stamp_all(pair, last + 1);
        return PairFault{"error loads-late", false, kNone};
    },
    // One function is stamped after its first sample.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const size_t function = below(random, pair.functions().size());
        if (pair.held(function).empty() || pair.held(function).size() * 2 >= pair.all_held()) return std::nullopt;
        pair.set_time(function, pair.held(function).front() + 1);
        return PairFault{"warning samples-before-load", false, kNone};
    },
    // The memory of the code is that of a file, which is mapped when the code was loaded.
    [](RealPair& pair, Random& random) -> std::optional<PairFault> {
        const size_t function = below(random, pair.functions().size());
        const CodeFunction& code = pair.functions()[function];
        if (pair.held(function).empty()) return std::nullopt;
        constexpr std::string_view kAnonymous = "//anon";
        for (const Mapping& one : pair.recording().mappings) {
            std::string& bytes = pair.recording_file.bytes;
            if (one.at.is_inside || one.pid != code.pid || code.start - one.start >= one.length) continue;
            const std::string_view record = std::string_view(bytes).substr(one.at.offset, one.at.length);
            const std::string_view old(reinterpret_cast<const char*>(&one.time), sizeof one.time);
            const size_t name = record.find(kAnonymous), time = record.rfind(old);
            if (name == record.npos || time == record.npos) continue;
            bytes[one.at.offset + name] = 'a';  // "a/anon"
            pair.set(pair.recording_file, one.at.offset + time, pair.held(function).back() - 1);
            if (code.time >= pair.held(function).back() - 1) return std::nullopt;
            return PairFault{"error code-covered-by-later-mmap", false, one.at.offset};
        }
        return std::nullopt;
    },
};

// The pairs without compressed files. The first dump of each.
std::vector<std::pair<PairMember, PairMember>> real_pairs() {
    std::vector<std::pair<PairMember, PairMember>> pairs;
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "corpus" / "siblings" / "real")) {
        const std::string folder = entry.path().filename().string();
        // Perf inject takes the mapping of the dump away; the others are broken as they are.
        if (folder == "c-writer-injected" || folder == "c-writer-compressed" || folder == "c-writer-dwarf" ||
            folder == "c-writer-untimed")
            continue;
        const std::vector<PairMember> members = tested_corpus().pair_members(folder);
        const auto dump = std::ranges::find_if(members, [](const auto& one) { return one.name.ends_with(".dump"); });
        const auto data = std::ranges::find(members, "perf.data", &PairMember::name);
        if (dump != members.end() && data != members.end()) pairs.emplace_back(*data, *dump);
    }
    return pairs;
}

// Errors and warnings about the pair: with the offset of the first.
std::vector<std::string> found_in(const RealPair& pair) {
    const std::vector<GroupFile> files = {{pair.recording_file.name, as_bytes(pair.recording_file.bytes)},
                                          {pair.dump_file.name, as_bytes(pair.dump_file.bytes)}};
    const JudgedGroup group = judge_files(files);
    std::vector<std::string> found;
    for (size_t i = 0; i < files.size(); ++i) {
        for (const Diagnostic& one : group.outcomes[i]->report().diagnostics()) {
            if (!one.rule->id.starts_with("siblings/") || severity_of(one) == Severity::note) continue;
            found.push_back(std::string(to_string(severity_of(one))) + ' ' + std::string(one.rule->id.substr(9)) +
                            (i == 0 ? " in the recording at " : " in the dump at ") + std::to_string(one.place.offset));
        }
    }
    return found;
}

std::string expected(const PairFault& planted) {
    return planted.rule + (planted.in_dump ? " in the dump at " : " in the recording at ") +
           (planted.offset == kNone ? "" : std::to_string(planted.offset));
}

}  // namespace

TEST_CASE("soak: what is broken in a real pair is found at its place, and nothing else") {
    constexpr uint64_t kSeeds = 25;
    std::map<std::string, size_t> planted_faults;
    size_t pairs = 0;
    for (const auto& [recording, dump] : real_pairs()) {
        ++pairs;
        {
            const RealPair whole(recording, dump);
            CHECK(found_in(whole).empty());
            REQUIRE(whole.marker() != nullptr);
        }
        for (uint64_t seed = 0; seed < kSeeds; ++seed) {
            for (const Plant plant : kPlants) {
                Random random(seed);
                RealPair pair(recording, dump);
                const std::optional<PairFault> planted = plant(pair, random);
                if (!planted) continue;
                ++planted_faults[planted->rule];
                CAPTURE(seed);
                CAPTURE(pair.dump_file.name);
                CAPTURE(planted->rule);
                const std::vector<std::string> found = found_in(pair);
                REQUIRE(found.size() == 1);
                CHECK(found[0].starts_with(expected(*planted)));
                if (planted->offset != kNone) CHECK(found[0] == expected(*planted));
            }
        }
    }
    CHECK(pairs >= 8);
    CHECK(planted_faults.size() == std::size(kPlants) - 1);  // two break the clock
    size_t all = 0;
    for (const auto& [rule, count] : planted_faults) {
        CAPTURE(rule);
        CHECK(count >= 5);
        all += count;
    }
    MESSAGE(all << " faults in " << pairs << " pairs");
}

}  // namespace tracelint
