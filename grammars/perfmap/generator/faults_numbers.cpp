// perf map: ways to break the numbers of a line (section 3.2).
#include "grammars/perfmap/generator/edit_line.hpp"
#include "grammars/perfmap/generator/model.hpp"

namespace tracelint::perfmap {
namespace {

// Puts `digits` in place of a number of a line, and returns where they are.
Planted write(FileRecords& file, size_t line, const Number& number, std::string_view digits) {
    replace(file, line, number.part, digits);
    return at_part(line, {number.part.at, digits.size()});
}

// clang-format off
constexpr FaultRow kNumberRows[] = {
    {"perfmap/number-too-large", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const Line parts = parts_of(file, line);
        const Number& number = one_in(random, 2) ? parts.start : parts.size;
        const auto digits =
            pick<std::string_view>(random, {"10000000000000000", "0x0ffffffffffffffff0", "7f00deadbeef00000000"});
        return write(file, line, number, digits);
    }},
    {"perfmap/range-overflow", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        const bool is_least = one_in(random, 2);
        write(file, line, parts_of(file, line).size, is_least ? "11" : "ffffffffffffffff");
        write(file, line, parts_of(file, line).start, is_least ? "fffffffffffffff0" : "2");
        const Line parts = parts_of(file, line);
        return at_bytes(line, parts.start.part.at, parts.size.part.end() - parts.start.part.at);
    }},
    {"perfmap/zero-size", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        return write(file, line, parts_of(file, line).size, pick<std::string_view>(random, {"0", "0x0", "0000"}));
    }},
    {"perfmap/zero-address", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        return write(file, line, parts_of(file, line).start, pick<std::string_view>(random, {"0", "0x0", "00000000"}));
    }},
    {"perfmap/huge-range", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = any_line(file, random);
        if (parts_of(file, line).start.value >> 63 != 0) return std::nullopt;  // the range might end above 2^64
        return write(file, line, parts_of(file, line).size, one_in(random, 2) ? "40000001" : "7f4972f6c000");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kNumberFaults{kNumberRows};

}  // namespace tracelint::perfmap
