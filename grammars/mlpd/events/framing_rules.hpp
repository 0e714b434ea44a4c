// mlpd, section 5: framing faults (4.2). Behind one, where the next event begins is not known, and the
// rest of the buffer is skipped.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

// What the milder form of every framing fault is for.
inline constexpr std::string_view kAfterAnError = "an event of the same buffer already has an error";
inline constexpr std::string_view kLikelyConsequence =
    "likely a consequence of the error before it in this buffer, of which the rest is skipped";

consteval Rule framing(std::string_view id, std::string_view statement, std::string_view message, std::string_view why,
                       std::string_view spec) {
    return {.id = id,
            .severity = Severity::error,
            .statement = statement,
            .message = message,
            .why = why,
            .spec = spec,
            .since = "0.1.0",
            .out_of_step = true,
            .of_file_size = true,
            .severity_override = SeverityOverride{
                .severity = Severity::warning, .when = kAfterAnError, .message = {}, .why = kLikelyConsequence}};
}

inline constexpr Rule kEventOverrunsBuffer =
    framing("mlpd/event-overruns-buffer", "the fields of an event lie inside its buffer",
            "the buffer ends inside this event, {0 byte|bytes} behind its start",
            "mprof-report reads on in memory behind the buffer, Mono.Profiler.Log fails at the end of the stream",
            "4.2 Buffer");

inline constexpr Rule kLebTruncated =
    framing("mlpd/leb128-truncated", "a LEB128 number ends inside its buffer",
            "the buffer ends before the last byte of this number; {0 byte|bytes} of it are there",
            "mprof-report reads on in memory behind the buffer, Mono.Profiler.Log fails at the end of the stream",
            "3.9 LEB128 numbers; 4.2 Buffer");

inline constexpr Rule kLebTooLong = framing(
    "mlpd/leb128-too-long", "a LEB128 number has at most 10 bytes", "the tenth byte of this number is not its last",
    "readers go on shifting beyond 64 bits, which gives any value at all", "3.9 LEB128 numbers");

inline constexpr Rule kLebOverflow =
    framing("mlpd/leb128-overflow", "a LEB128 number fits 64 bits", "this number needs more than 64 bits",
            "readers lose the bits that do not fit, and go on with another value", "3.9 LEB128 numbers");

inline constexpr Rule kUnknownEventType = framing(
    "mlpd/unknown-event-type", "the low four bits of an event's first byte are a type that exists",
    "the event byte is {0x}: there is no event type {1}",
    "mprof-report says 'unhandled profiler event' and prints no report at all, Mono.Profiler.Log loses the file",
    "3.6 Events");

inline constexpr Rule kUnknownEventSubtype =
    framing("mlpd/unknown-event-subtype", "the high four bits of an event's first byte are a subtype that exists",
            "the event byte is {0x}: event type {1} has no subtype {2}",
            "mprof-report never ends for heap and coverage events, Mono.Profiler.Log loses the file", "3.6 Events");

inline constexpr Rule kEventNotInVersion{
    .id = "mlpd/event-not-in-version",
    .severity = Severity::error,
    .statement = "the data version has the event",
    .message = "the event byte is {0x}: data version {1} has no such event, other versions do",
    .why = "readers of this version take the bytes for something else, or give up the file",
    .spec = "3.6 Events",
    .since = "0.1.0",
    .out_of_step = true,
    .of_file_size = true,
    .severity_override = SeverityOverride{
        .severity = Severity::warning,
        .when = "its layout is the same in every version, or the buffer already has an error",
        .message = "data version {1} does not have this event or kind (event byte {0x}), other versions do",
        .why = "readers take it as in the other versions; the writer mixes two of them, or the bytes are "
               "misread after the error before them"}};

inline constexpr Rule kUnknownMetadataType =
    framing("mlpd/unknown-metadata-type", "mtype is one that the data version has",
            "mtype is {0}, which data version {1} does not have",
            "mprof-report loses step without a word, Mono.Profiler.Log throws", "3.7 TYPE_METADATA (2)");

inline constexpr Rule kMetadataSubtypeMismatch =
    framing("mlpd/metadata-subtype-mismatch", "a metadata event is one that its kind of object has",
            "the event byte is {0x}: objects of mtype {1} have no such event in data version {2}",
            "readers take the bytes behind it for fields that are not there", "3.7 TYPE_METADATA (2)");

inline constexpr Rule kUnterminatedString =
    framing("mlpd/unterminated-string", "a string ends with a NUL inside its buffer",
            "no NUL follows in the {0 byte|bytes} up to the end of the buffer",
            "mprof-report reads on in memory behind the buffer, Mono.Profiler.Log fails at the end of the stream",
            "3.10 Strings");

inline constexpr Rule kCountExceedsBuffer =
    framing("mlpd/count-exceeds-buffer", "the elements of a list fit into what is left of the buffer",
            "a count of {0} needs at least {1} bytes each, and {2 byte|bytes} are left of the buffer",
            "readers loop and allocate by this number: mprof-report crashes or never ends, Mono.Profiler.Log runs out "
            "of memory",
            "3.11 Lists");

inline constexpr Rule kCounterTypeRange =
    framing("mlpd/counter-type-range", "the type of a counter is 0 to 7", "there is no counter type {0}",
            "mprof-report crashes, Mono.Profiler.Log throws; how long the value is cannot be known",
            "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations");

}  // namespace tracelint::mlpd
