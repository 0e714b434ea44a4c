// What --help and --version print.
#include <doctest/doctest.h>

#include <regex>
#include <sstream>

#include "tests/tool/workplace.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {

TEST_CASE("help and version are printed") {
    const Workplace run;
    const Run help = run("--help");
    CHECK(help.status == 0);
    CHECK(has(help.out, "generate, mutate FORMAT"));
    CHECK(has(help.out, "tracelint [OPTIONS] [FILE...]"));
    CHECK(has(help.out, "(default 20, in\n"));
    CHECK(has(run("explain --help").out, "tracelint explain [OPTIONS] RULE\n"));
    CHECK(has(run("dump --help").out, "tracelint dump [OPTIONS] FILE\n"));
    CHECK(has(run("generate --help").out, "tracelint generate [OPTIONS] FORMAT\n"));
    CHECK(run("dump --help").status == 0);
    const std::string version = run("--version").out;
    CHECK_MESSAGE(std::regex_match(version, std::regex("tracelint " TRACELINT_VERSION R"(
commit: (unknown|[0-9a-f]{12} of \d{4}-\d\d-\d\d(, modified)?)
build: \S+ \d+\.\d+\.\d+, \w*, Linux \S+
ABI: \d+
)")),
                  version);
}

TEST_CASE(
    "the first screen of help has three examples, the commands and the exit statuses; no option takes three lines") {
    const Workplace run;
    std::istringstream help(run("--help").out);
    std::string first, line;
    for (int i = 0; i < 24 && std::getline(help, line); ++i) first += line + '\n';
    CHECK(std::regex_match(first, std::regex("[^]*\nExamples:\n(  tracelint [^]*){3}\nCommands:\n[^]*")));
    for (const std::string_view command : command_names())
        CHECK_MESSAGE((command == "help" ||
                       std::regex_search(first, std::regex("\n  ([a-z]+, )?" + std::string(command) + "[ ,]"))),
                      command);
    CHECK(has(first, "\nExit status: "));
    constexpr size_t kTextColumn = 28;
    size_t options = 0;
    for (int lines = 0; std::getline(help, line);) {
        if (line.starts_with("  -")) ++options, lines = line.size() > kTextColumn ? 1 : 0;
        if (line.find_first_not_of(' ') == kTextColumn) ++lines;
        CHECK_MESSAGE(lines <= 2, line);
    }
    CHECK(options > 40);
}

}  // namespace tracelint
