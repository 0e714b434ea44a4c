// perf.data: what makes valid files, and the lists of ways to break them.
#pragma once

#include "grammars/perfdata/generator/event.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::perfdata {

std::unique_ptr<Model> make_model(Random& random, const ModelOptions& options);

// Sets what the header, the attributes and the feature table of a file say of where its parts are. A stream has nothing
// to set. Every fault that adds, removes or resizes a record calls it before it breaks something.
void fit(FileRecords& file);

extern const FaultList kHeaderFaults;
extern const FaultList kAttributeFaults;
extern const FaultList kFeatureFaults;
extern const FaultList kRecordFaults;
extern const FaultList kSampleFaults;
extern const FaultList kCompressionFaults;

}  // namespace tracelint::perfdata
