// mlpd, section 5: what single fields of events may hold, beyond what holds for all of their kind.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kGcEventRange{.id = "mlpd/gc-event-range",
                                    .severity = Severity::warning,
                                    .statement = "event is a step of a collection that the data version has",
                                    .message = "there is no GC event {0} in this data version",
                                    .why = "readers skip the step or show it under a wrong name",
                                    .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
                                    .since = "0.1.0"};

inline constexpr Rule kGcGenerationRange{
    .id = "mlpd/gc-generation-range",
    .severity = Severity::error,
    .statement = "generation is 0 or 1",
    .message = "generation is {0}, and collections are of generation 0 or 1",
    .why = "mprof-report says 'incorrect gc gen' and drops the event",
    .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "it is 2",
                         .message = {},
                         .why = "mprof-report has a place for it, but no collector of Mono uses a third generation"}};

inline constexpr Rule kGcHandleTypeRange{.id = "mlpd/gc-handle-type-range",
                                         .severity = Severity::error,
                                         .statement = "the type of a GC handle is 0 to 3",
                                         .message = "there is no GC handle type {0}",
                                         .why = "mprof-report stops reading the file here without a word",
                                         .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
                                         .since = "0.1.0"};

inline constexpr Rule kExceptionClauseTypeRange{
    .id = "mlpd/exception-clause-type-range",
    .severity = Severity::error,
    .statement = "the type of a clause is 0 (catch), 1 (filter), 2 (finally) or 4 (fault)",
    .message = "there is no clause type {0}",
    .why = "mprof-report counts it outside of its table, over other data",
    .spec = "3.6.4 TYPE_EXCEPTION (4); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "it is 3",
                                          .message = "clause type 3 has no meaning",
                                          .why = "readers count it without a name"}};

inline constexpr Rule kMonitorEventRange{.id = "mlpd/monitor-event-range",
                                         .severity = Severity::warning,
                                         .statement = "the event of a monitor is 1 (contention), 2 (done) or 3 (fail)",
                                         .message = "there is no monitor event {0}",
                                         .why = "readers show it as invalid, and waiting times come out wrong",
                                         .spec = "3.6.5 TYPE_MONITOR (5); 3.8 Enumerations",
                                         .since = "0.1.0"};

inline constexpr Rule kSyncPointTypeRange{.id = "mlpd/sync-point-type-range",
                                          .severity = Severity::warning,
                                          .statement = "the type of a synchronisation point is 0 to 2",
                                          .message = "there is no synchronisation point of type {0}",
                                          .why = "readers know no meaning for it",
                                          .spec = "3.6.10 TYPE_META (10); 3.8 Enumerations",
                                          .since = "0.1.0"};

inline constexpr Rule kRootSourceRange{.id = "mlpd/root-source-range",
                                       .severity = Severity::note,
                                       .statement = "the source of a root is 0 to 16",
                                       .message = "there is no root source {0}",
                                       .why = "readers show it without a name; the list grew with time",
                                       .spec = "3.6.6 TYPE_HEAP (6); 3.8 Enumerations",
                                       .since = "0.1.0"};

inline constexpr Rule kJitHelperTypeRange{
    .id = "mlpd/jit-helper-type-range",
    .severity = Severity::warning,
    .statement = "the type of a JIT helper is one that the data version has",
    .message = "there is no JIT helper type {0} in this data version",
    .why = "readers show the code under a wrong name, or expect a name that is not there",
    .spec = "3.6.8 TYPE_RUNTIME (8); 3.8 Enumerations",
    .since = "0.1.0"};

inline constexpr Rule kHeapGenerationRange{
    .id = "mlpd/heap-generation-range",
    .severity = Severity::warning,
    .statement = "the generation of an object is 0 or 1",
    .message = "generation is {0}, and objects are of generation 0 or 1",
    .why = "readers count the object in a generation that does not exist",
    .spec = "3.6.6 TYPE_HEAP (6); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override = SeverityOverride{.severity = Severity::note,
                                          .when = "it is 2",
                                          .message = {},
                                          .why = "no collector of Mono uses a third generation"}};

inline constexpr Rule kSampleTypeRange{.id = "mlpd/sample-type-range",
                                       .severity = Severity::warning,
                                       .statement = "the type of a sample is 1 to 6",
                                       .message = "there is no sample type {0}",
                                       .why = "readers show what was sampled under a wrong name",
                                       .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
                                       .since = "0.1.0"};

inline constexpr Rule kCounterSectionRange{
    .id = "mlpd/counter-section-range",
    .severity = Severity::warning,
    .statement = "the section of a counter is one that the data version has",
    .message = "there is no counter section {0x} in this data version",
    .why = "readers show the counter without a section; where 0x8000 was meant, they miss the name of the section",
    .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
    .since = "0.1.0"};

