// tracelint against llvm-xray, where that is installed: what passes here without an error, LLVM reads.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/oracles.hpp"
#include "fuzz/soak.hpp"
#include "tests/oracles/peer_run.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

// LLVM takes a tenth of a second to start.
const uint64_t kMutants = seeds(250);
const uint64_t kXraySeeds = seeds(150);

// What LLVM refuses though tracelint has no error for it: a finding of the rule explains it.
struct Documented {
    std::string_view rule;
    std::string_view reason;
};
constexpr Documented kDocumented[] = {
    {"xray/empty-trace", "an empty log is what a program leaves that recorded nothing: a warning, never an error"},
};

constexpr const char* kReader = "llvm-xray-19";

bool has_llvm_xray() {
    if (!is_installed(kReader)) skip(std::string(kReader) + " is not installed");
    return is_installed(kReader);
}

std::set<std::string> refused_by_llvm(const PeerRun& run) {
    const auto names = run.refused("llvm-xray-19 convert -f yaml -o /dev/null \"$0\"");
    return {names.begin(), names.end()};
}

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
    for (const std::filesystem::path& path : corpus_files(xray(), "real", ".xray")) {
        const std::string bytes = read_file(path).value_or("");
        if (is_readable_kind(bytes) && outcome_of(bytes).report().count(Severity::error) == 0)
            files.emplace_back(path.filename().string(), bytes);
    }
    return files;
}

}  // namespace

TEST_CASE("LLVM reads the real files that have no error") {
    if (!has_llvm_xray()) return;
    PeerRun run;
    for (const auto& [name, bytes] : healthy_files())
        if (!is_documented(outcome_of(bytes))) run.add(name, bytes);
    for (const std::string& name : refused_by_llvm(run)) FAIL_CHECK(name);
}

TEST_CASE("LLVM reads generated little-endian logs of version 2 to 5") {
    if (!has_llvm_xray()) return;
    PeerRun run;
    size_t files = 0;
    for (uint64_t seed = 1; seed <= kXraySeeds; ++seed) {
        GenerateOptions options = nth_file(seed);
        options.model.byte_order = ByteOrder::little;
        const FileRecords file = generate(xray(), options);
        const std::string bytes = bytes_of(file);
        const bool is_log = bytes[2] == 1 && bytes[0] >= 2 && bytes[0] <= 5 && is_readable_kind(bytes);
        if (!is_log || is_documented(outcome_of(bytes))) continue;
        run.add(std::to_string(seed), bytes);
        ++files;
    }
    CHECK(files > kXraySeeds / 6);
    for (const std::string& seed : refused_by_llvm(run)) FAIL_CHECK("seed " << seed);
}

TEST_CASE("what LLVM refuses of mutated real files has an error here") {
    if (!has_llvm_xray()) return;
    const auto files = healthy_files();
    REQUIRE(!files.empty());
    Random random(19);
    PeerRun run;
    std::set<std::string> passed;  // without an error
    for (size_t i = 0; i < kMutants; ++i) {
        const auto& [name, bytes] = pick_of(random, files);
        const std::string changed = structural_mutant(bytes, random), label = std::to_string(i) + "-" + name;
        const Outcome outcome = outcome_of(changed);
        if (outcome.report().count(Severity::error) == 0 && !is_documented(outcome)) passed.insert(label);
        run.add(label, changed);
    }
    const std::set<std::string> refused = refused_by_llvm(run);
    for (const std::string& label : passed) CHECK_MESSAGE(!refused.contains(label), label);
    MESSAGE("of " << kMutants << " mutants LLVM refuses " << refused.size() << ", tracelint passes " << passed.size());
}

}  // namespace tracelint
