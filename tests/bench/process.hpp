// Runs a program and measures it as a whole process.
#pragma once

#include <span>
#include <string>

namespace tracelint::bench {

struct Run {
    double seconds = 0;    // of processor time, user's and system's: other load counts less than in elapsed time
    double megabytes = 0;  // maximum resident memory
    int status = 127;      // exit status, 127 if the program is missing
};

// Runs the words as a command, without a shell and without output, in `folder` if that is not empty.
Run run(std::span<const std::string> words, const std::string& folder = {});

}  // namespace tracelint::bench
