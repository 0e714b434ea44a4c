// Walks over the records of a file for its readers, and continues after a fault where records can be found again.
#pragma once

#include "validator/readers/record_walk.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// How far a walk came.
struct UnitWalk {
    bool has_walked = false;  // the source can be sought
    bool hit_limit = false;   // not all records were looked at
    uint64_t memory = 0;      // most that was taken from its budget, as Budget::most_taken() knows it
    uint64_t uncounted = 0;   // bytes in which there may be more records
};

// Walks over the records of a source from its start. Of the records behind a fault the visitor is asked only what it
// wants. What it takes is added to `work`.
UnitWalk walk_units(Source& source, const Format& format, const Settings& settings, const Limits& limits,
                    RecordVisitor& visitor, WorkCounter& work);

}  // namespace tracelint
