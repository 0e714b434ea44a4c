// mlpd, section 5: what holds for every number, time, pointer, string and backtrace.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kLebNonCanonical{
    .id = "mlpd/leb128-non-canonical",
    .severity = Severity::warning,
    .statement = "LEB128 numbers are as short as they can be",
    .message = "the last of the {0} bytes of this number adds nothing to it",
    .why = "readers accept it, but no runtime writes it: the bytes may be misread or come from another writer",
    .spec = "3.9 LEB128 numbers",
    .since = "0.1.0"};

inline constexpr Rule kPointerWidthOverflow{
    .id = "mlpd/pointer-width-overflow",
    .severity = Severity::warning,
    .statement = "with pointers of 4 bytes every distance is a signed number of 32 bits",
    .message = "a distance of {0d} does not fit 32 bits, and ptrsize is 4",
    .why = "readers cut the pointer to 32 bits or not, and then disagree about it",
    .spec = "3.4 Decoder state of a buffer",
    .since = "0.1.0"};

inline constexpr Rule kTimeDeltaWraps{
    .id = "mlpd/time-delta-wraps",
    .severity = Severity::warning,
    .statement = "the time of an event is not before that of the event in front of it",
    .message = "the time goes back: {0d} ns from the event before it",
    .why = "durations come out as nearly 2^64 ns; only JIT, SAMPLE_HIT and SAMPLE_COUNTERS carry earlier times",
    .spec = "3.4 Decoder state of a buffer",
    .since = "0.1.0"};

inline constexpr Rule kTimeOverflow{.id = "mlpd/time-overflow",
                                    .severity = Severity::warning,
                                    .statement = "times stay below 2^63",
                                    .message = "{0} ns after {1} the time passes 2^63",
                                    .why = "readers that keep times as signed numbers see it jump far back",
                                    .spec = "3.4 Decoder state of a buffer",
                                    .since = "0.1.0"};

inline constexpr Rule kMetadataFlagsNonzero{.id = "mlpd/metadata-flags-nonzero",
                                            .severity = Severity::error,
                                            .statement = "flags of metadata are 0 (up to data version 12)",
                                            .message = "flags is {0}, and none is defined",
                                            .why = "the readers of that time give up the file here",
                                            .spec = "3.7 TYPE_METADATA (2)",
                                            .since = "0.1.0"};

inline constexpr Rule kBacktraceFlagsNonzero{.id = "mlpd/backtrace-flags-nonzero",
                                             .severity = Severity::error,
                                             .statement = "flags of backtraces are 0 (up to data version 12)",
                                             .message = "flags is {0}, and none is defined",
                                             .why = "a reader that knew a meaning would read the frames differently",
                                             .spec = "3.5 Backtraces",
                                             .since = "0.1.0"};

inline constexpr Rule kInvalidUtf8{
    .id = "mlpd/invalid-utf8",
    .severity = Severity::warning,
    .statement = "strings are UTF-8",
    .message = "byte {0} of the string begins no UTF-8 sequence",
    .why = "readers show replacement characters in its place, or keep the bytes in a report that is then no UTF-8",
    .spec = "3.10 Strings",
    .since = "0.1.0"};

inline constexpr Rule kEmptyName{.id = "mlpd/empty-name",
                                 .severity = Severity::note,
                                 .statement = "classes, images, assemblies and methods have a name",
                                 .message = "the name is empty",
                                 .why = "reports show a blank where the name should be",
                                 .spec = "3.7 TYPE_METADATA (2); 3.6.3 TYPE_METHOD (3)",
                                 .since = "0.1.0"};

inline constexpr Rule kOddMoveCount{.id = "mlpd/odd-move-count",
                                    .severity = Severity::error,
                                    .statement = "GC_MOVE counts old and new places, so its count is even",
                                    .message = "count is {0}, and objects come in pairs of old and new place",
                                    .why = "mprof-report reads one object too many and loses step without a word",
                                    .spec = "3.6.2 TYPE_GC (1)",
                                    .since = "0.1.0"};

inline constexpr Rule kBacktraceTooDeep{.id = "mlpd/backtrace-too-deep",
                                        .severity = Severity::note,
                                        .statement = "a backtrace has at most 32 frames",
                                        .message = "the backtrace has {0} frames, and no runtime records more than 32",
                                        .why = "readers take any number; another writer made it, or the count is wrong",
                                        .spec = "3.5 Backtraces",
                                        .since = "0.1.0"};

}  // namespace tracelint::mlpd
