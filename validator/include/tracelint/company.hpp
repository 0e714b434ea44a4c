// Questions about an input beyond its own findings: whether other files match it, and what readers, the programs that
// read such files, do with it.
#pragma once

#include <optional>
#include <string>

#include "tracelint/source.hpp"

namespace tracelint {

// A file that belongs to the input: the jitdump or perf map of a recording, or the recording of a jitdump or map. The
// call that returns the result reads it, after the input. Its bytes must not change until then.
struct Companion {
    std::string name{};            // in findings, for recognition, and for rules about names: "perf-4.map"
    std::optional<Bytes> bytes{};  // the file; empty: it is read from `source`
    Source* source = nullptr;      // at its start; null: the file called `name` is opened
};

// Joins the functions of one file, a jitdump or a perf map, with the samples of a recording, or says why that is not
// possible. The texts live as long as the result that this is from.
struct Pairing {
    std::string_view recording{};  // the name of the file with the samples; empty: none
    uint64_t functions = 0;
    uint64_t processes = 0;  // that the functions belong to
    uint32_t pid = 0;        // of one of them
    uint64_t forked = 0;     // processes forked from these that inherit their code; their samples also count
    uint64_t samples = 0;    // in user mode, of these processes
    // Samples in the functions. Empty if not counted: the files cannot be joined, their times do not fit, or a limit
    // was hit.
    std::optional<uint64_t> in_functions{};
    uint64_t in_chains = 0;      // of the other samples: those with a frame of their call chain in the functions
    uint64_t not_consulted = 0;  // samples in functions of a map, in memory for which perf does not look at maps
    bool is_least = false;       // a limit was hit: there may be more functions and samples
    bool is_compared = true;     // else `remark` says why not, and nothing was counted
    std::string_view remark{};   // what makes the numbers less than they seem; may be empty
    std::string next_step{};     // what to do about it; may be empty
};

// What one version of a reader does with the input. The names live as long as the library is loaded.
struct ReaderResult {
    std::string_view name;     // "perf"
    std::string_view version;  // "7.2"
    // "loads", "ignores" (a broken rule does not matter to it), "unknown" (not tried), "drops", "misreads", "refuses",
    // "hangs" or "crashes".
    std::string_view outcome;
    std::string_view evidence;       // "measured", "by its source" or "by a report"
    std::optional<uint64_t> offset;  // of the finding that decides the outcome, in bytes; empty if no finding does
    std::string_view rule;           // of that finding; empty if no finding decides
    std::string_view unit;           // what the reader shows, in the singular: "function"
    uint64_t total = 0;              // units in the input
    uint64_t lost = 0;               // units that it drops: after the place where it stops, or one by one
    std::string sentence;            // "perf 7.2 stops at 0x1a40 and silently drops ..."; its wording is not stable
};

}  // namespace tracelint
