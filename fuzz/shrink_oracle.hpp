// The oracle for shrink: what it writes has the finding, breaks no rule that the file did not break, and is not larger.
#pragma once

#include "fuzz/oracles.hpp"
#include "validator/shrink/shrink.hpp"

namespace tracelint {

// What became of a file.
struct Shrunk {
    ShrinkVerdict verdict = ShrinkVerdict::impossible;
    std::string bytes;
    std::string why;
    Diagnostic finding;   // in the shrunk file
    uint64_t others = 0;  // errors and warnings besides it
    uint64_t checks = 0;
    std::vector<KeptText> kept_texts;
};

// What to keep, and how.
struct ShrinkTask {
    const Rule* rule = nullptr;
    std::optional<uint64_t> offset{};
    std::string file_name{};
    bool redacts = false;
    uint64_t most_checks = kNone;
};

Shrunk shrunk(const Input& input, const ShrinkTask& task);

// Shrinks the file for its first error or warning; with `redacts`, no text of it is left. Ends after some hundred
// checks.
Complaint shrinks(const Input& input, bool redacts);

// The first text of a string or a payload of the file, of four or more printable characters, that is in the shrunk
// file, although redaction does not list it; empty if there is none.
std::string surviving_text(const Format& format, Bytes file, const Shrunk& shrunk);

}  // namespace tracelint
