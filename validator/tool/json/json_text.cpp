// Strings of JSON.
#include "validator/tool/json/json_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

// A character as in JSON (RFC 8259, section 7): two escapes where UTF-16 takes two units.
void append_escaped(std::string& text, char32_t code) {
    constexpr char32_t kFirstOfPairs = 0x10000;
    const auto append = [&](uint32_t unit) { text += fmt::format("\\u{:04x}", unit); };
    if (code < kFirstOfPairs) return append(code);
    append(0xd800 + ((code - kFirstOfPairs) >> 10));
    append(0xdc00 + ((code - kFirstOfPairs) & 0x3ff));
}

// The characters that have an escape of their own; empty for all others.
std::string_view escape_of(char32_t code) {
    switch (code) {
        case '"': return R"(\")";
        case '\\': return R"(\\)";
        case '\b': return R"(\b)";
        case '\f': return R"(\f)";
        case '\n': return R"(\n)";
        case '\r': return R"(\r)";
        case '\t': return R"(\t)";
        default: return {};
    }
}

// Whether a string needs no escape, as nearly all of them.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

}  // namespace

std::string json_string(std::string_view value) {
    if (is_plain(value)) return fmt::format("\"{}\"", value);
    constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
    std::string text = "\"";
    for (Bytes rest = as_bytes(value); !rest.empty();) {
        const Utf8Sequence sequence = first_utf8_sequence(rest);
        if (!sequence.well_formed)
            text += kReplacement;
        else if (const std::string_view escape = escape_of(sequence.code); !escape.empty())
            text += escape;
        else if (is_unprintable(sequence.code))
            append_escaped(text, sequence.code);
        else
            text += as_text(rest.first(sequence.length));
        rest = rest.subspan(sequence.length);
    }
    return text += '"';
}

}  // namespace tracelint
