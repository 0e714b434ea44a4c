// The texts of findings: the message, hint and related place of one finding of every rule, as the `says` lines of its
// case have them. `scripts/bless` writes these lines.
#include <doctest/doctest.h>

#include <set>
#include <sstream>

#include "fuzz/containers.hpp"
#include "tests/support/toy_corpus.hpp"

namespace tracelint {
namespace {

// A block of a case. `forced`: the format to check it as; null: the format of the case, or the recognised one.
struct Checked {
    const CaseBlock& block;
    const Format* forced;

    std::vector<Diagnostic> findings(Source& source) const {
        CheckOptions options = options_of(block);
        if (forced != nullptr) options.format = forced;
        return check(source, options).report().diagnostics();
    }
};

// Whether the finding is about the end of the file: a container that lacks its last bytes explains it.
bool is_about_end(const Checked& checked, const Diagnostic& finding) {
    const CaseBlock& block = checked.block;
    if (block.bytes.size() >= kMiB || block.has_limits()) return false;
    const std::string member = gzip_member(block.bytes.part(0, block.bytes.size()));
    MemorySource source(as_bytes(member).first(member.size() - 4));
    return std::ranges::none_of(checked.findings(source), [&](const Diagnostic& other) {
        return expectation_of(finding).matches(expectation_of(other)) && message_of(finding) == message_of(other);
    });
}

Wording wording_of(const Checked& checked, const Diagnostic& finding) {
    Wording wording;
    wording.message = message_of(finding);
    wording.hint = finding.hint;
    wording.related_offset = finding.related_offset;
    wording.related_length = finding.related_length;
    wording.about_end = is_about_end(checked, finding);
    return wording;
}

using WordingByLine = std::map<size_t, Wording>;  // of the `expect` line

// The first finding of each severity of the case's rule, and of each hint that it gives.
WordingByLine found_in(const CaseFile& file, const Format* forced) {
    WordingByLine found;
    std::set<std::pair<Severity, std::string>> seen;
    for (const CaseBlock& block : file.blocks) {
        if (!block.is_violation) continue;
        const Checked checked{block, forced};
        SparseSource source(block.bytes, true);
        for (const Diagnostic& finding : checked.findings(source)) {
            if (finding.rule->id != file.rule) continue;
            if (seen.contains({severity_of(finding), std::string(finding.hint)})) continue;
            const auto line = std::ranges::find_if(block.expected, [&](const Expectation& expectation) {
                return !found.contains(expectation.line) && expectation.matches(expectation_of(finding));
            });
            if (line == block.expected.end()) continue;  // cases_test tells
            found[line->line] = wording_of(checked, finding);
            seen.emplace(severity_of(finding), finding.hint);
        }
    }
    return found;
}

WordingByLine written_in(const CaseFile& file) {
    WordingByLine written;
    for (const CaseBlock& block : file.blocks)
        for (const Expectation& expectation : block.expected)
            if (expectation.wording) written[expectation.line] = *expectation.wording;
    return written;
}

bool is_wording(const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    return verb == "says" || verb == "hint" || verb == "related" || verb == "about-end";
}

// The case with the lines that it ought to have, everything else untouched.
void write_wording(const std::filesystem::path& path, const WordingByLine& wanted) {
    std::istringstream lines(*read_file(path));
    std::string text, line;
    for (size_t number = 1; std::getline(lines, line); ++number) {
        if (!is_wording(line)) text += line + '\n';
        if (const auto found = wanted.find(number); found != wanted.end()) text += lines_of(found->second);
    }
    write_file(path, text);
}

std::string listing(const WordingByLine& wordings) {
    std::string text;
    for (const auto& [line, wording] : wordings)
        text += "below line " + std::to_string(line) + ":\n" + lines_of(wording);
    return text.empty() ? "(nothing)\n" : text;
}

// `root`: the folder that the paths of the cases begin in.
void check_or_bless(const std::vector<CaseFile>& cases, const std::filesystem::path& root, const Format* forced) {
    for (const CaseFile& file : cases) {
        const WordingByLine found = found_in(file, forced), written = written_in(file);
        CHECK_MESSAGE(!found.empty(), file.path << ": no violation reports the rule");
        if (is_blessing() && found != written)
            write_wording(root / file.path, found);
        else
            CHECK_MESSAGE((found == written), file.path << " (scripts/bless writes it)\n--- found\n"
                                                        << listing(found) << "--- written\n"
                                                        << listing(written) << how_to_repeat(file));
    }
}

}  // namespace

TEST_CASE("every rule says what its case has" * doctest::test_suite(kEachCase)) {
    for (const Format* format : tested_formats()) {
        Errors reported_by_the_cases_test;
        check_or_bless(corpus_cases(*format, reported_by_the_cases_test), kRoot, nullptr);
    }
}

// The toy is in no list of formats, so nothing recognises it.
TEST_CASE("every rule of the toy says what its case has") {
    check_or_bless(toy_cases(), kRoot / "tests" / "toy", &kToy);
}

}  // namespace tracelint
