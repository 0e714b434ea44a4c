// perf map: ways to break the lines of a valid file and what separates their parts (sections 3.1 and 4.1).
#include "grammars/perfmap/generator/edit_line.hpp"
#include "grammars/perfmap/generator/model.hpp"

namespace tracelint::perfmap {
namespace {

// clang-format off
constexpr FaultRow kLineRows[] = {
    {"perfmap/not-text", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part at = {below(random, text_of(file[line]).size() - 1), 1};
        replace(file, line, at, {"\0", 1});
        return at_part(line, at);
    }},
    // A number that ends in another byte, an 0x alone, and a line that ends after its first number.
    {"perfmap/line-malformed", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part number = one_in(random, 2) ? parts_of(file, line).start.part : parts_of(file, line).size.part;
        replace(file, line, {number.end(), 0}, pick<std::string_view>(random, {",", "g", "h", "-"}));
        return at_line(file, line);
    }},
    {"perfmap/line-malformed", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part number = one_in(random, 2) ? parts_of(file, line).start.part : parts_of(file, line).size.part;
        replace(file, line, number, pick<std::string_view>(random, {"0x", "0X", "nowhere", "-1"}));
        return at_line(file, line);
    }},
    {"perfmap/line-malformed", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const size_t end = parts_of(file, line).start.part.end() + below(random, 2);
        text_of(file[line]).replace(end, std::string::npos, "\n");
        return at_line(file, line);
    }},
    {"perfmap/truncated-last-line", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = file.size() - 1;
        const uint64_t left = between(random, 1, parts_of(file, line).name.at);
        cut(file, line, left);
        return at_bytes(line, 0, left);
    }},
    {"perfmap/missing-final-newline", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const size_t line = file.size() - 1;
        text_of(file[line]).pop_back();
        return at_bytes(line, text_of(file[line]).size(), 0);
    }},
    {"perfmap/carriage-return", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Part at = {text_of(file[line]).size() - 1, 0};
        replace(file, line, at, "\r");
        return at_part(line, {at.at, 1});
    }},
    {"perfmap/separator", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Line parts = parts_of(file, line);
        const Part blank = {(one_in(random, 2) ? parts.start : parts.size).part.end(), 1};
        replace(file, line, blank, pick<std::string_view>(random, {"\t", "  ", " \t", "\t\t\t"}));
        return at_line(file, line);
    }},
    {"perfmap/separator", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        replace(file, line, {0, 0}, one_in(random, 2) ? " " : "\t");
        return at_line(file, line);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kLineFaults{kLineRows};

}  // namespace tracelint::perfmap
