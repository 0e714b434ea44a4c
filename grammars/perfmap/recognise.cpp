// perf map, section 2: whether a file is a perf map.
#include "grammars/perfmap/recognise.hpp"

#include <algorithm>

#include "grammars/perfmap/line.hpp"
#include "validator/text_scan.hpp"

namespace tracelint::perfmap {
namespace {

// Of a format without a magic number: less than what any magic number says.
constexpr int kByName = 60, kByFirstLine = 40;
constexpr uint64_t kLowestStart = 0x1000;

// A line of `nm`: an address of all its digits, then the letter of a type.
bool is_of_nm(const Line& line) {
    const size_t digits = line.start.part.length;
    const char type = line.size.part.of(line.text).front();
    return (digits == 8 || digits == 16) && !line.start.has_prefix && line.size.part.length == 1 && type > '9';
}

bool begins_with_line(Bytes bytes) {
    const uint64_t length = length_to('\n', bytes);
    if (length == kNone || length_to_nul(bytes.first(length)) != kNone) return false;
    const Line line = line_of(as_text(bytes.first(length)));
    return line.fault == LineFault::none && !line.has_spacing && line.start.value >= kLowestStart && !is_of_nm(line);
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
    return begins_with_line(opening.bytes) ? kByFirstLine : 0;
}

}  // namespace tracelint::perfmap
