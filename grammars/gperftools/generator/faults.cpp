// The table of planted faults, and what they share.
#include "grammars/gperftools/generator/faults.hpp"

#include <charconv>

#include "grammars/gperftools/generator/model.hpp"
#include "grammars/gperftools/line_grammar.hpp"

namespace tracelint::gperftools {
namespace {

// In the order of section 5. No rule of severity error or warning is missing.
// clang-format off
constexpr FaultRow kTable[] = {
    {"gperftools/header-truncated",         faults::header_truncated},
    {"gperftools/header-count-nonzero",      faults::header_count_nonzero},
    {"gperftools/header-words-too-small",     faults::header_words_too_small},
    {"gperftools/header-extra-words",        faults::header_words_without_words},
    {"gperftools/header-extra-words",        faults::header_extra_words},
    {"gperftools/header-version",           faults::header_version},
    {"gperftools/period-zero",              faults::period_zero},
    {"gperftools/period-too-large",          faults::period_too_large},
    {"gperftools/period-implausible",       faults::period_implausible},
    {"gperftools/header-padding-nonzero",    faults::header_padding_nonzero},
    {"gperftools/wrapper-incomplete",       faults::wrapper_incomplete},
    {"gperftools/record-header-truncated",   faults::record_header_truncated},
    {"gperftools/record-exceeds-file",       faults::num_pcs_beyond_file},
    {"gperftools/record-exceeds-file",       faults::chain_cut},
    {"gperftools/num-pcs-zero",              faults::num_pcs_zero},
    {"gperftools/num-pcs-zero",              faults::block_of_zeros},
    {"gperftools/sample-count-zero",         faults::sample_count_zero},
    {"gperftools/null-leaf-pc",              faults::null_leaf_pc},
    {"gperftools/null-caller-pc",            faults::null_caller_pc},
    {"gperftools/depth-exceeds-reader-limit", faults::depth_exceeds_reader_limit},
    {"gperftools/sample-value-overflow",     faults::sample_value_overflow},
    {"gperftools/sample-total-overflow",     faults::sample_total_overflow},
    {"gperftools/missing-trailer",          faults::missing_trailer},
    {"gperftools/missing-trailer",          faults::missing_trailer_before_text},
    {"gperftools/trailer-damaged",          faults::trailer_damaged},
    {"gperftools/concatenated-profile",     faults::concatenated_profile},
    {"gperftools/missing-map-list",          faults::missing_map_list},
    {"gperftools/no-mapping-line",           faults::no_mapping_line},
    {"gperftools/map-line-unterminated",     faults::map_line_unterminated},
    {"gperftools/text-line-too-long",         faults::text_line_too_long},
    {"gperftools/text-nul",                 faults::text_nul},
    {"gperftools/text-crlf",                faults::text_crlf},
    {"gperftools/map-line-leading-space",     faults::map_line_leading_space},
    {"gperftools/map-line-misread",          faults::map_line_misread},
    {"gperftools/map-perms-invalid",         faults::map_perms_invalid},
    {"gperftools/map-address-width",         faults::map_address_width},
    {"gperftools/map-range-inverted",        faults::map_range_inverted},
    {"gperftools/map-overlap",              faults::map_overlap},
    {"gperftools/map-path-glued",            faults::map_path_glued},
    {"gperftools/build-var-undefined",       faults::build_var_undefined},
    {"gperftools/build-redefined",          faults::build_redefined},
    {"gperftools/build-var-boundary",        faults::build_var_boundary},
    {"gperftools/no-executable-mapping",     faults::no_executable_mapping},
    {"gperftools/pc-unmapped-leaf",          faults::pc_unmapped_leaf},
    {"gperftools/java-location-overflow",    faults::java_location_overflow},
    {"gperftools/java-map-line",             faults::java_map_line},
};
// clang-format on

}  // namespace

constinit const FaultList kPlantedFaults{kTable};

namespace faults {
namespace {

size_t skip(const std::string& text, size_t from, std::string_view set) {
    return std::min(text.find_first_not_of(set, from), text.size());
}

}  // namespace

size_t header_of(const File& file) { return is_wrapped(file) ? 1 : 0; }

std::optional<size_t> trailer_of(const File& file) {
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kTrailer) return i;
    return std::nullopt;
}

bool is_wrapped(const File& file) { return file.front().record == &kWrapper; }

bool is_java(const File& file) { return file[header_of(file)].number("format_version") == kJavaVersion; }

bool has_map_list(const File& file) { return !is_wrapped(file) && !is_java(file) && file.back().record == &kLine; }

bool has_text_opening(const File& file) {
    const auto trailer = trailer_of(file);
    if (!trailer || *trailer + 1 == file.size()) return false;
    std::string text;
    for (size_t i = *trailer + 1; i < file.size(); ++i) text += text_of(file[i]);
    return is_text_opening(as_bytes(text), is_java(file) ? kJavaVersion : kNativeVersion);
}

std::string& text_of(RecordValues& line) { return line.find("text")->text; }
const std::string& text_of(const RecordValues& line) { return line.find("text")->text; }

RecordValues line_draft(const File& file, std::string text) {
    return decode_values(kLine, as_bytes(text), layout_of(file), true);
}

size_t insert_line(File& file, Random& random, const std::string& text) {
    const size_t at = between(random, *trailer_of(file) + 1, file.size());
    insert(file, at, line_draft(file, text));
    return at;
}

std::optional<size_t> any_line(const File& file, Random& random) { return choose(file, random, kLine, any); }

std::optional<MappingLine> mapping_line(const File& file, size_t record) {
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
    line.behind_inode = skip(text, inode, kDecimal);
    line.path = skip(text, line.behind_inode, kBlank);
    line.path_length = text.find('\n') - line.path;
    return line;
}

std::optional<MappingLine> any_mapping_line(const File& file, Random& random) {
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
    const auto behind = std::from_chars(start.ptr + 1, end, range.end, 16);
    return behind.ec == std::errc() && behind.ptr != end ? std::optional(range) : std::nullopt;
}

}  // namespace faults
}  // namespace tracelint::gperftools
