// Escapes what mdoc would read as its own.
#include "validator/tool/catalogue/documents/mdoc.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace tracelint::mdoc {
namespace {

constexpr size_t kWidth = 78;  // of a line

constexpr std::string_view kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                        "July",    "August",   "September", "October", "November", "December"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

void append_escaped(std::string& text, char c) {
    if (c == '\\')
        text += "\\e";
    else if (c == '-')
        text += "\\-";
    else if (c == '"')
        text += "\\(dq";
    else
        text += c;
}

unsigned number(std::string_view digits) {
    unsigned value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

}  // namespace

std::string text(std::string_view words) {
    std::string text, line;
    const auto end_line = [&] {
        if (!line.empty()) text += line + '\n';
        line.clear();
    };
    for (size_t start = 0; start < words.size();) {
        const size_t end = std::min(words.find(' ', start), words.size());
        std::string word;
        for (const char c : words.substr(start, end - start)) append_escaped(word, c);
        if (line.size() + word.size() >= kWidth) end_line();
        if (line.empty() && (word.starts_with('.') || word.starts_with('\''))) line = "\\&";
        if (!line.empty() && line != "\\&") line += ' ';
        line += word;
        const bool ends_sentence = word.ends_with('.') && end + 1 < words.size() && is_upper(words[end + 1]);
        if (ends_sentence) end_line();
        start = end + 1;
    }
    end_line();
    return text;
}

std::string argument(std::string_view word) {
    const bool like_macro = word.size() <= 3 && word.size() >= 2 && is_upper(word[0]) && is_lower(word[1]);
    const bool is_punctuation = word.size() == 1 && std::string_view(".,:;()[]?!|").find(word[0]) != word.npos;
    std::string text = like_macro || is_punctuation ? "\\&" : "";
    for (const char c : word) {
        if (c == ' ')
            text += "\\ ";
        else
            append_escaped(text, c);
    }
    return text;
}

std::string date(std::string_view iso) {
    if (iso.size() != 10) return "";
    const unsigned month = number(iso.substr(5, 2));
    if (month < 1 || month > 12) return "";
    return fmt::format("{} {}, {}", kMonths[month - 1], number(iso.substr(8, 2)), iso.substr(0, 4));
}

}  // namespace tracelint::mdoc
