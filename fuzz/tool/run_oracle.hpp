// The oracle for the outputs of a run of several files: one as it is, one whose most frequent rule a baseline knows,
// with a file that it belongs to and a reader, one that could not be read, and a signal at the end. What the writers'
// oracle says of one file is not asked again.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct WriterKind;

// Runs the writer on several files, of which the first two hold the input. `path`: part of their names, any bytes.
Complaint run_of(const WriterKind& kind, const Input& input, const std::string& path);

}  // namespace tracelint
