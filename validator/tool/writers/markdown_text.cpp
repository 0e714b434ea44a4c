// Escaping for Markdown.
#include "validator/tool/writers/markdown_text.hpp"

#include <fmt/core.h>

#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<uint8_t>(c) >= 0x80;
}

// Whether the text can stand between single backticks, in a cell as well.
bool is_plain(std::string_view text) {
    constexpr std::string_view kPunctuation = "-._/+,=:()[]{}@#% ";
    if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
    for (const char c : text)
        if (!is_letter_or_digit(c) && kPunctuation.find(c) == std::string_view::npos) return false;
    return true;
}

}  // namespace

std::string markdown_text(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_[]<>|~&#@";
    std::string escaped;
    for (const char c : printable(text)) {
        if (kMarkup.find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string markdown_code(std::string_view text) {
    const std::string shown = printable(text);
    if (is_plain(shown)) return fmt::format("`{}`", shown);
    // References to characters are no markup, wherever they stand; in a code element nothing becomes a link.
    std::string code = "<code>";
    for (const char c : shown) {
        if (is_letter_or_digit(c) || c == '/')
            code += c;
        else
            code += fmt::format("&#{};", static_cast<uint8_t>(c));
    }
    return code + "</code>";
}

}  // namespace tracelint
