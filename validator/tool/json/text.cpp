// Escaping, numbers, edit distance.
#include "validator/tool/json/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

struct Range {
    char32_t first, last;
};

// Unicode's control and format characters, line and paragraph separators (general categories Cc, Cf, Zl, Zp), and what
// it calls ignorable by default, that is, without a glyph and without width; and the two noncharacters that XML cannot
// have. As of Unicode 15.
constexpr Range kUnprintable[] = {
    {0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x600, 0x605},
    {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},
    {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

constexpr size_t kLongestGuess = 100;  // letters; computing the distance takes quadratic time
constexpr size_t kMostGuesses = 3;     // that are shown

// A lower bound of the distance: letters that one word has and the other lacks. For words of up to 255 letters.
size_t least_distance(std::string_view a, std::string_view b) {
    std::array<uint8_t, 256> left{};
    for (const char letter : a) ++left[static_cast<uint8_t>(letter)];
    size_t common = 0;
    for (const char letter : b) {
        uint8_t& count = left[static_cast<uint8_t>(letter)];
        if (count == 0) continue;
        --count;
        ++common;
    }
    return std::max(a.size(), b.size()) - common;
}

// The number of letters to insert, remove, replace or swap with their neighbour, or `limit` if that is less.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
    std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t least = next[0] = i + 1;
        for (size_t j = 0; j < b.size(); ++j) {
            next[j + 1] = std::min({row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1});
            const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if (swapped) next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
            least = std::min(least, next[j + 1]);
        }
        if (least >= limit) return limit;  // rows never get better
        before.swap(row);
        row.swap(next);
    }
    return std::min(row[b.size()], limit);
}

void append_escaped(std::string& text, Bytes bytes) {
    for (const uint8_t byte : bytes) text += fmt::format("\\x{:02x}", byte);
}

}  // namespace

bool is_unprintable(char32_t code) {
    if (code >= 0x20 && code < 0x7f) return false;  // nearly all of every output
    const auto* range = std::ranges::lower_bound(kUnprintable, code, {}, &Range::last);
    return range != std::end(kUnprintable) && code >= range->first;
}

std::string printable(std::string_view text) {
    std::string shown;
    for (Bytes rest = as_bytes(text); !rest.empty();) {
        const auto plain = std::ranges::find_if(rest, [](uint8_t byte) { return byte < 0x20 || byte >= 0x7f; });
        shown.append(rest.begin(), plain);
        rest = rest.subspan(static_cast<size_t>(plain - rest.begin()));
        if (rest.empty()) break;
        const Utf8Sequence sequence = first_utf8_sequence(rest);
        const Bytes bytes = rest.first(sequence.length);
        rest = rest.subspan(sequence.length);
        if (sequence.well_formed && !is_unprintable(sequence.code)) {
            shown += as_text(bytes);
            continue;
        }
        append_escaped(shown, bytes);
    }
    return shown;
}

namespace {

constexpr std::string_view kStandardInput = "<stdin>";

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
    return std::nullopt;
}

// The byte of the escape at the start of `text`; empty if it is not an escape that path_text() writes.
std::optional<uint8_t> escaped_byte(std::string_view text, PathEscapes escapes) {
    if (text.size() < 4 || !text.starts_with("\\x")) return std::nullopt;
    const std::optional<unsigned> high = hex_digit(text[2]), low = hex_digit(text[3]);
    if (!high || !low) return std::nullopt;
    const auto byte = static_cast<uint8_t>(*high << 4 | *low);
    const bool is_control = byte < 0x20 || byte == 0x7f;
    const bool is_made = byte >= 0x80 || byte == '<' || (is_control && escapes == PathEscapes::unprintable);
    return is_made ? std::optional(byte) : std::nullopt;
}

bool has_escape(std::string_view text, PathEscapes escapes) {
    for (size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 1))
        if (escaped_byte(text.substr(at), escapes)) return true;
    return false;
}

}  // namespace

std::string path_text(std::string_view path, PathEscapes escapes) {
    std::string text;
    bool is_escaped = has_escape(path, escapes);
    for (Bytes rest = as_bytes(path); !rest.empty();) {
        const Utf8Sequence sequence = first_utf8_sequence(rest);
        const Bytes bytes = rest.first(sequence.length);
        rest = rest.subspan(sequence.length);
        if (!sequence.well_formed || (escapes == PathEscapes::unprintable && is_unprintable(sequence.code)) ||
            (path == kStandardInput && text.empty())) {
            append_escaped(text, bytes);
            is_escaped = true;
        } else {
            text += as_text(bytes);
            if (sequence.code == '\\') text += '\\';
        }
    }
    return is_escaped ? text : std::string(path);
}

