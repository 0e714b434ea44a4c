// Faults that can be planted in a generated profile, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along (5.4).
#pragma once

#include "grammars/gperftools/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::gperftools::faults {

using File = FileRecords;
using Planted = PlantedFault::Planted;
using Plant = std::optional<Planted>(File& file, Random& random);

// 5.1 The header and the wrapper
Plant header_truncated, header_count_nonzero, header_words_too_small, header_words_without_words, header_extra_words,
    header_version, period_zero, period_too_large, period_implausible, header_padding_nonzero, wrapper_incomplete;
// 5.2 Records and trailer
Plant record_header_truncated, num_pcs_beyond_file, chain_cut, num_pcs_zero, block_of_zeros, sample_count_zero,
    null_leaf_pc, null_caller_pc, depth_exceeds_reader_limit, sample_value_overflow, sample_total_overflow,
    missing_trailer, missing_trailer_before_text, trailer_damaged, concatenated_profile;
// 5.3 Text
Plant missing_map_list, no_mapping_line, map_line_unterminated, text_line_too_long, text_nul, text_crlf,
    map_line_leading_space, map_line_misread;
// 5.3 Mappings
Plant map_perms_invalid, map_address_width, map_range_inverted, map_overlap, map_path_glued, build_var_undefined,
    build_redefined, build_var_boundary, no_executable_mapping, pc_unmapped_leaf;
// 5.3 Java
Plant java_location_overflow, java_map_line;

// The number of the header; a wrapper may be in front of it.
size_t header_of(const File& file);
std::optional<size_t> trailer_of(const File& file);
bool is_wrapped(const File& file);
bool is_java(const File& file);
// Whether a profile that is not wrapped has the text of the C and C++ dialect.
bool has_map_list(const File& file);
// Whether the first line is one by which a text is recognised.
bool has_text_opening(const File& file);

std::string& text_of(RecordValues& line);
const std::string& text_of(const RecordValues& line);
RecordValues line_draft(const File& file, std::string text);
// Puts a line in front of a random one, or behind the last one, and says where.
size_t insert_line(File& file, Random& random, const std::string& text);
std::optional<size_t> any_line(const File& file, Random& random);

// The parts of a full mapping line, by their places in it (3.4).
struct MappingLine {
    size_t record;
    size_t range_length;  // it begins with the line
    size_t permissions;
    size_t behind_inode;
    size_t path, path_length;
};
std::optional<MappingLine> mapping_line(const File& file, size_t record);
std::optional<MappingLine> any_mapping_line(const File& file, Random& random);
// Of a full or of a cooked one.
struct Range {
    uint64_t start, end;
};
std::optional<Range> range_of(const RecordValues& line);

}  // namespace tracelint::gperftools::faults
