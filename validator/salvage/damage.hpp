// Where a rule is broken.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint {

struct Damage {
    uint64_t offset = 0;
    uint64_t length = 0;
    const Rule* rule = nullptr;
    const Field* field = nullptr;  // null: the record as a whole

    bool operator==(const Damage&) const = default;
};

}  // namespace tracelint
