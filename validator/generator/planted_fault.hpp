// Planted faults as data: ways to break a valid file in one place.
#pragma once

#include <optional>
#include <span>

#include "validator/generator/random.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// A way to break a valid file in one place.
struct PlantedFault {
    const Rule* rule;
    // Breaks `file` and says where the finding must be, and which other rules may come along as declared
    // consequences; nothing if this file offers no place for it.
    struct Planted {
        size_t record;             // number of the draft in the file, the header is 0
        std::string_view field;    // of the expected place; empty: from the record's start
        uint64_t element = kNone;  // of a list
        uint64_t offset = 0;       // added to the field's or record's
        uint64_t length = 0;       // 0: the field's
        std::vector<std::string_view> consequences;
    };
    std::optional<Planted> (*plant)(std::vector<RecordValues>& file, Random& random);
};

// A planted fault as a grammar's generator states it: the rule by its id, so that whoever breaks a rule need not see
// it.
struct FaultRow {
    std::string_view rule;
    std::optional<PlantedFault::Planted> (*plant)(std::vector<RecordValues>& file, Random& random);
};

// The faults of one file of a grammar's generator.
using FaultList = std::span<const FaultRow>;

}  // namespace tracelint
