// The pages for people: every path that they name exists, and their example of a rule is in the tree line by line.
#include <doctest/doctest.h>

#include <regex>

#include "tests/support/corpus.hpp"
#include "tests/tool/catalogue/pages.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

std::string text_of_page(std::string_view page) {
    const std::optional<std::string> text = read_file(kRoot / page);
    REQUIRE_MESSAGE(text.has_value(), page);
    return *text;
}

// Whether the path stands for several files, or for one that does not exist yet.
bool is_pattern(const std::string& path) {
    return path.find_first_of("<*[") != std::string::npos || path.find("NAME") != std::string::npos ||
           path.find("TARGET") != std::string::npos || path.find("...") != std::string::npos;
}

// The paths of the tree in a page: in code, from the root or from the page's folder, and as targets of links.
std::vector<std::string> paths_in(const std::string& text) {
    std::vector<std::string> paths;
    const std::regex code(R"(`(?:[A-Z_]+=)?((?:\.github|\.ci|corpus|fuzz|grammars|scripts|tests|validator)/[^\s`:]*))");
    const std::regex link(R"(\]\(([^)#\s:]+)(?:#[^)]*)?\))");
    for (const std::regex& pattern : {code, link})
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
            if (!is_pattern((*at)[1])) paths.push_back((*at)[1]);
    return paths;
}

TEST_CASE("every path that a page names exists") {
    for (const std::string& page : pages()) {
        const std::vector<std::string> paths = paths_in(text_of_page(page));
        for (const std::string& path : paths) {
            const bool exists = fs::exists(kRoot / path) || fs::exists((kRoot / page).parent_path() / path);
            CHECK_MESSAGE(exists, page << " names " << path);
        }
    }
    CHECK(paths_in(text_of_page(".github/CONTRIBUTING.md")).size() > 20);
    CHECK(paths_in("`scripts/x --y`, `tests/<g>/z`, [a](../b.md#c), `other/d`") ==
          std::vector<std::string>{"scripts/x", "../b.md"});
}

TEST_CASE("every line that CONTRIBUTING.md adds in its example is in the file that it names") {
    std::istringstream lines(text_of_page(".github/CONTRIBUTING.md"));
    std::string file, line;
    size_t added = 0;
    for (bool inside = false; std::getline(lines, line);) {
        if (line.starts_with("```")) inside = line == "```diff";
        if (!inside) continue;
        if (line.starts_with("+++ ")) {
            file = read_file(kRoot / line.substr(4)).value_or("");
            CHECK_MESSAGE(!file.empty(), line);
        } else if (line.starts_with("+") && ++added != 0) {
            CHECK_MESSAGE(("\n" + file).find("\n" + line.substr(1) + "\n") != std::string::npos, line);
        }
    }
    CHECK(added > 20);
}

}  // namespace
}  // namespace tracelint
