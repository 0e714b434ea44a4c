// perf.data, section 3: finds the records and sections of a file without judging them.
#pragma once

#include "grammars/perfdata/records.hpp"
#include "validator/format.hpp"

namespace tracelint::perfdata {

std::unique_ptr<Framer> make_framer(const Settings& settings);

// The table of a type of records; kOther for those without one.
const Record& record_of(uint64_t type);

// The version of the table that the record, which is all in view, has (sections 3.2 and 3.4).
uint16_t version_of(uint64_t type, Bytes record, ByteOrder order);

// The table of a feature section; null for BUILD_ID, which consists of entries.
const Record* section_of(uint64_t feature);

}  // namespace tracelint::perfdata
