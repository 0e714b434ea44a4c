// xray, section 5, rules 27, 32 to 38, 45 to 47, 49, 65, 66: the fields of the records of a buffer.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kFunctionIdZero{.id = "xray/function-id-zero",
                                      .severity = Severity::warning,
                                      .statement = "function ids are counted from 1",
                                      .message = "function_id is 0, and ids are counted from 1",
                                      .why = "no function has it; most often zero padding is read as records",
                                      .spec = "3.3 Function Records",
                                      .since = "0.1.0"};

inline constexpr Rule kTscBackwards{
    .id = "xray/tsc-backwards",
    .severity = Severity::warning,
    .statement = "the TSC of a thread does not go back",
    .message = "tsc is {0}, {1} below that of the record before",
    .why = "llvm-xray account refuses the records from here on; a CPU's counter is out of step with another's",
    .spec = "3.4.3 NewCpuId Records; 3.4.4 TSCWrap Records",
    .since = "0.1.0",
    .severity_override = SeverityOverride{
        .severity = Severity::note,
        .when = "a TSCWrap says so, or constant_tsc is 0",
        .message = "tsc is {0}, {1} below that of the record before",
        .why = "the writer says that it may happen; llvm-xray account refuses the records from here on"}};

inline constexpr Rule kTscOverflow{.id = "xray/tsc-overflow",
                                   .severity = Severity::warning,
                                   .statement = "the TSC stays below 2^64",
                                   .message = "a delta of {0} takes the TSC from {1} beyond 2^64 - 1",
                                   .why = "readers go on near 0: the records seem to be the oldest of all",
                                   .spec = "3.3 Function Records",
                                   .since = "0.1.0"};

inline constexpr Rule kNegativeEventDelta{
    .id = "xray/negative-event-delta",
    .severity = Severity::warning,
    .statement = "in version 5, the delta of an event is not negative",
    .message = "the event's delta is {0d}, and a v5 writer writes a TSCWrap instead",
    .why = "the runtime writes a TSCWrap instead; readers go back in time",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0"};

inline constexpr Rule kLargeDelta{.id = "xray/large-delta",
                                  .severity = Severity::note,
                                  .statement = "in version 5, a delta above 2^31 - 1 is replaced by a TSCWrap",
                                  .message = "tsc_delta is {0}, above 2^31 - 1",
                                  .why = "readers accept it; the runtime of version 5 never writes it",
                                  .spec = "3.3 Function Records",
                                  .since = "0.1.0"};

inline constexpr Rule kWallclockMicrosRange{
    .id = "xray/wallclock-micros-range",
    .severity = Severity::warning,
    .statement = "a wall clock has no negative seconds, and 0 to 999999 microseconds",
    .message = "the wall clock has {0d} here: seconds are not negative, microseconds lie between 0 and 999999",
    .why = "readers sort the buffers of a thread by this time",
    .spec = "3.4.5 WallClockTime Records",
    .since = "0.1.0"};

inline constexpr Rule kThreadIdNonpositive{.id = "xray/thread-id-nonpositive",
                                           .severity = Severity::warning,
                                           .statement = "thread ids are positive",
                                           .message = "thread_id is {0d}, and ids are positive",
                                           .why = "no system gives such an id to a thread",
                                           .spec = "3.4.1 NewBuffer Records",
                                           .since = "0.1.0"};

inline constexpr Rule kPidNonpositive{.id = "xray/pid-nonpositive",
                                      .severity = Severity::warning,
                                      .statement = "process ids are positive",
                                      .message = "pid is {0d}, and ids are positive",
                                      .why = "no system gives such an id to a process",
                                      .spec = "3.4.10 Pid Records",
                                      .since = "0.1.0"};

inline constexpr Rule kPidInconsistent{.id = "xray/pid-inconsistent",
                                       .severity = Severity::note,
                                       .statement = "all buffers of a file are of one process",
                                       .message = "pid is {0}, and the first one of the file is {1}",
                                       .why = "legal after a fork; threads of both processes are shown together",
                                       .spec = "3.4.10 Pid Records",
                                       .since = "0.1.0"};

inline constexpr Rule kReservedNonzero{
    .id = "xray/reserved-nonzero",
    .severity = Severity::note,
    .statement = "reserved bytes of metadata records are zero",
    .message = "a reserved byte is {0x}; others are not looked at",
    .why = "readers ignore them, but stale memory of the program ends up in the file",
    .spec = "3.4 Metadata Records",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kTypedEventExtentsSuspect{
    .id = "xray/typed-event-extents-suspect",
    .severity = Severity::note,
    .statement = "in version 5, the count of a buffer with typed events is right",
    .message = "the buffer holds typed events, and the runtime of version 5 counts 16 bytes too few for each",
    .why = "the last records of the buffer may be missing from the file",
    .spec = "3.4.9 TypedEvent Records; 6. Ambiguities and decisions",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kTypedEventOldLayout{
    .id = "xray/typed-event-old-layout",
    .severity = Severity::note,
    .statement = "typed events are in files of version 5",
    .message = "this is a typed event of version 3 or 4, with an absolute TSC",
    .why = "LLVM 8 and later read the layout of version 5: type and times are wrong; LLVM 7 refuses the file",
    .spec = "3.4.9 TypedEvent Records; 6. Ambiguities and decisions",
    .since = "0.1.0"};

inline constexpr Rule kCpuIdUnchanged{.id = "xray/cpu-id-unchanged",
                                      .severity = Severity::note,
                                      .statement = "NewCPUId begins a buffer, or names another CPU than before",
                                      .message = "the thread is on CPU {0} already",
                                      .why = "harmless; the runtime writes it on a change of CPU only",
                                      .spec = "3.4.3 NewCpuId Records",
                                      .since = "0.1.0"};

inline constexpr Rule kTscWrapUnneeded{.id = "xray/tsc-wrap-unneeded",
                                       .severity = Severity::note,
                                       .statement = "TSCWrap stands where a delta would not fit",
                                       .message = "tsc is only {0} above that of the record before: a delta holds that",
                                       .why = "harmless; the runtime writes it only where a delta does not fit",
                                       .spec = "3.4.4 TSCWrap Records",
                                       .since = "0.1.0"};

inline constexpr Rule kEventTscBackwards{.id = "xray/event-tsc-backwards",
                                         .severity = Severity::note,
                                         .statement = "the TSC of an event is not below that of the record before",
                                         .message = "the event's tsc is {0}, {1} below that of the record before",
                                         .why = "readers show the event before the functions around it",
                                         .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
                                         .since = "0.1.0"};

}  // namespace tracelint::xray
