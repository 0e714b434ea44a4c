// Where in a file a finding is.
#pragma once

#include <string>

#include "validator/describe.hpp"

namespace tracelint {

struct Place {
    uint64_t offset = 0;  // absolute, in the (decompressed) file
    uint64_t length = 0;  // may be 0 where nothing is left
    const Record* record = nullptr;
    const Field* field = nullptr;
    const Field* list = nullptr;    // set for an element of a list
    uint64_t record_index = kNone;  // counted from 0 after the header
    uint64_t element = kNone;
};

// "header.flags", "records[3].entries[12].line"; empty where no record is concerned.
std::string field_path(const Place& place);

}  // namespace tracelint
