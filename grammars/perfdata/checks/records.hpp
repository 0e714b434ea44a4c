// perf.data: the contents of records, and the fields of samples.
#pragma once

#include "grammars/perfdata/checks/attrs.hpp"

namespace tracelint::perfdata {

// perf.data, sections 3.4, 3.6 and 3.7: the contents of records other than SAMPLE.

// Where a record of a type without a layout begins to be simpleperf's, newer than this program, or none (section 3.7).
enum class Kind : uint8_t { known, newer, simpleperf, unknown };
Kind kind_of(uint32_t type);

// The least size of a record of a known type in a version of its table, without the trailer.
uint64_t least_size(uint32_t type, uint16_t version);

inline bool is_kernel_type(uint32_t type) { return type < kHeaderAttrType; }

// Checks the strings, counts and ranges of a record, whose size is at least the least. `version`: of its table;
// `trailer`: its bytes. Returns whether it can be used.
bool check_contents(State& state, const RecordInFile& record, uint16_t version, uint64_t trailer);

// Reports a size that is not a multiple of 8.
void check_alignment(State& state, const RecordInFile& record);

// The bytes of the text from `at` on, up to a NUL or `end`.
std::string_view text_at(const RecordInFile& record, uint64_t at, uint64_t end);

// A string in a record or in an entry of BUILD_ID, that must end before `end`.
bool check_string(State& state, const Place& place, Bytes room);

extern const RuleList kRecordsRules;

// perf.data, section 3.5: the fields of a SAMPLE.

// Checks what follows the first words of a SAMPLE, whose size allows for these (rules sample-overrun and
// sample-trailing-bytes). Whether its fields are in the record.
bool check_sample_fields(State& state, const RecordInFile& record, const Attr& attr);

}  // namespace tracelint::perfdata
