// The pages show the outputs of the commands: the console blocks of a page are run one after the other, in a folder of
// their own that has the corpus. A line of three dots stands for any lines. `cat` of a file that is not there makes it.
#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/tool/catalogue/pages.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

struct Example {
    std::string command, output;
};

std::vector<Example> examples_of(const std::string& path) {
    std::vector<Example> examples;
    std::ifstream file(path);
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```")) {
            inside = line == "```console";
        } else if (inside && line.starts_with("$ ")) {
            examples.push_back({line.substr(2), ""});
        } else if (inside && !examples.empty()) {
            examples.back().output += line + '\n';
        }
    }
    return examples;
}

// The folder in which the examples of a page are run.
class Shell {
  public:
    Shell() { fs::create_directory_symlink(fs::path(paths::root()) / "corpus", folder_ / "corpus"); }

    // What the command prints, on either stream.
    std::string output_of(const Example& example) {
        constexpr std::string_view kCat = "cat ";
        if (example.command.starts_with(kCat)) {
            const fs::path shown = folder_ / example.command.substr(kCat.size());
            if (!fs::exists(shown)) write(shown, example.output);
        }
        const std::string path = fs::path(paths::program()).parent_path().string();
        const Run run = folder_.shell("PATH='" + path + "':\"$PATH\"; exec 2>&1; (exit " + std::to_string(status_) +
                                      "); " + example.command);
        status_ = run.status;
        return run.out;
    }

  private:
    Workplace folder_;
    int status_ = 0;  // of the last command
};

}  // namespace

TEST_CASE("pages show what the commands print") {
    size_t count = 0;
    for (const std::string& page : pages()) {
        Shell shell;
        for (const Example& example : examples_of(paths::root() + '/' + page)) {
            CAPTURE(page);
            CAPTURE(example.command);
            const std::string actual = shell.output_of(example);
            const size_t dots = example.output.find("...\n");
            if (dots == std::string::npos)
                CHECK(actual == example.output);
            else
                CHECK(actual.substr(0, dots) == example.output.substr(0, dots));
            ++count;
        }
    }
    CHECK(count >= 30);
}

TEST_CASE("the README lists every format") {
    const std::string readme = content_of(paths::root() + "/README.md");
    for (const Format* format : formats())
        CHECK_MESSAGE(has(readme, "| `" + std::string(format->id) + "` |"), format->id);
}

}  // namespace tracelint
