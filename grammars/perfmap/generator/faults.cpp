// perf map: ways to break the lines of a file, their numbers and their names.
#include "grammars/perfmap/checks/lines.hpp"
#include "grammars/perfmap/generator/model.hpp"
#include "grammars/perfmap/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::perfmap {

// perf map: edits of one line of a generated file.

inline std::string& text_of(RecordValues& line) { return line.find("text")->text; }

// The parts of a line, whose text lives as long as the file is not edited.
inline Line parts_of(FileRecords& file, size_t line) {
    const std::string_view text = text_of(file[line]);
    return line_of(text.substr(0, text.size() - 1));
}

// Whether a line of a sound file is not blank.
inline bool has_entry(FileRecords& file, size_t line) { return parts_of(file, line).fault == LineFault::none; }

// A row's function that breaks any line with an entry. Nothing if all are blank.
template <auto Break>
std::optional<Planted> in_any_line(FileRecords& file, Random& random) {
    const size_t first = below(random, file.size());
    for (size_t i = 0; i < file.size(); ++i)
        if (const size_t line = (first + i) % file.size(); has_entry(file, line)) return Break(file, line, random);
    return std::nullopt;
}

// Puts `text` in place of a part of the line.
inline void replace(FileRecords& file, size_t line, const Part& part, std::string_view text) {
    text_of(file[line]).replace(part.at, part.length, text);
}

// The finding is at the whole line, without its LF.
inline Planted at_line(FileRecords& file, size_t line) { return at_bytes(line, 0, text_of(file[line]).size() - 1); }
inline Planted at_part(size_t line, const Part& part) { return at_bytes(line, part.at, part.length); }

// perf map: ways to break the lines of a valid file and what separates their parts (sections 3.1 and 4.1).

namespace {

// clang-format off
constexpr FaultRow kLineRows[] = {
    {"perfmap/not-text", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part at = {below(random, text_of(file[line]).size() - 1), 1};
        replace(file, line, at, {"\0", 1});
        return at_part(line, at);
    }>},
    // A number that ends in another byte, an 0x without digits, and a line that ends after its first number.
    {"perfmap/line-malformed", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part number = one_in(random, 2) ? parts_of(file, line).start.part : parts_of(file, line).size.part;
        replace(file, line, {number.end(), 0}, pick<std::string_view>(random, {",", "g", "h", "-"}));
        return at_line(file, line);
    }>},
    {"perfmap/line-malformed", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part number = one_in(random, 2) ? parts_of(file, line).start.part : parts_of(file, line).size.part;
        replace(file, line, number, pick<std::string_view>(random, {"0x", "0X", "nowhere", "-1"}));
        return at_line(file, line);
    }>},
    {"perfmap/line-malformed", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const size_t end = parts_of(file, line).start.part.end() + below(random, 2);
        text_of(file[line]).replace(end, std::string::npos, "\n");
        return at_line(file, line);
    }>},
    {"perfmap/truncated-last-line", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t line = file.size() - 1;
        if (!has_entry(file, line)) return std::nullopt;
        const uint64_t left = between(random, 1, parts_of(file, line).name.at);
        cut(file, line, left);
        return at_bytes(line, 0, left);
    }},
    {"perfmap/missing-final-newline", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const size_t line = file.size() - 1;
        if (!has_entry(file, line)) return std::nullopt;
        text_of(file[line]).pop_back();
        return at_bytes(line, text_of(file[line]).size(), 0);
    }},
    {"perfmap/carriage-return", in_any_line<[](FileRecords& file, size_t line, Random&) -> std::optional<Planted> {
        const Part at = {text_of(file[line]).size() - 1, 0};
        replace(file, line, at, "\r");
        return at_part(line, {at.at, 1});
    }>},
    {"perfmap/separator", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Line parts = parts_of(file, line);
        const Part blank = {(one_in(random, 2) ? parts.start : parts.size).part.end(), 1};
        replace(file, line, blank, pick<std::string_view>(random, {"\t", "  ", " \t", "\t\t\t"}));
        return at_line(file, line);
    }>},
    {"perfmap/separator", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        replace(file, line, {0, 0}, one_in(random, 2) ? " " : "\t");
        return at_line(file, line);
    }>},
};
// clang-format on

}  // namespace

