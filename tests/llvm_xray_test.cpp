// tracelint against llvm-xray, where that is installed: what passes here without an error, LLVM reads.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "fuzz/generate.hpp"
#include "fuzz/oracles.hpp"
#include "fuzz/random.hpp"
#include "fuzz/soak.hpp"
#include "tests/corpus.hpp"
#include "tests/scratch_file.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMutants = 1000;
constexpr uint64_t kSeeds = 600;
constexpr uint64_t kMostMoved = 64;  // bytes that a mutation cuts out or puts in

// What LLVM refuses though tracelint has no error for it: a finding of the rule explains it.
struct Documented {
    std::string_view rule;
    std::string_view reason;
};
constexpr Documented kDocumented[] = {
    {"xray/empty-trace", "an empty log is what a program leaves that recorded nothing: a warning, never an error"},
};

bool is_installed() { return std::system("command -v llvm-xray-19 >/dev/null 2>&1") == 0; }

void skip() { MESSAGE("llvm-xray-19 is not installed"); }

// Files in a folder of their own, so that one shell can run LLVM over all of them.
class PeerRun {
  public:
    PeerRun() : folder_(fs::temp_directory_path() / fs::path(list_.path()).filename().concat("-peer")) {
        fs::create_directory(folder_);
    }
    ~PeerRun() { fs::remove_all(folder_); }
    PeerRun(const PeerRun&) = delete;
    PeerRun& operator=(const PeerRun&) = delete;

    void add(const std::string& name, const std::string& bytes) { write_file(folder_ / name, bytes); }

    // The names of the files that LLVM does not convert.
    std::set<std::string> refused() const {
        const std::string command =
            "cd '" + folder_.string() +
            "' && ls | xargs -P \"$(nproc)\" -n 1 sh -c "
            "'timeout 20 llvm-xray-19 convert -f yaml -o /dev/null \"$0\" >/dev/null 2>&1 || echo \"$0\"' >'" +
            list_.path() + "'";
        REQUIRE(std::system(command.c_str()) == 0);
        std::ifstream list(list_.path());
        std::set<std::string> names;
        for (std::string name; std::getline(list, name);) names.insert(name);
        return names;
    }

  private:
    ScratchFile list_;
    fs::path folder_;
};

const Format& xray() { return *find_format("xray"); }

Outcome outcome_of(const std::string& bytes) { return check_all({as_bytes(bytes), &xray()}); }

bool is_documented(const Outcome& outcome) {
    return std::ranges::any_of(kDocumented,
                               [&](const Documented& d) { return outcome.report().counts().contains(d.rule); });
}

// Profiling files have no reader in LLVM.
bool is_readable_kind(const std::string& bytes) { return bytes.size() < 8 || bytes.compare(0, 8, "forpyarx") != 0; }

std::vector<std::pair<std::string, std::string>> healthy_files() {
    std::vector<std::pair<std::string, std::string>> files;
    for (const fs::path& path : corpus_files(xray(), "real", ".xray")) {
        const std::string bytes = read_file(path).value_or("");
        if (is_readable_kind(bytes) && outcome_of(bytes).report().count(Severity::error) == 0)
            files.emplace_back(path.filename().string(), bytes);
    }
    return files;
}

// Bytes cut out, put in, or the file cut.
std::string mutant(std::string bytes, Random& random) {
    const uint64_t at = below(random, bytes.size());
    switch (below(random, 3)) {
        case 0: return bytes.erase(at, between(random, 1, kMostMoved));
        case 1: return bytes.insert(at, random_bytes(random, between(random, 1, kMostMoved)));
        default: return bytes.substr(0, at);
    }
}

}  // namespace

TEST_CASE("LLVM reads the real files that have no error") {
    if (!is_installed()) return skip();
    PeerRun run;
    for (const auto& [name, bytes] : healthy_files())
        if (!is_documented(outcome_of(bytes))) run.add(name, bytes);
    for (const std::string& name : run.refused()) FAIL_CHECK(name);
}

TEST_CASE("LLVM reads generated little-endian logs of version 2 to 5") {
    if (!is_installed()) return skip();
    PeerRun run;
    size_t files = 0;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
        GenerateOptions options = nth_file(seed);
        options.model.byte_order = ByteOrder::little;
        const Drafts file = generate(xray(), options);
        const std::string bytes = bytes_of(file);
        const bool is_log = bytes[2] == 1 && bytes[0] >= 2 && bytes[0] <= 5 && is_readable_kind(bytes);
        if (!is_log || is_documented(outcome_of(bytes))) continue;
        run.add(std::to_string(seed), bytes);
        ++files;
    }
    CHECK(files > kSeeds / 6);
    for (const std::string& seed : run.refused()) FAIL_CHECK("seed " << seed);
}

TEST_CASE("what LLVM refuses of mutated real files has an error here") {
    if (!is_installed()) return skip();
    const auto files = healthy_files();
    REQUIRE(!files.empty());
    Random random(19);
    PeerRun run;
    std::set<std::string> passed;  // without an error
    for (size_t i = 0; i < kMutants; ++i) {
        const auto& [name, bytes] = pick_of(random, files);
        const std::string changed = mutant(bytes, random), label = std::to_string(i) + "-" + name;
        const Outcome outcome = outcome_of(changed);
        if (outcome.report().count(Severity::error) == 0 && !is_documented(outcome)) passed.insert(label);
        run.add(label, changed);
    }
    const std::set<std::string> refused = run.refused();
    for (const std::string& label : passed) CHECK_MESSAGE(!refused.contains(label), label);
    MESSAGE("of " << kMutants << " mutants LLVM refuses " << refused.size() << ", tracelint passes " << passed.size());
}

}  // namespace tracelint
