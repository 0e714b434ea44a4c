// nettrace, section 3.1: rules about the versions of a file and of its objects.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint::nettrace {

inline constexpr Rule kUnsupportedVersion{
    .id = "nettrace/unsupported-version",
    .severity = Severity::error,
    .statement = "the version is one of 1 to 6",
    .message = "version {0d} is not supported; known are netperf 1 to 3, nettrace 4, 5 (written as 4) and 6",
    .why = "readers refuse the file",
    .spec = "1. Sources and versions; 3.1 Objects; 3.2 Blocks of version 6",
    .since = "0.2.0",
};

inline constexpr Rule kLegacyVersion{
    .id = "nettrace/legacy-version",
    .severity = Severity::note,
    .statement = "the version is 3 or later",
    .message = "version {0}, which .NET Core 2.0 wrote",
    .why = "TraceEvent refuses it since 2025",
    .spec = "1. Sources and versions",
    .since = "0.2.0",
};

inline constexpr Rule kObjectVersion{
    .id = "nettrace/object-version",
    .severity = Severity::error,
    .statement = "the version of a block is 2 in nettrace files and 1 in netperf files",
    .message = "the block has version {0d}, expected {1}",
    .why = "readers refuse the file here",
    .spec = "3.1 Objects",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "the version is at most 2",
                                          .message = {},
                                          .why = "no reader looks at it"},
};

inline constexpr Rule kMinReaderVersion{
    .id = "nettrace/min-reader-version",
    .severity = Severity::error,
    .statement =
        "the least version of a reader is 4 for the Trace and 2 for blocks in nettrace files, 0 in netperf files",
    .message = "the object needs a reader of version {0d}, expected {1}",
    .why = "some readers refuse the file, others skip the block",
    .spec = "3.1 Objects",
    .since = "0.2.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "the version is at most 4",
                                          .message = {},
                                          .why = "no reader looks at it"},
};

}  // namespace tracelint::nettrace
