// Pairs of real files, and what is found when one thing in them is broken (corpus/siblings/README.md).
#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <sstream>

#include "tests/corpus.hpp"
#include "validator/group.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

const fs::path kPairs = kRoot / "corpus" / "siblings" / "pairs";
const fs::path kReal = kRoot / "corpus" / "siblings" / "real";

struct NamedFile {
    std::string name;
    std::string bytes;
};

// One block of a .pair file.
struct PairBlock {
    std::string title;  // with its kind: "violation: ..."
    std::vector<NamedFile> files;
    std::vector<std::string> expected;  // "error siblings/x FILE 0x10+8"

    bool is_violation() const { return title.starts_with("violation: "); }
    NamedFile& file(const std::string& name) {
        const auto found = std::ranges::find(files, name, &NamedFile::name);
        REQUIRE_MESSAGE(found != files.end(), title << ": no file " << name);
        return *found;
    }
};

std::string rest_of(std::istringstream& words) {
    std::string rest;
    std::getline(words >> std::ws, rest);
    return rest;
}

std::string bytes_of(const std::string& hex_text) {
    Errors errors;
    std::string bytes = read_hex(hex_text, "pair", errors).bytes;
    for (const std::string& error : errors) FAIL(error);
    return bytes;
}

// The files of a folder of corpus/siblings/real, without what is said of them.
std::vector<NamedFile> real_files(const std::string& folder) {
    std::vector<NamedFile> files;
    for (const auto& entry : fs::directory_iterator(kReal / folder))
        files.push_back({entry.path().filename().string(), read_file(entry.path()).value_or("")});
    std::ranges::sort(files, {}, &NamedFile::name);
    REQUIRE(files.size() >= 2);
    return files;
}

// Takes one edit: "FILE set OFFSET HEX", "FILE insert OFFSET HEX", "FILE delete OFFSET+LENGTH", "FILE cut OFFSET",
// "FILE name NAME", "FILE remove".
void edit(PairBlock& block, const std::string& line) {
    std::istringstream words(line);
    std::string name, verb, place;
    words >> name >> verb;
    NamedFile& file = block.file(name);
    if (verb == "name") {
        file.name = rest_of(words);
        return;
    }
    if (verb == "remove") {
        std::erase_if(block.files, [&](const NamedFile& one) { return one.name == name; });
        return;
    }
    words >> place;
    const size_t plus = place.find('+');
    const size_t offset = std::stoul(place.substr(0, plus), nullptr, 0);
    REQUIRE_MESSAGE(offset <= file.bytes.size(), line);
    if (verb == "cut") {
        file.bytes.resize(offset);
    } else if (verb == "delete") {
        REQUIRE_MESSAGE(plus != place.npos, line);
        file.bytes.erase(offset, std::stoul(place.substr(plus + 1), nullptr, 0));
    } else {
        const std::string bytes = bytes_of(rest_of(words));
        REQUIRE_MESSAGE(!bytes.empty(), line);
        REQUIRE_MESSAGE((verb == "set" || verb == "insert"), line);
        const std::string before = file.bytes;
        file.bytes.replace(offset, verb == "set" ? bytes.size() : 0, bytes);
        CHECK_MESSAGE(file.bytes != before, line << " changes nothing");
    }
}

std::vector<PairBlock> blocks_of(const fs::path& path) {
    std::vector<PairBlock> blocks;
    std::istringstream lines(read_file(path).value_or(""));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line[0] == '#') continue;
        if (line.starts_with("violation: ") || line.starts_with("near miss: ")) {
            blocks.push_back({line, {}, {}});
            continue;
        }
        REQUIRE_MESSAGE(!blocks.empty(), path.string() << ": " << line);
        PairBlock& block = blocks.back();
        if (line.starts_with("pair "))
            block.files = real_files(line.substr(5));
        else if (line.starts_with("expect "))
            block.expected.push_back(line.substr(7));
        else
            edit(block, line);
    }
    for (PairBlock& block : blocks) std::ranges::sort(block.expected);
    return blocks;
}

// All errors and warnings, and the notes about the group.
std::vector<std::string> findings_of(const std::vector<NamedFile>& files) {
    Budget budget(Limits{}.memory);
    std::vector<std::unique_ptr<Facts>> facts;
    std::vector<Outcome> outcomes;
    std::vector<GroupMember> members;
    outcomes.reserve(files.size());
    for (const NamedFile& file : files) {
        CheckOptions options;
        options.file_name = file.name;
        facts.push_back(std::make_unique<Facts>(budget));
        options.facts = facts.back().get();
        SparseBytes bytes;
        bytes.head = file.bytes;
        SparseSource source(bytes, true);
        outcomes.push_back(check(source, options));
        CHECK(outcomes.back().format != nullptr);
        outcomes.back().context.report.reopen({});
        members.push_back({file.name, facts.back().get(), &outcomes.back().context.report});
    }
    GroupCheck check(members, budget, Limits{}.memory);
    judge_group(check);
    std::vector<std::string> found;
    for (size_t i = 0; i < files.size(); ++i) {
        outcomes[i].context.report.finish();
        for (const Diagnostic& one : outcomes[i].report().diagnostics()) {
            const bool is_of_group = one.rule->id.starts_with("siblings/");
            CHECK(is_of_group == !one.related_file.empty());
            if (severity_of(one) == Severity::note && !is_of_group) continue;
            Expectation expectation = expectation_of(one);
            found.push_back(std::string(to_string(expectation.severity)) + ' ' + expectation.rule + ' ' +
                            files[i].name + ' ' + line_of(expectation).substr(line_of(expectation).find(" 0x") + 1));
        }
    }
    std::ranges::sort(found);
    return found;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "expect " + line + '\n';
    return text.empty() ? "(nothing)\n" : text;
}

TEST_CASE("every pair gives exactly the findings that it expects") {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kPairs)) {
        const std::string rule = "siblings/" + entry.path().stem().string();
        CAPTURE(rule);
        CHECK(find_rule(rule) != nullptr);
        std::set<bool> kinds;
        for (const PairBlock& block : blocks_of(entry.path())) {
            CAPTURE(block.title);
            const std::vector<std::string> found = findings_of(block.files);
            CHECK_MESSAGE(found == block.expected, "found\n" << joined(found));
            const bool names_rule = std::ranges::any_of(
                block.expected, [&](const std::string& one) { return one.find(' ' + rule + ' ') != one.npos; });
            CHECK(names_rule == block.is_violation());
            kinds.insert(block.is_violation());
            ++count;
        }
        CHECK(kinds.size() == 2);
    }
    CHECK(count >= 20);
}

TEST_CASE("healthy pairs of real files have no error and no warning") {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(kReal)) {
        if (!entry.is_directory()) continue;
        CAPTURE(entry.path().filename().string());
        for (const std::string& one : findings_of(real_files(entry.path().filename().string())))
            CHECK_MESSAGE(one.starts_with("note "), one);
        ++count;
    }
    CHECK(count >= 3);
}

}  // namespace
}  // namespace tracelint
