// xray, section 5, rules 70 to 81: profiles.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kProfileTruncatedHeader{
    .id = "xray/profile-truncated-header",
    .severity = Severity::error,
    .statement = "a profile holds a whole header of 32 bytes",
    .message = "the file ends inside its header, after {0} of its 32 bytes",
    .why = "there is nothing to read; the writer was killed or the disk was full",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kProfileBadVersion{.id = "xray/profile-bad-version",
                                         .severity = Severity::error,
                                         .statement = "the version of a profile is 0x20180424",
                                         .message = "version is {0x}, and only 0x20180424 was ever written",
                                         .why = "the layout of the blocks is not known; nothing more is checked here",
                                         .spec = "3.6 Profile files",
                                         .since = "0.1.0"};

inline constexpr Rule kProfileBlockSize{.id = "xray/profile-block-size",
                                        .severity = Severity::error,
                                        .statement = "the size of a block counts its own header, and ends in the file",
                                        .message = "block_size {0} does not lead to the end of a block",
                                        .why = "the next block cannot be found: everything from here on is lost",
                                        .spec = "3.6 Profile files",
                                        .since = "0.1.0",
                                        .about_end = true};

inline constexpr Rule kProfileBlockNumber{.id = "xray/profile-block-number",
                                          .severity = Severity::warning,
                                          .statement = "blocks are numbered from 0 in the order of the file",
                                          .message = "block_number is {0}, and the block is number {1} of the file",
                                          .why = "blocks are missing, or several profiles were joined",
                                          .spec = "3.6 Profile files",
                                          .since = "0.1.0"};

inline constexpr Rule kProfileEmptyBlock{.id = "xray/profile-empty-block",
                                         .severity = Severity::error,
                                         .statement = "a block holds a path",
                                         .message = "the block ends behind its header",
                                         .why = "LLVM's profile loader refuses the whole file",
                                         .spec = "3.6 Profile files",
                                         .since = "0.1.0"};

inline constexpr Rule kProfileUnterminatedPath{
    .id = "xray/profile-unterminated-path",
    .severity = Severity::error,
    .statement = "a path ends with function id 0 inside its block",
    .message = "the path does not end: {0 byte is|bytes are} left in the block, and no function id there is 0",
    .why = "readers go on into the next block, whose header they take for function ids",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

inline constexpr Rule kProfileEmptyPath{
    .id = "xray/profile-empty-path",
    .severity = Severity::error,
    .statement = "a path has a function",
    .message = "the path has no function",
    .why = "no writer does this; most often bytes before it are missing or too many",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

inline constexpr Rule kProfileTruncatedData{
    .id = "xray/profile-truncated-data",
    .severity = Severity::error,
    .statement = "call_count and cumulative_local_time follow a path inside its block",
    .message = "the block ends {0 byte|bytes} behind the path, and its counters have 16",
    .why = "readers take the counters from the next block",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

inline constexpr Rule kProfileTrailingBytes{
    .id = "xray/profile-trailing-bytes",
    .severity = Severity::error,
    .statement = "the file ends with a block",
    .message = "{0 byte is|bytes are} left where a block is due, and its header has 16",
    .why = "the library that loads profiles refuses them; the file was cut, or the size of a block is wrong",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kProfileDuplicatePath{
    .id = "xray/profile-duplicate-path",
    .severity = Severity::note,
    .statement = "a path is in a block once",
    .message = "an earlier path of the block is the same",
    .why = "readers must add the two up; the runtime begins a new tree each time a thread has left all functions",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

inline constexpr Rule kProfileOrphanPath{
    .id = "xray/profile-orphan-path",
    .severity = Severity::note,
    .statement = "the caller of a path's leaf has a path of its own in the block",
    .message = "no path of the block is this one without its leaf",
    .why = "the time of the callers is not known; the writer emits every node of its tree of calls",
    .spec = "3.6 Profile files",
    .since = "0.1.0"};

inline constexpr Rule kProfileZeroCount{
    .id = "xray/profile-zero-count",
    .severity = Severity::warning,
    .statement = "a path was called",
    .message = "call_count is 0",
    .why = "readers that compute means divide by it; a path that was not called is not written",
    .spec = "3.6 Profile files",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "it was called, and its own time is 0",
                         .message = "cumulative_local_time is 0",
                         .why = "the function took less than the clock can tell, or the clock stood still"}};

// In the order of the digest's table.
inline constexpr const Rule* kProfileRules[] = {
    &kProfileTruncatedHeader, &kProfileBadVersion,       &kProfileBlockSize,  &kProfileBlockNumber,
    &kProfileEmptyBlock,      &kProfileUnterminatedPath, &kProfileEmptyPath,  &kProfileTruncatedData,
    &kProfileTrailingBytes,   &kProfileDuplicatePath,    &kProfileOrphanPath, &kProfileZeroCount};

}  // namespace tracelint::xray
