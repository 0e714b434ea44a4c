// Faults to plant in a generated profile, and what they share. Each changes one thing, in a place where it breaks no
// other rule.
#pragma once

#include "grammars/gperftools/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::gperftools::faults {

extern const FaultList kHeaderFaults, kRecordFaults, kTextFaults, kMappingFaults;

// The index of the header, which follows the wrapper if there is one.
size_t header_of(const FileRecords& file);
std::optional<size_t> trailer_of(const FileRecords& file);
bool is_wrapped(const FileRecords& file);
bool is_java(const FileRecords& file);
// Whether the profile has no wrapper and ends with a map list, as in the C and C++ dialect.
bool has_map_list(const FileRecords& file);
// Whether the text begins with a line by which the walk recognises a text.
bool has_text_opening(const FileRecords& file);

std::string& text_of(RecordValues& line);
const std::string& text_of(const RecordValues& line);
RecordValues line_record(const FileRecords& file, std::string text);
// Inserts a line at a random place in the text, and returns its index.
size_t insert_line(FileRecords& file, Random& random, const std::string& text);
std::optional<size_t> any_line(const FileRecords& file, Random& random);

// The parts of a full mapping line, as offsets in bytes (section 3.4).
struct MappingLine {
    size_t record;
    size_t range_length;  // the range starts at 0
    size_t permissions;
    size_t inode_end;
    size_t path, path_length;
};
std::optional<MappingLine> mapping_line(const FileRecords& file, size_t record);
std::optional<MappingLine> any_mapping_line(const FileRecords& file, Random& random);
// The address range of a full or a cooked mapping line.
struct Range {
    uint64_t start, end;
};
std::optional<Range> range_of(const RecordValues& line);

}  // namespace tracelint::gperftools::faults
