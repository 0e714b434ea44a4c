// xray, section 5, rules 1 to 8: the file header.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kTruncatedHeader{
    .id = "xray/truncated-header",
    .severity = Severity::error,
    .statement = "the file holds a whole header of 32 bytes",
    .message = "the file ends inside its header, after {0} of its 32 bytes",
    .why = "no reader takes the file; llvm-xray complains about YAML, and its header reader runs over the end",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kUnsupportedVersion{
    .id = "xray/unsupported-version",
    .severity = Severity::error,
    .statement = "version is 1 to 5 in a flight data recorder file, 1 to 3 in a basic one",
    .message = "version is {0}, and {1} is the newest of its family",
    .why = "llvm-xray refuses the file, but fdr-dump prints it as if it were valid; nothing more is checked here",
    .spec = "3.1 Header Section",
    .since = "0.1.0"};

inline constexpr Rule kUnknownFileType{.id = "xray/unknown-file-type",
                                       .severity = Severity::error,
                                       .statement = "type is 0 (basic) or 1 (flight data recorder)",
                                       .message = "type is {0}, and 0 (basic) and 1 (flight data recorder) are known",
                                       .why = "llvm-xray refuses the file; nothing more is checked here",
                                       .spec = "3.1 Header Section",
                                       .since = "0.1.0"};

inline constexpr Rule kZeroCycleFrequency{.id = "xray/zero-cycle-frequency",
                                          .severity = Severity::warning,
                                          .statement = "cycle_frequency is that of the TSC",
                                          .message = "cycle_frequency is 0",
                                          .why = "llvm-xray divides by it: all times of a converted trace are INF",
                                          .spec = "3.1 Header Section",
                                          .since = "0.1.0"};

inline constexpr Rule kImplausibleCycleFrequency{
    .id = "xray/implausible-cycle-frequency",
    .severity = Severity::note,
    .statement = "cycle_frequency is that of a TSC, 1 MHz to 100 GHz",
    .message = "cycle_frequency is {0} Hz, and a TSC runs at 1000000 to 100000000000",
    .why = "all times that readers print are wrong by the same factor",
    .spec = "3.1 Header Section",
    .since = "0.1.0"};

inline constexpr Rule kHeaderReservedNonzero{
    .id = "xray/header-reserved-nonzero",
    .severity = Severity::note,
    .statement = "bits and bytes of the header that mean nothing are zero",
    .message = "header bytes that mean nothing are not zero",
    .why = "readers ignore them; basic files of real runtimes carry uninitialised memory here",
    .spec = "3.1 Header Section",
    .since = "0.1.0"};

inline constexpr Rule kEmptyTrace{
    .id = "xray/empty-trace",
    .severity = Severity::warning,
    .statement = "something follows the header",
    .message = "the file ends behind its header: nothing was recorded, or the log was never flushed",
    .why = "readers refuse the file; llvm-xray with a version number or a YAML error that has nothing to do with it",
    .spec = "3.1 Header Section; 3.6 Profile files",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kZeroBufferSize{
    .id = "xray/zero-buffer-size",
    .severity = Severity::error,
    .statement = "buffer_size holds a preamble and EndOfBuffer: 64 bytes at least",
    .message = "buffer_size is {0}, and the preamble and EndOfBuffer alone have 64 bytes",
    .why = "where the second buffer begins cannot be known: all of the file is taken for one",
    .spec = "3.1 Header Section",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "the version is 2 to 5",
                         .message = "buffer_size is {0}, and a preamble and a record do not fit in 64 bytes",
                         .why = "readers ignore the number; a runtime set up like this cannot record anything"}};

// In the order of the digest's table.
inline constexpr const Rule* kHeaderRules[] = {
    &kTruncatedHeader,           &kUnsupportedVersion,    &kUnknownFileType, &kZeroCycleFrequency,
    &kImplausibleCycleFrequency, &kHeaderReservedNonzero, &kEmptyTrace,      &kZeroBufferSize};

}  // namespace tracelint::xray
