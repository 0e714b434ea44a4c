// Faults that can be planted in a generated profile, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along (5.4).
#pragma once

#include "grammars/gperftools/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::gperftools::faults {

extern const FaultList kHeaderFaults, kRecordFaults, kTextFaults, kMappingFaults;

// The number of the header; a wrapper may be in front of it.
size_t header_of(const FileRecords& file);
std::optional<size_t> trailer_of(const FileRecords& file);
bool is_wrapped(const FileRecords& file);
bool is_java(const FileRecords& file);
// Whether a profile that is not wrapped has the text of the C and C++ dialect.
bool has_map_list(const FileRecords& file);
// Whether the first line is one by which a text is recognised.
bool has_text_opening(const FileRecords& file);

std::string& text_of(RecordValues& line);
const std::string& text_of(const RecordValues& line);
RecordValues line_record(const FileRecords& file, std::string text);
// Puts a line in front of a random one, or behind the last one, and says where.
size_t insert_line(FileRecords& file, Random& random, const std::string& text);
std::optional<size_t> any_line(const FileRecords& file, Random& random);

// The parts of a full mapping line, by their places in it (3.4).
struct MappingLine {
    size_t record;
    size_t range_length;  // it begins with the line
    size_t permissions;
    size_t behind_inode;
    size_t path, path_length;
};
std::optional<MappingLine> mapping_line(const FileRecords& file, size_t record);
std::optional<MappingLine> any_mapping_line(const FileRecords& file, Random& random);
// Of a full or of a cooked one.
struct Range {
    uint64_t start, end;
};
std::optional<Range> range_of(const RecordValues& line);

}  // namespace tracelint::gperftools::faults
