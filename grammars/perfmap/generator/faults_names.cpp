// perf map: ways to break the name of a line (sections 3.1 and 3.3).
#include "grammars/perfmap/generator/edit_line.hpp"
#include "grammars/perfmap/generator/model.hpp"

namespace tracelint::perfmap {
namespace {

// clang-format off
constexpr FaultRow kNameRows[] = {
    {"perfmap/no-name", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const size_t end = parts_of(file, line).size.part.end() + below(random, 2);
        text_of(file[line]).replace(end, std::string::npos, "\n");
        return at_line(file, line);
    }},
    {"perfmap/short-name", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part name = parts_of(file, line).name;
        const auto text = pick<std::string_view>(random, {"f", "go", "1", "\xc3\xa9"});
        replace(file, line, name, text);
        return at_part(line, {name.at, text.size()});
    }},
    {"perfmap/name-invalid-utf8", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part name = parts_of(file, line).name;
        replace(file, line, {name.at, 0},
                pick<std::string_view>(random, {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}));
        return at_part(line, {name.at, 1});
    }},
    {"perfmap/name-control", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part name = parts_of(file, line).name;
        replace(file, line, {name.at, 0}, pick<std::string_view>(random, {"\x01", "\x1b", "\x7f", "\r"}));
        return at_part(line, {name.at, 1});
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kNameFaults{kNameRows};

}  // namespace tracelint::perfmap
