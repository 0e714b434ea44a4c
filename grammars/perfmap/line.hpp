// perf map, section 3.1: the parts of a line. Takes time linear in its length.
#pragma once

#include <cstdint>
#include <string_view>

namespace tracelint::perfmap {

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

}  // namespace tracelint::perfmap
