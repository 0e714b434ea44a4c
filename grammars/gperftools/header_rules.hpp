// gperftools, section 5.1: the header, and the text that may be wrapped around a profile.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::gperftools {

// Where several slots are wrong, how many bytes there are decides in which layout the header is read (section 2).

inline constexpr Rule kHeaderTruncated{
    .id = "gperftools/header-truncated",
    .severity = Severity::error,
    .statement = "the five slots of the header are present",
    .message = "the file ends after {0 byte|bytes} of the header, which has 40, or 20 in a 32-bit profile",
    .why =
        "Go pprof refuses the file as \"unrecognized profile format\", or as \"empty input file\"; google-pprof prints "
        "an empty report and exits with 0, or four warnings of perl for 0 bytes, and exits with 1. The writer keeps "
        "even the header in memory until its first flush",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kHeaderCountNonzero{
    .id = "gperftools/header-count-nonzero",
    .severity = Severity::error,
    .statement = "slot 0 of the header, the header count, is 0",
    .message = "header count is {0}, and it must be 0",
    .why =
        "both readers refuse the file: google-pprof as \"not a profile file\", Go pprof as \"unrecognized profile "
        "format\"",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kHeaderWordsTooSmall{
    .id = "gperftools/header-words-too-small",
    .severity = Severity::error,
    .statement = "slot 1 of the header, the number of header words after it, is 3 at least",
    .message = "header words is {0}, and every writer says 3",
    .why =
        "both readers refuse the file: google-pprof as \"not a profile file\", Go pprof as \"unrecognized profile "
        "format\"",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kHeaderExtraWords{
    .id = "gperftools/header-extra-words",
    .severity = Severity::error,
    .statement = "slot 1 of the header says 3: no words follow the five known ones",
    .message =
        "header words is {0}: the document allows for more than 3 and google-pprof skips them, but Go pprof "
        "wants exactly 3",
    .why =
        "Go pprof, the maintained reader, refuses the file as \"unrecognized profile format\"; no known writer has "
        "extra words",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kHeaderVersion{
    .id = "gperftools/header-version",
    .severity = Severity::error,
    .statement = "slot 2 of the header, the format version, is 0, or 1 in the Java dialect",
    .message = "format version is {0}, and 0 and 1 (the Java dialect) exist",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof does not look at the version",
    .spec = "3.1 Binary Header; 3.5 Dialects",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kJavaVariant{
    .id = "gperftools/java-variant",
    .severity = Severity::note,
    .statement = "slot 2 of the header, the format version, is 0",
    .message = "format version is 1: this is the Java dialect, with ids in the place of addresses",
    .why = "only Go pprof knows the dialect; google-pprof takes the ids for addresses",
    .spec = "3.1 Binary Header; 3.5 Dialects",
    .since = "0.1.0"};

inline constexpr Rule kPeriodZero{
    .id = "gperftools/period-zero",
    .severity = Severity::error,
    .statement = "slot 3 of the header, the sampling period in microseconds, is not 0",
    .message = "the sampling period is 0 microseconds",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof shows counts without times",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kPeriodTooLarge{
    .id = "gperftools/period-too-large",
    .severity = Severity::error,
    .statement = "the sampling period is 2^32 microseconds at most",
    .message = "the sampling period is {0} microseconds, more than an hour between two samples",
    .why =
        "google-pprof refuses the file as \"not a profile file\"; Go pprof multiplies by 1000 and overflows above "
        "2^63/1000: its times are wrong without a word",
    .spec = "3.1 Binary Header",
    .since = "0.1.0"};

inline constexpr Rule kPeriodImplausible{
    .id = "gperftools/period-implausible",
    .severity = Severity::warning,
    .statement = "the sampling period is a second at most",
    .message = "the sampling period is {0} microseconds: less than one sample a second",
    .why = "no writer can be set to that; readers multiply every count by it, so that all times are far too long",
    .spec = "3.1 Binary Header",
    .since = "0.1.0"};

inline constexpr Rule kHeaderPaddingNonzero{
    .id = "gperftools/header-padding-nonzero",
    .severity = Severity::error,
    .statement = "slot 4 of the header, padding, is 0",
    .message = "the padding of the header is {0}, and it must be 0",
    .why = "Go pprof refuses the file as \"unrecognized profile format\"; google-pprof does not look at it",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kSymbolizedWrapper{
    .id = "gperftools/symbolized-wrapper",
    .severity = Severity::note,
    .statement = "the file begins with the header of the profile",
    .message = "{0} bytes of symbols stand before the profile, as google-pprof --raw writes them",
    .why = "google-pprof reads it if it is given no program; Go pprof refuses it as \"unrecognized profile format\"",
    .spec = "3.6 Text wrapper",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kWrapperIncomplete{
    .id = "gperftools/wrapper-incomplete",
    .severity = Severity::error,
    .statement = "symbols that stand before a profile end in a line `--- profile`",
    .message = "the symbols ({0} bytes) do not end in a line `--- profile`: there is no profile behind them",
    .why = "google-pprof gives up with an error; the program that wrote the file was stopped, or its disk was full",
    .spec = "3.6 Text wrapper",
    .since = "0.1.0",
    .about_end = true};

// In the order of the digest's table.
inline constexpr const Rule* kHeaderRules[] = {
    &kHeaderTruncated,   &kHeaderCountNonzero,   &kHeaderWordsTooSmall, &kHeaderExtraWords,
    &kHeaderVersion,     &kJavaVariant,          &kPeriodZero,          &kPeriodTooLarge,
    &kPeriodImplausible, &kHeaderPaddingNonzero, &kSymbolizedWrapper,   &kWrapperIncomplete,
};

}  // namespace tracelint::gperftools
