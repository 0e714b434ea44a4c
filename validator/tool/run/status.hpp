// Exit statuses.
#pragma once

#include <initializer_list>

namespace tracelint {

enum ExitStatus : int {
    kClean = 0,
    kFindings = 1,    // at or above --fail-on
    kUsage = 2,       // the command line is wrong
    kUnreadable = 3,  // an input could not be read, or no input was found
    kInternal = 4,    // internal error, a limit was hit, a signal came, or output failed
};

// The more important one, in the order 2, 4, 3, 1, 0.
constexpr ExitStatus worse(ExitStatus a, ExitStatus b) {
    for (const ExitStatus status : {kUsage, kInternal, kUnreadable, kFindings})
        if (a == status || b == status) return status;
    return kClean;
}

}  // namespace tracelint
