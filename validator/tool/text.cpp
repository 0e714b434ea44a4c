// Escaping, numbers, edit distance.
#include "validator/tool/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

namespace tracelint {
namespace {

constexpr char32_t kNotUtf8 = 0xffffffff;

// The character that starts `text` and its length in bytes; kNotUtf8 and 1 if there is none.
struct Character {
    char32_t code;
    size_t length;
};

Character first_character(std::string_view text) {
    const auto at = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
    const uint8_t lead = at(0);
    if (lead < 0x80) return {lead, 1};
    const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {kNotUtf8, 1};
    char32_t code = lead & (0x7fu >> length);
    for (size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xc0) != 0x80) return {kNotUtf8, 1};
        code = code << 6 | (at(i) & 0x3f);
    }
    const char32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    if (code < smallest || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return {kNotUtf8, 1};
    return {code, length};
}

bool is_unsafe(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == kNotUtf8 ||
           // Marks and overrides of the writing direction, line and paragraph separators.
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void append_escaped(std::string& to, std::string_view bytes) {
    for (const char byte : bytes) {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<uint8_t>(byte));
        to += escaped;
    }
}

constexpr size_t kLongestGuess = 100;  // the distance takes time that grows with the square

// What the distance is at least: letters that one word has and the other lacks. Words of 255 letters at most.
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

// Letters to insert, remove, replace or swap with their neighbour; `limit` where there are as many or more.
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
        if (least >= limit) return limit;  // no row is better than the one before
        before.swap(row);
        row.swap(next);
    }
    return std::min(row[b.size()], limit);
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view bytes = text.substr(0, character.length);
        if (is_unsafe(character.code))
            append_escaped(shown, bytes);
        else
            shown += bytes;
        text.remove_prefix(character.length);
    }
    return shown;
}

std::string quoted(std::string_view text) {
    std::string shown = "\"";
    size_t plain = 0;  // start of what needs no escape of its own
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

std::string hex(uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string counted(uint64_t number, std::string_view noun) {
    std::string text = std::to_string(number) + ' ';
    text += noun;
    if (number != 1) text += 's';
    return text;
}

std::string byte_size(uint64_t bytes) {
    constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 10'000) return counted(bytes, "byte");
    auto scaled = static_cast<double>(bytes);
    size_t unit = 0;
    for (scaled /= 1024; scaled >= 1000 && unit + 1 < std::size(kUnits); ++unit) scaled /= 1024;
    char text[32];
    std::snprintf(text, sizeof text, "%.1f ", scaled);
    std::string result = text;
    result += kUnits[unit];
    return result;
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
    // A third of the letters may be wrong, but never all of a short word.
    size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
    std::string_view best;
    for (const std::string_view candidate : candidates) {
        if (least_distance(word, candidate) >= best_distance) continue;
        const size_t distance = edit_distance(word, candidate, best_distance);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = candidate;
    }
    if (best.empty()) return {};
    std::string text = "; did you mean '";
    text += best;
    return text + "'?";
}

}  // namespace tracelint
