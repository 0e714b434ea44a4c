// What a dump says to the checks between files: its process, its clock, and its functions (grammars/siblings).
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/facts.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// The header of a dump whose records are read.
void tell_header(CodeDump& dump, const View<kHeader>& header);
// A LOAD of `total_size` bytes. Left out if its code is larger than the record or ends above 2^64.
void tell_load(CodeDump& dump, const View<kLoad>& load, uint64_t total_size);

}  // namespace tracelint::jitdump
