// The toy format, held to everything that a format of the tool is held to: its cases, its specification and the
// oracles.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/soak.hpp"
#include "tests/support/case_check.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/toy_corpus.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kFiles = 200;

void hold(const Complaint& complaint) {
    if (complaint) FAIL_CHECK(*complaint);
}

// The oracles that any bytes must pass.
void hold_for_bytes(Bytes bytes, uint64_t seed) {
    Random random(seed);
    const Input input{bytes, &kToy};
    hold(never_crash(input));
    hold(chunks_agree(input, random()));
    hold(container(input, random()));
    hold(round_trip(kToy, bytes));
    hold(prefix(kToy, bytes, random() % (bytes.size() + 1)));
    hold(mirrored_file(kToy, bytes));
}

std::vector<std::string> headings_of(const std::string& spec) {
    std::vector<std::string> headings;
    for (size_t at = spec.find("\n#"); at != std::string::npos; at = spec.find("\n#", at + 1)) {
        const size_t from = spec.find_first_not_of("# ", at + 1);
        headings.push_back(spec.substr(from, spec.find('\n', from) - from));
    }
    return headings;
}

bool is_heading(const std::vector<std::string>& headings, std::string_view wanted) {
    return std::ranges::find(headings, wanted) != headings.end();
}

// "A; B" names headings only.
bool resolves(const std::vector<std::string>& headings, std::string_view spec) {
    const size_t end = spec.find("; ");
    if (end == std::string_view::npos) return is_heading(headings, spec);
    return is_heading(headings, spec.substr(0, end)) && resolves(headings, spec.substr(end + 2));
}

TEST_CASE("every case of the toy gives exactly the findings that it expects") {
    for (const CaseFile& file : toy_cases())
        for (const CaseBlock& block : file.blocks) check_findings(file, block, &kToy);
}

TEST_CASE("every rule of the toy has a case with a violation and a near miss, and every case has a rule") {
    std::set<std::pair<std::string, bool>> kinds;
    for (const CaseFile& file : toy_cases())
        for (const CaseBlock& block : file.blocks) {
            kinds.emplace(file.rule, block.is_violation);
            const bool expects =
                std::ranges::find(block.expected, file.rule, &Expectation::rule) != block.expected.end();
            CHECK_MESSAGE(expects == block.is_violation, headline(file, block));
        }
    std::set<std::pair<std::string, bool>> wanted;
    for (const Rule* rule : rules_of(kToy))
        for (const bool is_violation : {false, true}) wanted.emplace(rule->id, is_violation);
    CHECK(kinds == wanted);
}

TEST_CASE("the tables read the base files of the toy as their comments say") {
    Errors errors;
    const Tables tables(kToy);
    const std::vector<Golden> goldens = goldens_of(kToy, errors, toy_corpus());
    CHECK(goldens.size() == 3);
    for (const Golden& golden : goldens) CHECK_MESSAGE(agrees(golden, tables), golden.path);
    CHECK(errors.empty());
}

TEST_CASE("the rules and cases of the toy name sections of its spec.md") {
    const std::vector<std::string> headings = headings_of(read_file(kRoot / "tests/toy/spec.md").value_or(""));
    for (const Rule* rule : rules_of(kToy)) CHECK_MESSAGE(resolves(headings, rule->spec), rule->id);
    for (const CaseFile& file : toy_cases()) CHECK_MESSAGE(resolves(headings, file.spec), file.path);
    CHECK_FALSE(resolves(headings, "3.1 Header; 3.1"));
}

TEST_CASE("generated toy files are clean, read as they were written, and mean the same in both byte orders") {
    for (uint64_t seed = 1; seed <= kFiles; ++seed) {
        hold(generated_is_sound(kToyGenerator, nth_file(seed)));
        hold(mirrored(kToyGenerator, nth_file(seed)));
    }
}

TEST_CASE("every planted fault of the toy is found where it was planted, and every error and warning has one") {
    SoakOptions options;
    options.clean_files = 0;
    options.seeds_per_fault = kFiles;
    options.salvaged_every = 0;
    const SoakResult result = soak(kToyGenerator, options);
    for (const std::string& complaint : result.complaints) FAIL_CHECK(complaint);
    std::set<std::string_view> planted, wanted;
    for (const FaultTally& tally : result.faults) {
        CHECK_MESSAGE(tally.planted > 0, tally.rule->id);
        CHECK_MESSAGE(tally.found == tally.planted, tally.rule->id);
        planted.insert(tally.rule->id);
    }
    for (const Rule* rule : rules_of(kToy))
        if (rule->severity != Severity::note) wanted.insert(rule->id);
    CHECK(planted == wanted);
}

TEST_CASE("toy files pass every oracle: typed, generated, mutated and spliced") {
    for (const auto& [name, bytes] : toy_files()) {
        CAPTURE(name);
        hold_for_bytes(as_bytes(bytes), bytes.size());
        for (uint64_t cut = 0; cut <= bytes.size(); ++cut) hold(prefix(kToy, as_bytes(bytes), cut));
    }
    for (uint64_t seed = 1; seed <= kFiles; ++seed) {
        CAPTURE(seed);
        const std::string bytes = bytes_of(generate(kToyGenerator, nth_file(seed)));
        hold_for_bytes(as_bytes(bytes), seed);
        const std::string broken = mutated(kToyGenerator, as_bytes(bytes), seed);
        hold_for_bytes(as_bytes(broken), seed);
        hold_for_bytes(as_bytes(spliced(kToy, as_bytes(broken), as_bytes(bytes), seed)), seed);
    }
}

}  // namespace
}  // namespace tracelint
