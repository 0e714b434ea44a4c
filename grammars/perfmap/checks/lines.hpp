// perf map, section 3: the parts of a line, and their rules.
#pragma once

#include <cstdint>
#include <string_view>

#include "grammars/perfmap/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::perfmap {

// perf map, section 3.1: the parts of a line. Takes time linear in its length.

// A part of a line, by offsets in bytes from its start.
struct Part {
    size_t at = 0;
    size_t length = 0;
    size_t end() const { return at + length; }
    std::string_view of(std::string_view line) const { return line.substr(at, length); }
};

// Section 3.2.
struct Number {
    Part part;                // with its 0x
    uint64_t value = 0;       // if it fits
    bool fits = true;         // into 64 bits
    bool has_prefix = false;  // 0x or 0X
};

// What ends the reading of a line (section 4.1).
enum class LineFault : uint8_t {
    none,
    blank,         // nothing but blanks
    malformed,     // a number is missing, or what follows it is no blank
    large_number,  // Line::large
    no_name,
};

struct Line {
    std::string_view text;  // without its line end
    LineFault fault = LineFault::none;
    Number start, size;        // those before the fault are set
    Part name;                 // if there is no fault
    Part large;                // the number that is too large, if that is the fault
    bool has_spacing = false;  // other blanks than one SP after each number
};

// `text`: a line without its LF, and without the CR before it. In place, as copies of a line cost more than its
// reading.
void read_line(std::string_view text, Line& line);
inline Line line_of(std::string_view text) {
    Line line;
    read_line(text, line);
    return line;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

// perf map, section 3: the checks of a line by itself.

// A line, and where it stands.
struct LineInFile {
    const Line& parts;
    View<kLine> record;
    bool is_terminated;  // by LF. Else its findings depend on where the file ends

    Place whole() const { return place({0, parts.text.size()}); }
    Place place(const Part& part) const { return record.place<"text">(part.at, part.length); }
    // Start and size.
    Place range() const { return place({parts.start.part.at, parts.size.part.end() - parts.start.part.at}); }
};

// What is reported once a file, at the first place.
struct ReportedOnce {
    bool carriage_return = false, prefix = false, non_ascii = false;
    // Reports none of it from here on.
    void mute() { carriage_return = prefix = non_ascii = true; }
};

// Reports a finding about a line.
template <const Rule& R>
void report(ValidationContext& context, const LineInFile& line, const Place& place,
            std::array<uint64_t, 4> numbers = {}) {
    context.report.add({.rule = &R, .place = place, .numbers = numbers, .about_end = !line.is_terminated});
}

// 2. The name of the file.
void check_file_name(ValidationContext& context);
// 3.1 The CR at the end of a line, at `at` bytes from its start; asked of every line.
void check_carriage_return(ValidationContext& context, const LineInFile& line, uint64_t at, ReportedOnce& once);
// 3.1 The blanks.
void check_separators(ValidationContext& context, const LineInFile& line);
// 3.1 The LF. `end`: the offset of the end of the line.
void check_final_newline(ValidationContext& context, const LineInFile& line, uint64_t end);
// 3.2 The 0x of numbers; asked of every line whose first number can be read.
void check_prefixes(ValidationContext& context, const LineInFile& line, ReportedOnce& once);
// 3.2 The values. Whether the range ends at or below 2^64.
bool check_range(ValidationContext& context, const LineInFile& line);
// 3.3 The name.
void check_name(ValidationContext& context, const LineInFile& line, ReportedOnce& once);

extern const RuleList kLinesRules;

}  // namespace tracelint::perfmap
