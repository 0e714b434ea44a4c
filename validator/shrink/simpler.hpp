// Simpler versions of a record.
#pragma once

#include "validator/generator/record_values.hpp"

namespace tracelint {

// Numbers that may take the place of a field's number, the simplest one first: 0, 1, then what the table allows.
std::vector<uint64_t> simplest_numbers(const Field& field, uint64_t number);

// The elements of a list, and the record without some of them.
size_t elements_of(const RecordValues& record, size_t list);
RecordValues without_elements(const RecordValues& record, size_t list, size_t first, size_t last);

// Sets the counts and sizes of `after`, which is `before` without some values or with others. What was wrong by some
// number stays wrong by it. The value `forced` stays as it is.
void settle_sizes(const RecordValues& before, RecordValues& after, size_t forced);

}  // namespace tracelint
