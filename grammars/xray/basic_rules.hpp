// xray, section 5, rules 50 to 61: the records of basic mode.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kBasicTruncatedRecord{
    .id = "xray/basic-truncated-record",
    .severity = Severity::error,
    .statement = "the last record of a basic file is whole",
    .message = "{0 byte is|bytes are} left at the end, and a record has 32",
    .why = "llvm-xray refuses the whole file, and blames a version number that is not in it",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kBasicUnknownRecordType{
    .id = "xray/basic-unknown-record-type",
    .severity = Severity::error,
    .statement = "the type of a basic record is 0 (function) or 1 (argument)",
    .message = "record type {0} does not exist",
    .why = "llvm-xray refuses the whole file; most often bytes before it are missing or too many",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicUnknownAction{
    .id = "xray/basic-unknown-action",
    .severity = Severity::error,
    .statement = "the action of a basic record is 0 to 3",
    .message = "action {0} does not exist",
    .why = "llvm-xray refuses the whole file; most often bytes before it are missing or too many",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicArgWithoutEntry{.id = "xray/basic-arg-without-entry",
                                            .severity = Severity::error,
                                            .statement = "an argument stands behind the entry of its function",
                                            .message = "an argument stands before all function records",
                                            .why = "llvm-xray 14 crashes, newer ones refuse the whole file",
                                            .spec = "3.5 Basic mode",
                                            .since = "0.1.0"};

inline constexpr Rule kBasicArgMismatch{
    .id = "xray/basic-arg-mismatch",
    .severity = Severity::error,
    .statement = "an argument has the function, thread and process of the function record before it",
    .message = "this field of the argument is {0}, and {1} in the function record before it",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicArgAfterExit{.id = "xray/basic-arg-after-exit",
                                         .severity = Severity::warning,
                                         .statement = "the function record before an argument is an entry",
                                         .message = "an argument follows the exit of its function",
                                         .why = "llvm-xray shows the exit with an argument, and says nothing",
                                         .spec = "3.5 Basic mode",
                                         .since = "0.1.0"};

inline constexpr Rule kBasicEntryArgsWithoutPayload{
    .id = "xray/basic-entry-args-without-payload",
    .severity = Severity::note,
    .statement = "an argument follows each entry with arguments (action 3)",
    .message = "no argument follows this entry with arguments",
    .why = "readers accept it; the runtime writes the argument right behind the entry",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

inline constexpr Rule kBasicTailExitInV1{.id = "xray/basic-tail-exit-in-v1",
                                         .severity = Severity::warning,
                                         .statement = "tail exits (action 2) came with version 2",
                                         .message = "a tail exit, and the file has version 1",
                                         .why = "the version or the action is wrong; it counts as an exit here",
                                         .spec = "3.5 Basic mode",
                                         .since = "0.1.0"};

inline constexpr Rule kBasicFunctionId{
    .id = "xray/basic-function-id",
    .severity = Severity::warning,
    .statement = "function ids are counted from 1",
    .message = "function_id is {0d}, and ids are counted from 1",
    .why = "no function of the instrumentation map has this id: readers show a number instead of a name",
    .spec = "3.5 Basic mode",
    .since = "0.1.0"};

inline constexpr Rule kBasicTscBackwards{
    .id = "xray/basic-tsc-backwards",
    .severity = Severity::warning,
    .statement = "the TSC of a thread does not go back",
    .message = "tsc {0} is {1} below that of the thread's record before it",
    .why = "durations become negative: llvm-xray account stops here",
    .spec = "3.5 Basic mode",
    .since = "0.1.0",
    .severity_override = SeverityOverride{
        .severity = Severity::note,
        .when = "the thread came to another CPU",
        .message = "tsc {0} is {1} below that of the thread's record before it, which is of another CPU",
        .why = "the counters of the CPUs differ; durations across the change are wrong"}};

inline constexpr Rule kBasicPaddingNonzero{.id = "xray/basic-padding-nonzero",
                                           .severity = Severity::note,
                                           .statement = "the last eight bytes of a basic record are zero",
                                           .message = "the padding of the record is not zero",
                                           .why = "readers ignore it; real writers leave it zero",
                                           .spec = "3.5 Basic mode",
                                           .since = "0.1.0"};

inline constexpr Rule kBasicExitMismatch{
    .id = "xray/basic-exit-mismatch",
    .severity = Severity::note,
    .statement = "a thread leaves the function that it entered last",
    .message = "the thread leaves function {0}, and is in another one",
    .why = "legal after exceptions; readers that do not expect it lose the calls in between",
    .spec = "4.4 Function Record Order; 3.5 Basic mode",
    .since = "0.1.0"};

// In the order of the digest's table.
inline constexpr const Rule* kBasicRules[] = {
    &kBasicTruncatedRecord, &kBasicUnknownRecordType, &kBasicUnknownAction,           &kBasicArgWithoutEntry,
    &kBasicArgMismatch,     &kBasicArgAfterExit,      &kBasicEntryArgsWithoutPayload, &kBasicTailExitInV1,
    &kBasicFunctionId,      &kBasicTscBackwards,      &kBasicPaddingNonzero,          &kBasicExitMismatch};

}  // namespace tracelint::xray
