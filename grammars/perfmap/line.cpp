// perf map, section 3.1: the parts of a line.
#include "grammars/perfmap/line.hpp"

namespace tracelint::perfmap {
namespace {

// The value of a hexadecimal digit, or 16.
constexpr unsigned digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

// Reads the number at `at`. False without a digit, or if what follows it is neither a blank nor the end of the line.
bool read_number(std::string_view text, size_t at, Number& number) {
    number.part.at = at;
    number.has_prefix = text.substr(at).starts_with("0x") || text.substr(at).starts_with("0X");
    if (number.has_prefix) at += 2;
    const size_t first = at;
    for (; at < text.size() && digit(text[at]) < 16; ++at) {
        number.fits = number.fits && number.value >> 60 == 0;
        number.value = number.value << 4 | digit(text[at]);
    }
    number.part.length = at - number.part.at;
    const bool is_ended = at == text.size() || is_blank(text[at]);
    return at > first && is_ended;
}

LineFault read_parts(std::string_view text, Line& line) {
    size_t at = skip_blanks(text, 0);
    line.has_spacing = at > 0;
    if (at == text.size()) return LineFault::blank;
    for (Number* const number : {&line.start, &line.size}) {
        const bool is_read = read_number(text, at, *number);
        const Part part = number->part;
        if (!is_read || !number->fits) {
            *number = {};
            if (!is_read) return LineFault::malformed;
            line.large = part;
            return LineFault::large_number;
        }
        at = skip_blanks(text, part.end());
        line.has_spacing |= text.substr(part.end(), at - part.end()) != " ";
    }
    line.name = {at, text.size() - at};
    return line.name.length == 0 ? LineFault::no_name : LineFault::none;
}

}  // namespace

void read_line(std::string_view text, Line& line) {
    // Not all of the line: for `line = {}`, g++ fills a temporary and copies it, which takes a quarter of the time of
    // an empty line.
    line.text = text;
    line.start = line.size = {};
    line.fault = read_parts(text, line);
}

}  // namespace tracelint::perfmap
