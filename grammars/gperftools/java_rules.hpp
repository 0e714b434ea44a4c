// gperftools, section 5.3: the locations of the Java dialect.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::gperftools {

inline constexpr Rule kJavaLocationMissing{.id = "gperftools/java-location-missing",
                                           .severity = Severity::note,
                                           .statement = "every id of a call chain has a location line",
                                           .message = "no location line has the id {1x} ({0 id|ids} of this profile)",
                                           .why = "frames with this id have no name",
                                           .spec = "3.5 Dialects",
                                           .since = "0.1.0",
                                           .decided_later = true};

inline constexpr Rule kJavaLocationOverflow{.id = "gperftools/java-location-overflow",
                                            .severity = Severity::error,
                                            .statement = "the id of a location line is below 2^64",
                                            .message = "the id has {0} digits, and its value does not fit into 64 bits",
                                            .why = "Go pprof refuses the whole file; google-pprof ignores the line",
                                            .spec = "3.5 Dialects",
                                            .since = "0.1.0"};

inline constexpr Rule kJavaLocationDuplicate{
    .id = "gperftools/java-location-duplicate",
    .severity = Severity::note,
    .statement = "an id has one location line",
    .message = "another line has the id {1x} before ({0 line|lines} of this profile)",
    .why = "Go pprof uses the last of them",
    .spec = "3.5 Dialects",
    .since = "0.1.0"};

inline constexpr Rule kJavaMapLine{
    .id = "gperftools/java-map-line",
    .severity = Severity::warning,
    .statement = "a profile of the Java dialect lists no mapped objects",
    .message = "a mapping line in a profile of format version 1 ({0 line|lines} of this profile)",
    .why =
        "by its version this is a Java profile, but it looks like one of C or C++ whose version was damaged: Go "
        "pprof takes its PCs for ids, and loses every mapping and every symbol without a word",
    .spec = "3.5 Dialects",
    .since = "0.1.0"};

// In the order of the digest's table.
inline constexpr const Rule* kJavaRules[] = {
    &kJavaLocationMissing,
    &kJavaLocationOverflow,
    &kJavaLocationDuplicate,
    &kJavaMapLine,
};

}  // namespace tracelint::gperftools
