// The place of a finding: a byte range, and the record and field that it belongs to.
#pragma once

#include <string>

#include "validator/tables/describe.hpp"

namespace tracelint {

struct Place {
    uint64_t offset = 0;             // bytes from the start of the (decompressed) file
    uint64_t length = 0;             // bytes; 0 at the end of the file
    const Record* record = nullptr;  // null: no record is concerned
    const Field* field = nullptr;    // null: the record as a whole
    const Field* list = nullptr;     // the list, if the place is in one of its elements
    uint64_t record_index = kNone;   // counts from 0 after the header; kNone: not numbered
    uint64_t element = kNone;        // index in `list`, from 0
};

// "header.flags", "records[3].entries[12].line"; empty if no record is concerned.
std::string field_path(const Place& place);

}  // namespace tracelint
