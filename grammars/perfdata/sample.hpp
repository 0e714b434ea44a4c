// perf.data, section 3.5: the fields of a SAMPLE.
#pragma once

#include "grammars/perfdata/attrs.hpp"

namespace tracelint::perfdata {

// Checks what follows the first words of a SAMPLE, whose size allows for these (rules sample-overrun and
// sample-trailing-bytes). Whether its fields lie in the record.
bool check_sample_fields(State& state, const RecordInFile& record, const Attr& attr);

extern const RuleList kSampleRules;

}  // namespace tracelint::perfdata
