// What two files of a group say together.
#pragma once

#include <string>

#include "tracelint/basics.hpp"

namespace tracelint {

// The functions of one file and the samples of another, joined. Or why they, or a file alone, cannot be.
struct Pairing {
    std::string_view recording{};  // the path of the file with the samples; outlives all reports; empty: none
    uint64_t functions = 0;
    uint64_t processes = 0;  // that the functions belong to
    uint32_t pid = 0;        // of one of them
    uint64_t samples = 0;    // in user mode, of these processes
    // Of the samples. Empty: not asked, as the files cannot be joined, their times do not fit, or a limit was hit.
    std::optional<uint64_t> in_functions{};
    bool is_least = false;      // a limit was hit: there may be more functions and samples
    bool is_compared = true;    // else `remark` says why not, and nothing was counted
    std::string_view remark{};  // what makes the numbers less than they seem; may be empty
    std::string next_step{};    // what to do about it; may be empty
};

}  // namespace tracelint