inline constexpr Rule kCounterUnitVariance{.id = "mlpd/counter-unit-variance",
                                           .severity = Severity::warning,
                                           .statement = "unit and variance of a counter are ones that exist",
                                           .message = "{0x} is no unit or variance of counters",
                                           .why = "readers show the values in a wrong unit",
                                           .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
                                           .since = "0.1.0"};

inline constexpr Rule kCounterStringFlag{
    .id = "mlpd/counter-string-flag",
    .severity = Severity::warning,
    .statement = "the flag before a string is 0 (none) or 1",
    .message = "the flag is {0}, and 0 or 1 says whether a string follows; one is assumed",
    .why = "mprof-report and Mono.Profiler.Log differ on other values: one of them loses step",
    .spec = "3.6.7 TYPE_SAMPLE (7)",
    .since = "0.1.0"};

inline constexpr Rule kHeapRefOffsetRange{
    .id = "mlpd/heap-ref-offset-range",
    .severity = Severity::warning,
    .statement = "references of an object lie inside of it",
    .message = "the reference lies {0} bytes behind the start of an object of {1}",
    .why = "readers that name the field of a reference find none; size or offsets are wrong",
    .spec = "3.6.6 TYPE_HEAP (6)",
    .since = "0.1.0"};

inline constexpr Rule kObjectSizeUnaligned{
    .id = "mlpd/object-size-unaligned",
    .severity = Severity::note,
    .statement = "sizes of objects are multiples of 8, those of allocations above 0 (data version 17)",
    .message = "size is {0}, and the runtime rounds sizes up to multiples of 8",
    .why = "sums of allocated bytes differ a little from what the heap really used; another writer made it",
    .spec = "3.6.1 TYPE_ALLOC (0); 3.6.6 TYPE_HEAP (6)",
    .since = "0.1.0"};

inline constexpr Rule kNullObject{
    .id = "mlpd/null-object",
    .severity = Severity::warning,
    .statement = "an object is not null",
    .message = "the object is null",
    .why = "readers take the address 0 for an object and count all such events as those of one",
    .spec = "3.12 Null pointers",
    .since = "0.1.0"};

inline constexpr Rule kRootCountZero{.id = "mlpd/root-count-zero",
                                     .severity = Severity::note,
                                     .statement = "HEAP_ROOT lists at least one root",
                                     .message = "the event lists no root",
                                     .why = "harmless to readers, but the runtime writes no such event",
                                     .spec = "3.6.6 TYPE_HEAP (6)",
                                     .since = "0.1.0"};

inline constexpr Rule kNullMethod{
    .id = "mlpd/null-method",
    .severity = Severity::warning,
    .statement = "a method is not null",
    .message = "the method is null",
    .why = "readers show an unknown method, and all such calls as those of one",
    .spec = "3.12 Null pointers",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "it is a frame of SAMPLE_HIT",
                         .message = {},
                         .why = "the sampler found no method for the address; readers show an unknown method"}};

inline constexpr Rule kBadMvid{
    .id = "mlpd/bad-mvid",
    .severity = Severity::error,
    .statement = "mvid is empty or a GUID, 8-4-4-4-12 hexadecimal digits",
    .message = "the {0 byte|bytes} of mvid are no GUID",
    .why = "Mono.Profiler.Log throws a FormatException: the whole file cannot be read with it",
    .spec = "3.7 TYPE_METADATA (2)",
    .since = "0.1.0"};

inline constexpr Rule kBadAotId{
    .id = "mlpd/bad-aot-id",
    .severity = Severity::error,
    .statement = "the id of AOT_ID is a GUID, 8-4-4-4-12 hexadecimal digits",
    .message = "the {0 byte|bytes} of the id are no GUID",
    .why = "Mono.Profiler.Log throws a FormatException: the whole file cannot be read with it",
    .spec = "3.6.10 TYPE_META (10)",
    .since = "0.1.0"};

inline constexpr Rule kJitCodeSizeMismatch{.id = "mlpd/jit-code-size-mismatch",
                                           .severity = Severity::note,
                                           .statement = "a method without code has no size of code",
                                           .message = "code_size is {0}, but code is null",
                                           .why = "readers that look addresses up put the range at 0",
                                           .spec = "3.6.3 TYPE_METHOD (3)",
                                           .since = "0.1.0"};

inline constexpr Rule kFlagNeverWritten{
    .id = "mlpd/flag-never-written",
    .severity = Severity::note,
    .statement = "flags that were described, but never written, are not set",
    .message = "the event byte {0x} has a flag that no runtime ever set",
    .why =
        "readers differ on what it brings: mprof-report reads a backtrace behind it that the description does not have",
    .spec = "3.6 Events",
    .since = "0.1.0"};

}  // namespace tracelint::mlpd