constinit const FaultList kLineFaults{kLineRows};

// perf map: ways to break the numbers of a line (section 3.2).

namespace {

// Puts `digits` in place of a number of a line, and returns where they are.
Planted write(FileRecords& file, size_t line, const Number& number, std::string_view digits) {
    replace(file, line, number.part, digits);
    return at_part(line, {number.part.at, digits.size()});
}

// clang-format off
constexpr FaultRow kNumberRows[] = {
    {"perfmap/number-too-large", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Line parts = parts_of(file, line);
        const Number& number = one_in(random, 2) ? parts.start : parts.size;
        const auto digits =
            pick<std::string_view>(random, {"10000000000000000", "0x0ffffffffffffffff0", "7f00deadbeef00000000"});
        return write(file, line, number, digits);
    }>},
    {"perfmap/range-overflow", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const bool is_least = one_in(random, 2);
        write(file, line, parts_of(file, line).size, is_least ? "11" : "ffffffffffffffff");
        write(file, line, parts_of(file, line).start, is_least ? "fffffffffffffff0" : "2");
        const Line parts = parts_of(file, line);
        return at_bytes(line, parts.start.part.at, parts.size.part.end() - parts.start.part.at);
    }>},
    {"perfmap/zero-size", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        return write(file, line, parts_of(file, line).size, pick<std::string_view>(random, {"0", "0x0", "0000"}));
    }>},
    {"perfmap/zero-address", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        return write(file, line, parts_of(file, line).start, pick<std::string_view>(random, {"0", "0x0", "00000000"}));
    }>},
    {"perfmap/huge-range", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        if ((parts_of(file, line).start.value >> 63) != 0) return std::nullopt;  // the range might end above 2^64
        return write(file, line, parts_of(file, line).size, one_in(random, 2) ? "40000001" : "7f4972f6c000");
    }>},
};
// clang-format on

}  // namespace

constinit const FaultList kNumberFaults{kNumberRows};

// perf map: ways to break the name of a line (sections 3.1 and 3.3).

namespace {

// clang-format off
constexpr FaultRow kNameRows[] = {
    {"perfmap/no-name", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const size_t end = parts_of(file, line).size.part.end() + below(random, 2);
        text_of(file[line]).replace(end, std::string::npos, "\n");
        return at_line(file, line);
    }>},
    {"perfmap/no-functions", [](FileRecords& file, Random&) -> std::optional<Planted> {
        bool is_there = false;
        for (size_t line = 0; line < file.size(); ++line) {
            if (!has_entry(file, line)) continue;
            replace(file, line, parts_of(file, line).name, "RegExp:a+");
            is_there = true;
        }
        return is_there ? std::optional(at_bytes(0, 0, 0)) : std::nullopt;
    }},
    {"perfmap/short-name", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part name = parts_of(file, line).name;
        const auto text = pick<std::string_view>(random, {"f", "go", "1", "\xc3\xa9"});
        replace(file, line, name, text);
        return at_part(line, {name.at, text.size()});
    }>},
    {"perfmap/name-invalid-utf8", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part name = parts_of(file, line).name;
        replace(file, line, {name.at, 0},
                pick<std::string_view>(random, {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"}));
        return at_part(line, {name.at, 1});
    }>},
    {"perfmap/name-control", in_any_line<[](FileRecords& file, size_t line, Random& random) -> std::optional<Planted> {
        const Part name = parts_of(file, line).name;
        replace(file, line, {name.at, 0}, pick<std::string_view>(random, {"\x01", "\x1b", "\x7f", "\r"}));
        return at_part(line, {name.at, 1});
    }>},
};
// clang-format on

}  // namespace

constinit const FaultList kNameFaults{kNameRows};

}  // namespace tracelint::perfmap
