// Planted faults: ways to break a valid file in one known place. A grammar's generator states each as one FaultRow.
#pragma once

#include <optional>
#include <span>

#include "validator/generator/random.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// Where the finding of a planted fault must be. Offsets and lengths are in bytes.
struct Planted {
    size_t record;             // index in the file; the header is record 0
    std::string_view field;    // the finding is at this field; empty: relative to the start of the record
    uint64_t element = kNone;  // index of the list element that has the field
    uint64_t offset = 0;       // added to the offset of the field, or of the record
    uint64_t length = 0;       // of the finding; 0: that of the field
    std::vector<std::string_view> consequences;  // ids of other rules that the same fault may break
};

// Breaks `file` and returns where the finding must be, or nothing if the file has no place for the fault.
using PlantFunction = std::optional<Planted> (*)(FileRecords& file, Random& random);

// One fault. The rule is named by its id, so a fault need not include the rule.
struct FaultRow {
    std::string_view rule;
    PlantFunction plant;
};

// The faults stated by one source file of a grammar's generator.
using FaultList = std::span<const FaultRow>;

// A fault whose rule has been looked up.
struct PlantedFault {
    const Rule* rule;
    PlantFunction plant;
};

}  // namespace tracelint
