// Strings of JSON. The only file of the tool that includes nlohmann/json.
#include "validator/tool/writers/json_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "validator/text_scan.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

// A character as in JSON (RFC 8259, section 7): two escapes where UTF-16 takes two units.
void append_escaped(std::string& text, char32_t code) {
    constexpr char32_t kFirstOfPairs = 0x10000;
    const auto append = [&](uint32_t unit) { fmt::format_to(std::back_inserter(text), "\\u{:04x}", unit); };
    if (code < kFirstOfPairs) return append(code);
    append(0xd800 + ((code - kFirstOfPairs) >> 10));
    append(0xdc00 + ((code - kFirstOfPairs) & 0x3ff));
}

// Whether a string needs no escape, as nearly all of them.
bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
}

}  // namespace

std::string json_string(std::string_view value) {
    if (is_plain(value)) return fmt::format("\"{}\"", value);
    using Json = nlohmann::json;
    // What is below 0x7f is JSON's own, or escaped by dump(). All else lies in the string, where an escape may stand.
    constexpr uint8_t kDelete = 0x7f;
    const std::string raw = Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    const Bytes bytes = as_bytes(raw);
    std::string text;
    size_t plain = 0;  // start of what is not copied yet
    for (size_t at = 0; at < bytes.size();) {
        if (bytes[at] < kDelete) {
            ++at;
            continue;
        }
        const Utf8Sequence sequence = first_utf8_sequence(bytes.subspan(at));
        if (is_unprintable(sequence.code)) {
            text.append(raw, plain, at - plain);
            append_escaped(text, sequence.code);
            plain = at + sequence.length;
        }
        at += sequence.length;
    }
    return text.append(raw, plain);
}

}  // namespace tracelint