std::string path_of_text(std::string_view text) {
    if (!has_escape(text, PathEscapes::not_utf8)) return std::string(text);
    std::string path;
    while (!text.empty()) {
        const std::optional<uint8_t> byte = escaped_byte(text, PathEscapes::not_utf8);
        path += byte ? static_cast<char>(*byte) : text[0];
        text.remove_prefix(byte ? 4 : text.starts_with("\\\\") ? 2 : 1);
    }
    return path;
}

std::string shown_path(std::string_view path) {
    return path == "-" ? std::string(kStandardInput) : path_text(path, PathEscapes::unprintable);
}

std::string shortened(std::string_view text) {
    constexpr size_t kMost = 200, kEnd = 60;
    if (text.size() <= kMost) return printable(text);
    const auto is_inside = [&](size_t at) { return (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80; };
    size_t head = kMost - kEnd, tail = text.size() - kEnd;
    while (head > kMost - kEnd - 3 && is_inside(head)) --head;
    while (tail < text.size() - kEnd + 3 && is_inside(tail)) ++tail;
    return printable(text.substr(0, head)) + "..." + printable(text.substr(tail));
}

std::string quoted(std::string_view text) {
    std::string shown = "\"";
    size_t plain = 0;  // start of the text since the last escape
    for (size_t i = 0; i <= text.size(); ++i) {
        const bool special = i < text.size() && (text[i] == '"' || text[i] == '\\' || text[i] == '\n');
        if (i < text.size() && !special) continue;
        shown += printable(text.substr(plain, i - plain));
        if (special) {
            shown += '\\';
            shown += text[i] == '\n' ? 'n' : text[i];
        }
        plain = i + 1;
    }
    return shown + '"';
}

std::string counted(uint64_t number, std::string_view noun) {
    std::string text = std::to_string(number);
    text.append(1, ' ').append(noun);
    return number == 1 ? text : text += 's';
}

// No floating-point formatting: in WebAssembly it would cost as much code as a grammar.
std::string byte_size(uint64_t bytes) {
    constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 10'000) return counted(bytes, "byte");
    uint64_t unit = 1024;
    size_t name = 0;
    for (; bytes / unit >= 1000; ++name) unit *= 1024;
    uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
    // To the nearest one; from half way to the even one.
    const uint64_t twice_left = bytes % unit * 10 % unit * 2;
    if (twice_left > unit || (twice_left == unit && tenths % 2 != 0)) ++tenths;
    return fmt::format("{}.{} {}", tenths / 10, tenths % 10, kUnits[name]);
}

std::string joined(std::span<const std::string_view> words, std::string_view separator) {
    std::string text;
    for (const std::string_view word : words) text.append(text.empty() ? "" : separator).append(word);
    return text;
}

std::string either_of(std::span<const std::string_view> words) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 < words.size() ? ", " : " or ", words[i]);
    return text;
}

std::string wrapped(std::string_view before, std::string_view text, size_t indent, size_t width) {
    std::string result(before);
    size_t column = result.size();
    for (bool starts_line = true; !text.empty(); starts_line = false) {
        const size_t end = std::min(text.find(' '), text.size());
        if (!starts_line && column + 1 + end > width) {
            result.append(1, '\n').append(indent, ' ');
            column = indent;
        } else if (!starts_line) {
            result += ' ';
            ++column;
        }
        result += text.substr(0, end);
        column += end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result + '\n';
}

bool parse_size(std::string_view text, uint64_t& bytes) {
    size_t digits = 0;
    uint64_t number = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        const auto digit = static_cast<uint64_t>(text[digits] - '0');
        if (__builtin_mul_overflow(number, uint64_t{10}, &number) || __builtin_add_overflow(number, digit, &number))
            return false;
    }
    if (digits == 0) return false;
    std::string_view unit = text.substr(digits);
    unsigned power = 0;
    constexpr std::string_view kUnits = "KMGTkmgt";
    if (!unit.empty() && kUnits.find(unit[0]) != std::string_view::npos) {
        power = static_cast<unsigned>(kUnits.find(unit[0]) % 4 + 1);
        unit.remove_prefix(1);
        if (unit == "iB") unit = {};
    }
    if (!unit.empty() && unit != "B") return false;
    return !__builtin_mul_overflow(number, uint64_t{1} << (10 * power), &bytes);
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    if (word.empty() || word.size() > kLongestGuess) return {};
    // Up to a third of the letters may be wrong, and at least one.
    size_t best_distance = std::max<size_t>(1, word.size() / 3);
    std::vector<std::string> best;
    for (const std::string_view candidate : candidates) {
        if (least_distance(word, candidate) > best_distance) continue;
        const size_t distance = edit_distance(word, candidate, best_distance + 1);
        if (distance > best_distance) continue;
        if (distance < best_distance) best.clear();
        best_distance = distance;
        if (best.size() < kMostGuesses) best.push_back(fmt::format("'{}'", candidate));
    }
    if (best.empty()) return {};
    return fmt::format("; did you mean {}?", either_of(std::vector<std::string_view>(best.begin(), best.end())));
}

}  // namespace tracelint
