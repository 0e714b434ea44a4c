// The oracle for what dump writes: for any file and any part of it, every kind of dump is printable, JSON parses, both
// kinds of JSON have the same objects, and the text is bounded.
#pragma once

#include "fuzz/oracles.hpp"
#include "validator/tool/dump/selection.hpp"

namespace tracelint {

// Everything, what lies around an offset, or some records; of these, everything or one field. `size`: bytes of the
// file.
Selection any_selection(Random& random, uint64_t size);

Complaint dump_output(const Input& input, const Selection& selection);

}  // namespace tracelint
