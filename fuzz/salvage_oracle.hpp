// The oracle for salvage: what it writes has no error, and is the file but for the edits that it lists.
#pragma once

#include "fuzz/oracles.hpp"
#include "validator/salvage/salvage.hpp"

namespace tracelint {

// What became of a file.
struct SalvageOutcome {
    SalvageVerdict verdict = SalvageVerdict::impossible;
    uint64_t size = 0;      // bytes of the trace
    uint64_t new_size = 0;  // bytes of the salvaged one
};

// A file without errors is copied byte by byte. What is written of any other has no error, is of the same format, and
// is not changed when it is salvaged again. Applying the listed edits to the file gives the same bytes. With less
// memory, the outcome is the same, or a limit is named. `salvaged` receives what became of the file.
Complaint salvages(const Input& input, SalvageOutcome* salvaged = nullptr);

// A file with a planted fault, and what became of it; nothing if the generated file has no place for the fault.
std::optional<SalvageOutcome> salvage_planted(const Generator& generator, const PlantedFault& fault,
                                              const GenerateOptions& options, Complaint& complaint);

}  // namespace tracelint
