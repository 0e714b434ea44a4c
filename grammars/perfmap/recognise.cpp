// perf map, section 2: whether a file is a perf map.
#include "grammars/perfmap/perfmap.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "grammars/perfmap/checks/lines.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint::perfmap {
namespace {

// Without a magic number, less than any magic number is worth.
constexpr int kByName = 60, kByLines = 40;

// What a line may hold that other texts do not.
constexpr uint64_t kLowestStart = 0x1000, kLargestUsual = uint64_t{1} << 20;
constexpr uint64_t kLargestShare = 16;  // of START that SIZE may be, as its divisor
constexpr size_t kLongStart = 8;        // digits
// Code lies side by side: this many lines show it, and a file has fewer than kMostLines that are looked at.
constexpr size_t kEnoughLines = 8;
constexpr uint64_t kWidestGap = 0x10000;
constexpr size_t kMostLines = kDetectionBytes / std::string_view("1 1 f\n").size() + 1;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_above_f(char c) { return (is_letter(c) && (c | 0x20) > 'f') || static_cast<uint8_t>(c) >= 0x80; }

std::string_view digits_of(const Number& number, std::string_view line) {
    return number.part.of(line).substr(number.has_prefix ? 2 : 0);
}

// A line of `nm -S`: the letter of a type precedes the name.
bool has_symbol_type(std::string_view name) { return name.size() > 1 && is_letter(name[0]) && name[1] == ' '; }

// A line of `nm`, whose types are letters: some are hexadecimal digits.
bool is_of_nm(std::string_view start, std::string_view size) {
    return (start.size() == 8 || start.size() == 16) && size.size() == 1 && is_letter(size[0]);
}

// Whether hardly any other text has a line like this well-formed one.
enum class Evidence : uint8_t {
    none,
    of_many,  // if there are many lines and their code lies side by side: SIZE may be a word
    of_one,
};

Evidence evidence_of(const Line& line) {
    const std::string_view start = digits_of(line.start, line.text), size = digits_of(line.size, line.text);
    const std::string_view name = line.name.of(line.text);
    const bool start_has_letter = std::ranges::any_of(start, is_letter) && std::ranges::any_of(start, is_decimal);
    const bool is_hexadecimal =
        start_has_letter || (start.size() >= kLongStart && std::ranges::any_of(size, is_letter));
    const bool is_plausible = line.start.value >= kLowestStart && line.size.value <= kLargestUsual &&
                              line.size.value <= line.start.value / kLargestShare;
    const bool has_name = std::ranges::any_of(name, is_above_f) && !has_symbol_type(name);
    if (!is_hexadecimal || !is_plausible || !has_name || is_of_nm(start, size)) return Evidence::none;
    return std::ranges::any_of(size, is_decimal) ? Evidence::of_one : Evidence::of_many;
}

struct Code {
    uint64_t start, size;
};

// Whether a quarter of the code or more is followed by other code, right behind it or at a little distance.
bool is_contiguous(std::span<Code> code) {
    std::ranges::sort(code, {}, &Code::start);
    size_t near = 0;
    for (size_t i = 1; i < code.size(); ++i) {
        const uint64_t distance = code[i].start - code[i - 1].start;
        near += distance >= code[i - 1].size && distance - code[i - 1].size <= kWidestGap;
    }
    return 4 * near >= code.size() - 1;
}

// Whether the whole lines at the start of a file, up to a NUL, are those of a perf map.
bool begins_with_lines(Bytes bytes) {
    std::string_view text = as_text(bytes.first(std::min(bytes.size(), kDetectionBytes)));
    text = text.substr(0, text.find('\0'));
    std::array<Code, kMostLines> code;
    size_t lines = 0;
    Evidence best = Evidence::none;
    for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view parts = text.substr(0, end);
        if (parts.ends_with('\r')) parts.remove_suffix(1);
        const Line line = line_of(parts);
        if (line.fault != LineFault::none || line.has_spacing) return false;
        best = std::max(best, evidence_of(line));
        code[lines++] = {line.start.value, line.size.value};
        text.remove_prefix(end + 1);
    }
    if (lines < kEnoughLines) return best == Evidence::of_one;
    return best != Evidence::none && is_contiguous(std::span(code).first(lines));
}

}  // namespace

bool is_map_name(std::string_view file_name) {
    constexpr std::string_view kFront = "perf-", kBack = ".map";
    if (!file_name.starts_with(kFront) || !file_name.ends_with(kBack)) return false;
    if (file_name.size() <= kFront.size() + kBack.size()) return false;
    const std::string_view pid = file_name.substr(kFront.size(), file_name.size() - kFront.size() - kBack.size());
    return std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
}

int recognise(const Opening& opening) {
    if (is_map_name(opening.file_name)) return kByName;
    return begins_with_lines(opening.bytes) ? kByLines : 0;
}

}  // namespace tracelint::perfmap
