// What the README shows is what the program prints: each console block is run in the project's root. A line
// of three dots stands for any lines.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/paths.hpp"

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
        } else if (inside && line.starts_with("$ tracelint ")) {
            examples.push_back({line.substr(12), ""});
        } else if (inside && !examples.empty()) {
            examples.back().output += line + '\n';
        }
    }
    return examples;
}

std::string output_of(const std::string& arguments) {
    const std::string command = "cd '" + paths::root() + "' && '" + paths::program() + "' " + arguments;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output;
    char buffer[4096];
    for (size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, got);
    pclose(pipe);
    return output;
}

TEST_CASE("the README shows what the program prints") {
    const std::vector<Example> examples = examples_of(paths::root() + "/README.md");
    CHECK(examples.size() >= 3);
    for (const Example& example : examples) {
        CAPTURE(example.command);
        const std::string actual = output_of(example.command);
        const size_t dots = example.output.find("...\n");
        if (dots == std::string::npos)
            CHECK(actual == example.output);
        else
            CHECK(actual.substr(0, dots) == example.output.substr(0, dots));
    }
}

}  // namespace
}  // namespace tracelint
