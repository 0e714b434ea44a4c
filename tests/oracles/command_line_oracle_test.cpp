// The oracle of the command line over words drawn by chance. TRACELINT_SEEDS=N asks for more.
#include <doctest/doctest.h>

#include "fuzz/tool/command_line_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {
namespace {

TEST_CASE("any words give options, an answer or an error") {
    std::vector<std::string> known = {"-",         "--",        "",         "a.dump", "--as", "--output",     "json=x",
                                      "--fail-on", "--select",  "-j",       "0",      "64K",  "--max-record", "--help",
                                      "-o",        "--violate", "\x1b[31m", "\xff"};
    for (const std::string_view command : command_names()) known.emplace_back(command);
    for (const Format* format : formats()) known.emplace_back(format->id);
    for (const Option* option : all_options()) known.push_back("--" + std::string(option->name));
    Random random(1);
    for (uint64_t left = seeds(1000); left > 0; --left) {
        std::vector<std::string> words;
        for (uint64_t count = below(random, 6); count > 0; --count) words.push_back(pick_of(random, known));
        CAPTURE(words);
        hold(command_line(words));
    }
}

}  // namespace
}  // namespace tracelint
