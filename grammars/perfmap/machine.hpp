// perf map, section 4.1: the state machine of a file, and the rules of its edges.
#pragma once

#include "validator/tables/machine.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::perfmap {

enum class State : uint8_t { lines, stopped, count_ };
inline constexpr std::string_view kStateNames[] = {"lines", "stopped"};

// What is at the cursor: a line up to its LF, or up to the end of the file.
enum class Symbol : uint8_t {
    line,
    blank_line,
    malformed_line,
    large_number,
    nameless_line,
    truncated_line,
    nul,
    long_line,
    empty_file,
    end_of_file,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {"line",
                                                    "blank line",
                                                    "malformed line",
                                                    "number above 2^64",
                                                    "line without a name",
                                                    "truncated last line",
                                                    "NUL byte",
                                                    "line above a limit",
                                                    "empty file",
                                                    "end of file"};

inline constexpr Rule kEmptyFile{
    .id = "perfmap/empty-file",
    .severity = Severity::note,
    .statement = "the process has generated code",
    .message = "the file is empty",
    .why = "legal: the process has generated no code yet, or wrote nothing. Profilers show its addresses without names",
    .spec = "2. Identification",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kNotText{
    .id = "perfmap/not-text",
    .severity = Severity::error,
    .statement = "the file is text: it contains no NUL byte",
    .message = "a NUL byte in the text",
    .why =
        "perf cuts the name at the NUL and reads the bytes after it as lines; the file was truncated while its writer "
        "continued at the old offset, or binary data was written to it. Nothing after this byte is checked",
    .spec = "3.1 Line; 4.1 File",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kLineMalformed{
    .id = "perfmap/line-malformed",
    .severity = Severity::error,
    .statement = "a line consists of two hexadecimal numbers and a name",
    .message = "the line does not begin with two hexadecimal numbers, each followed by a blank",
    .why =
        "perf invents a function at a wrong address, which may take the samples of others; samply skips the line, and "
        "parca-agent used to panic",
    .spec = "3.1 Line; 3.2 Numbers",
    .since = "0.2.0",
};

inline constexpr Rule kBlankLine{
    .id = "perfmap/blank-line",
    .severity = Severity::note,
    .statement = "no line is empty or blank",
    .message = "the line has no content",
    .why = "readers skip it",
    .spec = "3.1 Line",
    .since = "0.2.0",
};

inline constexpr Rule kNumberTooLarge{
    .id = "perfmap/number-too-large",
    .severity = Severity::error,
    .statement = "start and size are below 2^64",
    .message = "the number exceeds 64 bits",
    .why = "perf reads it as 2^64 - 1, so the function has no samples; samply skips the line",
    .spec = "3.2 Numbers",
    .since = "0.2.0",
};

inline constexpr Rule kNoName{
    .id = "perfmap/no-name",
    .severity = Severity::error,
    .statement = "a name follows the two numbers",
    .message = "the line ends after its size: the name is missing",
    .why = "every reader skips the line, so profilers show the function's addresses without a name",
    .spec = "3.1 Line; 3.3 Name",
    .since = "0.2.0",
};

inline constexpr Rule kTruncatedLastLine{
    .id = "perfmap/truncated-last-line",
    .severity = Severity::error,
    .statement = "the last line is complete",
    .message = "the file ends within a line, after {0 byte|bytes} of it",
    .why =
        "readers skip the line or read a part of a number as the whole; more lines may be missing. The process was "
        "still writing, was killed without a flush, or the disk was full",
    .spec = "4.1 File",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kTrackingLimit = tracking_limit("perfmap/tracking-limit", "5. Limits", true, "0.2.0");

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::lines, on(Symbol::line),           State::lines},
    {State::lines, on(Symbol::blank_line),     State::lines,   Recovery::skip, &kBlankLine},
    {State::lines, on(Symbol::malformed_line), State::lines,   Recovery::skip, &kLineMalformed},
    {State::lines, on(Symbol::large_number),   State::lines,   Recovery::skip, &kNumberTooLarge},
    {State::lines, on(Symbol::nameless_line),  State::lines,   Recovery::skip, &kNoName},
    {State::lines, on(Symbol::truncated_line), State::lines,   Recovery::skip, &kTruncatedLastLine},
    {State::lines, on(Symbol::long_line),      State::lines,   Recovery::skip, &kTrackingLimit},
    {State::lines, on(Symbol::nul),            State::stopped, Recovery::stop, &kNotText},
    {State::lines, on(Symbol::empty_file),     State::stopped, Recovery::stop, &kEmptyFile},
    {State::lines, on(Symbol::end_of_file),    State::stopped, Recovery::stop},
};
// clang-format on
inline constexpr Machine<State, Symbol> kMachine = make_machine(kEdges, State::lines, State::stopped);

// In the order of the specification.
inline constexpr RuleList kMachineRules = rules<&kEmptyFile, &kNotText, &kLineMalformed, &kBlankLine, &kNumberTooLarge,
                                                &kNoName, &kTruncatedLastLine, &kTrackingLimit>;

}  // namespace tracelint::perfmap
