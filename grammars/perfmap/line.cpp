// perf map, section 3.1: the parts of a line.
#include "grammars/perfmap/line.hpp"

#include <optional>

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

// The number at `at`; none without a digit, or if what follows it is neither a blank nor the end of the line.
std::optional<Number> number_at(std::string_view text, size_t at) {
    Number number;
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
    return at > first && is_ended ? std::optional(number) : std::nullopt;
}

Line& with(Line& line, LineFault fault) {
    line.fault = fault;
    return line;
}

}  // namespace

Line line_of(std::string_view text) {
    Line line;
    line.text = text;
    size_t at = skip_blanks(text, 0);
    if (at == text.size()) return with(line, LineFault::blank);
    line.has_spacing = at > 0;
    for (Number* const number : {&line.start, &line.size}) {
        const auto read = number_at(text, at);
        if (!read) return with(line, LineFault::malformed);
        if (!read->fits) {
            line.large = read->part;
            return with(line, LineFault::large_number);
        }
        *number = *read;
        at = skip_blanks(text, read->part.end());
        line.has_spacing |= text.substr(read->part.end(), at - read->part.end()) != " ";
    }
    line.name = {at, text.size() - at};
    return line.name.length == 0 ? with(line, LineFault::no_name) : line;
}

}  // namespace tracelint::perfmap
