// mlpd, section 5, rules 1 to 13: the file header.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kTruncatedHeader{
    .id = "mlpd/truncated-header",
    .severity = Severity::error,
    .statement = "the fixed part of the header and the length of each of its strings are there",
    .message = "the file ends inside its header: {0 byte|bytes} of this field are there",
    .why = "mprof-report calls it no profiler data file, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.1 File header",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kBadMagic{.id = "mlpd/bad-magic",
                                .severity = Severity::error,
                                .statement = "id is 0x4D505A01, the bytes 01 5A 50 4D",
                                .message = "id is {0x}, and a profile begins with 0x4d505a01",
                                .why = "every reader refuses the file; nothing more is checked here",
                                .spec = "3.1 File header",
                                .since = "0.1.0"};

inline constexpr Rule kUnsupportedDataVersion{
    .id = "mlpd/unsupported-data-version",
    .severity = Severity::error,
    .statement = "format, the data version, is 1 to 17",
    .message = "the data version is {0}, and 1 to 17 are known",
    .why =
        "mprof-report refuses versions above 17, Mono.Profiler.Log those below 13 too; the layout of the events is "
        "not known, so nothing more is checked here",
    .spec = "3.1 File header",
    .since = "0.1.0"};

inline constexpr Rule kUnknownMajorVersion{
    .id = "mlpd/unknown-major-version",
    .severity = Severity::warning,
    .statement = "major is 0 to 3",
    .message = "major is {0}, and 3 is the newest that any runtime wrote; the header is read with its layout",
    .why = "major decides the layout of the header: where it is wrong, readers take the rest from wrong places",
    .spec = "3.1 File header",
    .since = "0.1.0"};

inline constexpr Rule kVersionPairUnusual{
    .id = "mlpd/version-pair-unusual",
    .severity = Severity::note,
    .statement = "major and minor are those of a profiler that wrote this data version",
    .message = "profiler {0}.{1} is not known to have written data version {2}",
    .why = "it may come from a development build or a fork, whose events can have another layout under the same number",
    .spec = "3.2 Data versions and releases",
    .since = "0.1.0"};

inline constexpr Rule kBadPointerSize{
    .id = "mlpd/bad-pointer-size",
    .severity = Severity::error,
    .statement = "ptrsize is 4 or 8",
    .message = "ptrsize is {0}, and pointers have 4 or 8 bytes; 8 is assumed",
    .why = "readers cut pointers to this size, so that addresses no longer match each other",
    .spec = "3.1 File header",
    .since = "0.1.0"};

inline constexpr Rule kHeaderFlagsNonzero{
    .id = "mlpd/header-flags-nonzero",
    .severity = Severity::error,
    .statement = "flags is 0",
    .message = "flags is {0x}, and none is defined",
    .why = "mprof-report refuses the file as no profiler data or of an unsupported version",
    .spec = "3.1 File header",
    .since = "0.1.0"};

inline constexpr Rule kHeaderStringOverrunsFile{
    .id = "mlpd/header-string-overruns-file",
    .severity = Severity::error,
    .statement = "the length of a header string is not negative, and the file holds as many bytes",
    .message = "the length is {0d}, and the file does not hold as many bytes",
    .why =
        "readers allocate by this number: Mono.Profiler.Log runs out of memory; where the buffers begin is not known",
    .spec = "3.1 File header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kHeaderStringNotTerminated{
    .id = "mlpd/header-string-not-terminated",
    .severity = Severity::error,
    .statement = "a header string ends with a NUL, which its length counts",
    .message = "no NUL ends the {0 byte|bytes} of this string",
    .why = "mprof-report copies on to the next NUL it happens to meet; the length itself may be what is wrong",
    .spec = "3.1 File header",
    .since = "0.1.0"};

inline constexpr Rule kHeaderStringEmbeddedNul{.id = "mlpd/header-string-embedded-nul",
                                               .severity = Severity::warning,
                                               .statement = "a header string has no NUL but its last byte",
                                               .message = "a NUL stands at byte {0} of a string of {1}",
                                               .why = "C readers show the string only up to here",
                                               .spec = "3.1 File header",
                                               .since = "0.1.0"};

inline constexpr Rule kHeaderStringUtf8{.id = "mlpd/header-string-utf8",
                                        .severity = Severity::warning,
                                        .statement = "header strings are UTF-8",
                                        .message = "byte {0} of the string begins no UTF-8 sequence",
                                        .why = "Mono.Profiler.Log puts replacement characters in its place",
                                        .spec = "3.1 File header",
                                        .since = "0.1.0"};

inline constexpr Rule kSysidNonzero{.id = "mlpd/sysid-nonzero",
                                    .severity = Severity::note,
                                    .statement = "sysid is 0",
                                    .message = "sysid is {0}, and no runtime ever filled it",
                                    .why = "readers show it, if at all, as the id of a system that does not exist",
                                    .spec = "3.1 File header",
                                    .since = "0.1.0"};

inline constexpr Rule kImplausibleStartupTime{
    .id = "mlpd/implausible-startup-time",
    .severity = Severity::note,
    .statement = "startup_time is 0 or milliseconds of the years 2010 to 2100",
    .message = "startup_time is {0} ms since 1970, outside the years 2010 to 2100",
    .why = "readers date the run wrongly; seconds or nanoseconds were written for milliseconds, or no time at all",
    .spec = "3.1 File header",
    .since = "0.1.0"};

// In the order of the digest's table.
inline constexpr const Rule* kHeaderRules[] = {&kTruncatedHeader,           &kBadMagic,
                                               &kUnsupportedDataVersion,    &kUnknownMajorVersion,
                                               &kVersionPairUnusual,        &kBadPointerSize,
                                               &kHeaderFlagsNonzero,        &kHeaderStringOverrunsFile,
                                               &kHeaderStringNotTerminated, &kHeaderStringEmbeddedNul,
                                               &kHeaderStringUtf8,          &kSysidNonzero,
                                               &kImplausibleStartupTime};

}  // namespace tracelint::mlpd
