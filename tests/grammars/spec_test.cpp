// Every reference to a specification names a section that exists: those of rules, cases, comments and the
// specifications' own texts.
#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/support/corpus.hpp"
#include "validator/group.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

std::string text_of_file(const fs::path& path) {
    const std::optional<std::string> text = read_file(path);
    REQUIRE_MESSAGE(text.has_value(), path.string());
    return *text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// The headings of a spec.md, as others cite them, and their numbers.
struct Headings {
    std::set<std::string> titles, numbers;
};

// The folders with a spec.md, by the name of the grammar.
const std::map<std::string, fs::path>& grammar_folders() {
    static const std::map<std::string, fs::path> folders = [] {
        std::map<std::string, fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / "grammars"))
            if (entry.path().filename() == "spec.md")
                found[entry.path().parent_path().filename().string()] = entry.path().parent_path();
        return found;
    }();
    return folders;
}

Headings headings_of(const std::string& grammar) {
    Headings headings;
    const auto folder = grammar_folders().find(grammar);
    if (folder == grammar_folders().end()) return headings;
    for (const std::string& line : lines_of(text_of_file(folder->second / "spec.md"))) {
        if (!line.starts_with('#')) continue;
        const std::string title = line.substr(line.find_first_not_of("# "));
        headings.titles.insert(title);
        std::string number = title.substr(0, title.find(' '));
        if (number.ends_with('.')) number.pop_back();
        headings.numbers.insert(number);
    }
    return headings;
}

std::set<std::string> grammar_names() {
    std::set<std::string> names;
    for (const auto& [name, folder] : grammar_folders()) names.insert(name);
    return names;
}

// "3.1 Header; samply 4.2 Loads" as pairs of grammar and heading.
std::vector<std::pair<std::string, std::string>> references_in(const std::string& text, const std::string& grammar) {
    std::vector<std::pair<std::string, std::string>> references;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find("; ", at), text.size());
        std::string heading = text.substr(at, end - at), of = grammar;
        for (const std::string& name : grammar_names())
            if (heading.starts_with(name + " ")) of = name, heading.erase(0, name.size() + 1);
        references.emplace_back(of, heading);
        at = end + 2;
    }
    return references;
}

bool resolves(const std::string& text, const std::string& grammar) {
    const auto references = references_in(text, grammar);
    return !references.empty() && std::ranges::all_of(references, [](const auto& reference) {
        return headings_of(reference.first).titles.contains(reference.second);
    });
}

TEST_CASE("every rule names sections of its grammar's spec.md") {
    for (const Format* format : formats())
        for (const Rule* rule : rules_of(*format)) {
            const std::string id(rule->id), spec(rule->spec);
            CAPTURE(id);
            CHECK_MESSAGE(resolves(spec, id.substr(0, id.find('/'))), spec);
        }
}

TEST_CASE("every rule of a group names sections of its grammar's spec.md") {
    for (const GroupGrammar* one : group_grammars())
        for (const Rule* rule : rules_of(*one->grammar)) {
            const std::string id(rule->id), spec(rule->spec);
            CAPTURE(id);
            CHECK(id.substr(0, id.find('/')) == one->grammar->id);
            CHECK_MESSAGE(resolves(spec, std::string(one->grammar->id)), spec);
        }
}

TEST_CASE("every case names sections of a spec.md") {
    size_t cases = 0;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "corpus")) {
        if (entry.path().extension() != ".case") continue;
        const fs::path kind = entry.path().parent_path().filename();
        const bool is_rule = kind == "rules" || kind == "readers";
        const fs::path folder = is_rule ? entry.path().parent_path().parent_path() : entry.path().parent_path();
        std::string spec;
        for (const std::string& line : lines_of(text_of_file(entry.path())))
            if (line.starts_with("# spec: ")) spec = line.substr(8);
        CHECK_MESSAGE(resolves(spec, folder.filename().string()), entry.path().string() << ": " << spec);
        ++cases;
    }
    CHECK(cases > 500);
}

TEST_CASE("every section that a comment of a grammar names exists") {
    // "section 4.1", "sections 4.2 and 5", "spec 3.7"; a comment in brackets may give only the number: "(4.1)".
    const std::regex reference(R"((?:\bsections?|\bspec\.md|\bspec)\s+(\d+(?:\.\d+)*)|\((\d+\.\d+(?:\.\d+)*)[,)])");
    for (const auto& [grammar, folder] : grammar_folders()) {
        const Headings headings = headings_of(grammar);
        for (auto entry_at = fs::recursive_directory_iterator(folder); entry_at != fs::end(entry_at); ++entry_at) {
            const auto& entry = *entry_at;
            // A grammar that extends this one has a spec.md of its own.
            if (entry.is_directory() && fs::exists(entry.path() / "spec.md")) entry_at.disable_recursion_pending();
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            for (const std::string& line : lines_of(text_of_file(entry.path()))) {
                const size_t comment = line.find("//");
                if (comment == std::string::npos) continue;
                const std::string text = line.substr(comment);
                for (std::sregex_iterator at(text.begin(), text.end(), reference), end; at != end; ++at) {
                    const std::string number = (*at)[1].matched ? (*at)[1] : (*at)[2];
                    CHECK_MESSAGE(headings.numbers.contains(number), entry.path().string() << ": " << line);
                }
            }
        }
    }
}

TEST_CASE("every rule that a spec.md names exists") {
    const std::regex id(R"(`((?:[a-z]+)/[a-z0-9]+(?:-[a-z0-9]+)+)`)");
    for (const std::string& grammar : grammar_names()) {
        const std::string text = text_of_file(grammar_folders().at(grammar) / "spec.md");
        for (std::sregex_iterator at(text.begin(), text.end(), id), end; at != end; ++at) {
            const std::string name = (*at)[1];
            const std::string family = name.substr(0, name.find('/'));
            if (grammar_names().contains(family) || family == "gzip" || family == "zstd" || family == "input")
                CHECK_MESSAGE(find_rule(name) != nullptr, grammar << "/spec.md: " << name);
        }
    }
}

}  // namespace
}  // namespace tracelint
