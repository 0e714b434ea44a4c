// tracelint against the two readers of gperftools' profiles, where they are installed: Go's pprof by way of
// tests/go_pprof, and google-pprof.
#include <doctest/doctest.h>

#include <map>
#include <sstream>

#include "fuzz/oracles.hpp"
#include "fuzz/soak.hpp"
#include "tests/oracles/peer_run.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/paths.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint {
namespace {

constexpr size_t kProfileMutants = 3000;
constexpr uint64_t kProfileSeeds = 2000;
const uint64_t kPerlFiles = seeds(8);  // google-pprof takes its time

// What Go refuses though tracelint has no error for it: a finding of the rule explains it.
struct RefusedByGo {
    std::string_view rule;
    std::string_view reason;
};
constexpr RefusedByGo kRefusedByGo[] = {
    {"gperftools/symbolized-wrapper", "google-pprof's own format around a profile: a note, as google-pprof reads it"},
    {"gperftools/concatenated-profile",
     "binary data after the text may hold a line that is too long for Go; a healthy "
     "program that forks writes such files: a warning, never an error"},
};

// Records and samples of a profile.
struct Counted {
    uint64_t records = 0, samples = 0;
    bool operator==(const Counted&) const = default;
};

const Format& gperftools() { return *find_format("gperftools"); }

Outcome profile_outcome(const std::string& bytes) { return check_all({as_bytes(bytes), &gperftools()}); }

bool has_errors(const Outcome& outcome) { return outcome.report().count(Severity::error) != 0; }

bool is_refused_by_go(const Outcome& outcome) {
    return std::ranges::any_of(kRefusedByGo,
                               [&](const RefusedByGo& d) { return outcome.report().counts().contains(d.rule); });
}

Counted counted(const Outcome& outcome) {
    Counted counted;
    for (const auto& [name, count] : outcome.context.statistics) {
        if (name == "records") counted.records = count;
        if (name == "samples") counted.samples = count;
    }
    return counted;
}

// For the files that Go accepts.
std::map<std::string, Counted> read_by_go(const PeerRun& run) {
    std::map<std::string, Counted> accepted;
    for (const std::string& line : run.lines("ls | '" + paths::go_pprof() + "'")) {
        std::istringstream words(line);
        std::string name, verdict;
        Counted counted;
        words >> name >> verdict >> counted.records >> counted.samples;
        CHECK_MESSAGE(verdict != "crashed", line);
        if (verdict == "ok") accepted.emplace(name, counted);
    }
    return accepted;
}

bool has_go() {
    const bool is_there = std::filesystem::exists(paths::go_pprof());
    if (!is_there) skip("Go or its pprof package is not installed");
    return is_there;
}

// Files by name, with tracelint's verdicts. Go must read every file without an error, and count the same records.
class Comparison {
  public:
    void add(const std::string& name, const std::string& bytes) {
        Outcome outcome = profile_outcome(bytes);
        if (!has_errors(outcome) && !is_refused_by_go(outcome)) passed_.emplace(name, counted(outcome));
        run_.add(name, bytes);
        ++files_;
    }
    void check() const {
        const std::map<std::string, Counted> accepted = read_by_go(run_);
        for (const auto& [name, counted] : passed_) {
            CAPTURE(name);
            const auto read = accepted.find(name);
            REQUIRE(read != accepted.end());
            CHECK(read->second.records == counted.records);
            CHECK(read->second.samples == counted.samples);
        }
        MESSAGE("of " << files_ << " files Go refuses " << files_ - accepted.size() << ", tracelint passes "
                      << passed_.size());
    }
    size_t passed() const { return passed_.size(); }

  private:
    PeerRun run_;
    std::map<std::string, Counted> passed_;
    size_t files_ = 0;
};

std::vector<std::pair<std::string, std::string>> real_files() {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& path : corpus_files(gperftools(), "real", ".prof"))
        files.emplace_back(path.filename().string(), read_file(path).value_or(""));
    return files;
}

// A slot with another value, in any of the layouts.
std::string slot_mutant(std::string bytes, Random& random) {
    const size_t width = one_in(random, 3) ? 4 : 8;
    if (bytes.size() < width) return bytes;
    const ByteOrder order = one_in(random, 4) ? ByteOrder::big : ByteOrder::little;
    const size_t slots = std::min<size_t>(bytes.size() / width, one_in(random, 2) ? 12 : kNone);
    uint8_t stored[8];
    store(stored, static_cast<unsigned>(width), order, edge_number(random, static_cast<unsigned>(8 * width)));
    return bytes.replace(width * below(random, slots), width, reinterpret_cast<const char*>(stored), width);
}

}  // namespace

TEST_CASE("Go reads the real profiles that have no error, and counts the same samples") {
    if (!has_go()) return;
    Comparison comparison;
    for (const auto& [name, bytes] : real_files()) comparison.add(name, bytes);
    CHECK(comparison.passed() > 30);
    comparison.check();
}

TEST_CASE("Go reads generated profiles, and counts the same samples") {
    if (!has_go()) return;
    Comparison comparison;
    for (uint64_t seed = 1; seed <= kProfileSeeds; ++seed)
        comparison.add(std::to_string(seed), bytes_of(generate(gperftools(), nth_file(seed))));
    CHECK(comparison.passed() > kProfileSeeds / 2);
    comparison.check();
}

TEST_CASE("what Go refuses of mutated real profiles has an error here") {
    if (!has_go()) return;
    const auto files = real_files();
    REQUIRE(!files.empty());
    Random random(19);
    Comparison comparison;
    for (size_t i = 0; i < kProfileMutants; ++i) {
        const auto& [name, bytes] = pick_of(random, files);
        if (bytes.empty()) continue;
        const bool structural = one_in(random, 3);
        comparison.add(std::to_string(i) + "-" + name,
                       structural ? structural_mutant(bytes, random) : slot_mutant(bytes, random));
    }
    comparison.check();
}

TEST_CASE("google-pprof reads real profiles that have no error, and counts the same samples") {
    if (!is_installed("google-pprof")) return skip("google-pprof is not installed");
    PeerRun run;
    std::map<std::string, uint64_t> passed;
    for (const auto& [name, bytes] : real_files()) {
        const Outcome outcome = profile_outcome(bytes);
        if (passed.size() == kPerlFiles || has_errors(outcome) || is_refused_by_go(outcome)) continue;
        if (counted(outcome).records == 0) continue;  // prints no total
        run.add(name, bytes);
        passed.emplace(name, counted(outcome).samples);
    }
    std::map<std::string, uint64_t> totals;
    const std::string each =
        "for file in *; do echo \"$file $(timeout 20 google-pprof --text /bin/true \"$file\" "
        "2>/dev/null | sed -n \"s/^Total: \\([0-9]*\\) samples.*/\\1/p\")\"; done";
    for (const std::string& line : run.lines(each)) {
        std::istringstream words(line);
        std::string name;
        uint64_t total = kNone;
        if (words >> name >> total) totals.emplace(name, total);
    }
    for (const auto& [name, samples] : passed) {
        CAPTURE(name);
        REQUIRE(totals.contains(name));
        CHECK(totals[name] == samples);
    }
}

}  // namespace tracelint
