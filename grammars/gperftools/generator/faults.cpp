// What planted faults share.
#include "grammars/gperftools/generator/faults.hpp"

#include <algorithm>
#include <charconv>

#include "grammars/gperftools/checks/line.hpp"

namespace tracelint::gperftools::faults {
namespace {

size_t skip(const std::string& text, size_t from, std::string_view set) {
    return std::min(text.find_first_not_of(set, from), text.size());
}

// Whether the file has a trailer, and lines only after it: it may be followed by another profile, as after a fork.
bool ends_with_lines(const FileRecords& file) {
    const auto trailer = trailer_of(file);
    return trailer && std::all_of(file.begin() + static_cast<std::ptrdiff_t>(*trailer) + 1, file.end(),
                                  [](const RecordValues& one) { return one.record == &kLine; });
}

}  // namespace

size_t header_of(const FileRecords& file) { return is_wrapped(file) ? 1 : 0; }

std::optional<size_t> trailer_of(const FileRecords& file) {
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kTrailer) return i;
    return std::nullopt;
}

bool is_wrapped(const FileRecords& file) { return file.front().record == &kWrapper; }

bool is_java(const FileRecords& file) { return file[header_of(file)].number("format_version") == kJavaVersion; }

bool has_map_list(const FileRecords& file) {
    return !is_wrapped(file) && !is_java(file) && file.back().record == &kLine && ends_with_lines(file);
}

bool has_text_opening(const FileRecords& file) {
    const auto trailer = trailer_of(file);
    if (!ends_with_lines(file) || *trailer + 1 == file.size()) return false;
    std::string text;
    for (size_t i = *trailer + 1; i < file.size(); ++i) text += text_of(file[i]);
    return is_text_opening(as_bytes(text), is_java(file) ? kJavaVersion : kNativeVersion);
}

std::string& text_of(RecordValues& line) { return line.find("text")->text; }
const std::string& text_of(const RecordValues& line) { return line.find("text")->text; }

RecordValues line_record(const FileRecords& file, std::string text) {
    return decode_values(kLine, as_bytes(text), layout_of(file), true);
}

size_t insert_line(FileRecords& file, Random& random, const std::string& text) {
    const size_t at = between(random, *trailer_of(file) + 1, file.size());
    insert(file, at, line_record(file, text));
    return at;
}

std::optional<size_t> any_line(const FileRecords& file, Random& random) { return choose(file, random, kLine, any); }

std::optional<MappingLine> mapping_line(const FileRecords& file, size_t record) {
    constexpr std::string_view kHex = "0123456789abcdef", kDecimal = "0123456789", kBlank = " ";
    if (file[record].record != &kLine) return std::nullopt;
    const std::string& text = text_of(file[record]);
    MappingLine line{};
    line.record = record;
    line.range_length = skip(text, skip(text, 0, kHex) + 1, kHex);
    if (text.find('-') >= line.range_length || text[line.range_length] != ' ') return std::nullopt;
    line.permissions = line.range_length + 1;
    const size_t offset = skip(text, line.permissions + 4, kBlank);
    const size_t device = skip(text, skip(text, offset, kHex), kBlank);
    const size_t inode = skip(text, text.find(' ', device), kBlank);
    line.inode_end = skip(text, inode, kDecimal);
    line.path = skip(text, line.inode_end, kBlank);
    line.path_length = text.find('\n') - line.path;
    return line;
}

std::optional<MappingLine> any_mapping_line(const FileRecords& file, Random& random) {
    if (!has_map_list(file)) return std::nullopt;
    const auto at = choose(file, random, kLine, [&](size_t i) { return mapping_line(file, i).has_value(); });
    return at ? mapping_line(file, *at) : std::nullopt;
}

std::optional<Range> range_of(const RecordValues& line) {
    if (line.record != &kLine) return std::nullopt;
    const std::string& text = text_of(line);
    const char* const end = text.data() + text.size();
    Range range{};
    const auto start = std::from_chars(text.data() + skip(text, 0, " "), end, range.start, 16);
    if (start.ec != std::errc() || start.ptr == end || *start.ptr != '-') return std::nullopt;
    const auto end_number = std::from_chars(start.ptr + 1, end, range.end, 16);
    return end_number.ec == std::errc() && end_number.ptr != end ? std::optional(range) : std::nullopt;
}

}  // namespace tracelint::gperftools::faults
