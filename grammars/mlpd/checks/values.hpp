// mlpd: what checks of single values share: framing faults, text, and rules about values.
#pragma once

#include "validator/tables/describe.hpp"
#include "validator/tables/rule.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.2: rules about framing. After a framing fault the start of the next event is unknown, so the rest of
// the buffer is skipped.

// What is said of one framing fault.
struct FramingFault {
    std::string_view id, statement, message, why, spec;
};

// Every framing fault is an error, but milder where an earlier error in the buffer is its likely cause.
consteval Rule framing(const FramingFault& fault) {
    return {.id = fault.id,
            .severity = Severity::error,
            .statement = fault.statement,
            .message = fault.message,
            .why = fault.why,
            .spec = fault.spec,
            .since = "0.1.0",
            .depends_on = {.resynchronisation = true, .file_size = true},
            .severity_override = SeverityOverride{
                .severity = Severity::warning,
                .when = "an earlier event of the same buffer has an error",
                .message = {},
                .why = "likely a consequence of the earlier error in this buffer; the rest of the buffer is skipped",
            }};
}

// mlpd: checks UTF-8 in a text that arrives in pieces. Used by the file header and by the strings of events.

// Number of bytes at the end of `piece` that may be the start of a UTF-8 sequence cut off there.
inline size_t open_tail(Bytes piece) {
    for (size_t back = 1; back <= 3 && back <= piece.size(); ++back) {
        const uint8_t byte = piece[piece.size() - back];
        if ((byte & 0xc0) == 0x80) continue;
        const size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

// Finds the first byte that starts no valid UTF-8 sequence.
class TextJudge {
  public:
    // Checks the next piece and returns how many of its bytes are done. The rest, at most 3, must be passed again
    // together with what follows. The last piece is done whole.
    size_t take(Bytes piece, bool is_last) {
        const size_t done = piece.size() - (is_last ? 0 : open_tail(piece));
        if (ill_formed_ == kNone) {
            const uint64_t found = scan_text(piece.first(done)).ill_formed;
            if (found != kNone) ill_formed_ = length_ + found;
        }
        length_ += done;
        return done;
    }

    // Offset from the start of the text; kNone if all of it is UTF-8.
    uint64_t ill_formed() const { return ill_formed_; }

  private:
    uint64_t ill_formed_ = kNone;
    uint64_t length_ = 0;
};

// mlpd, section 3.8: the values that have a name, and the rules about values that have none.

inline constexpr Rule kBadPointerSize{
    .id = "mlpd/bad-pointer-size",
    .severity = Severity::error,
    .statement = "ptrsize is 4 or 8",
    .message = "ptrsize is {0}, expected 4 or 8; 8 is assumed",
    .why = "readers cut pointers to this size, so addresses no longer match each other",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kPointerSizes[] = {{4, "32 bits"}, {8, "64 bits"}};
// clang-format on

inline constexpr Rule kGcEventRange{
    .id = "mlpd/gc-event-range",
    .severity = Severity::warning,
    .statement = "event is a GC step that the data version has",
    .message = "GC event {0} does not exist in this data version",
    .why = "readers skip the step or show it under a wrong name",
    .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
    .since = "0.1.0",
};

inline constexpr Rule kGcGenerationRange{
    .id = "mlpd/gc-generation-range",
    .severity = Severity::error,
    .statement = "generation is 0 or 1",
    .message = "generation is {0}, expected 0 or 1",
    .why = "mprof-report says 'incorrect gc gen' and drops the event",
    .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "generation is 2",
                         .message = {},
                         .why = "mprof-report has room for it, but no collector of Mono uses a third generation"},
};

inline constexpr Rule kHeapGenerationRange{
    .id = "mlpd/heap-generation-range",
    .severity = Severity::warning,
    .statement = "the generation of an object is 0 or 1",
    .message = "generation is {0}, expected 0 or 1",
    .why = "readers count the object in a generation that does not exist",
    .spec = "3.6.6 TYPE_HEAP (6); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override = SeverityOverride{.severity = Severity::note,
                                          .when = "generation is 2",
                                          .message = {},
                                          .why = "no collector of Mono uses a third generation"},
};

namespace gc {

// Codes of GC_EVENT.
// clang-format off
enum Code : uint64_t {
    start, mark_start, mark_end, reclaim_start, reclaim_end, end,
    pre_stop_world, post_stop_world, pre_start_world, post_start_world,
    pre_stop_world_locked, post_start_world_unlocked
};
// clang-format on
inline constexpr uint16_t kFirstWithLocks = 13;  // the last two codes
inline constexpr uint16_t kLastWithMarks = 13;   // the codes between START and END
inline constexpr uint64_t kLastGeneration = 2;   // accepted with a note; higher ones are errors

constexpr bool is_generation(uint64_t number) { return number <= kLastGeneration; }

}  // namespace gc

// clang-format off
inline constexpr NamedValue kGcEvents1[] = {  // up to version 12
    {gc::start, "START"}, {gc::mark_start, "MARK_START"}, {gc::mark_end, "MARK_END"},
    {gc::reclaim_start, "RECLAIM_START"}, {gc::reclaim_end, "RECLAIM_END"}, {gc::end, "END"},
    {gc::pre_stop_world, "PRE_STOP_WORLD"}, {gc::post_stop_world, "POST_STOP_WORLD"},
    {gc::pre_start_world, "PRE_START_WORLD"}, {gc::post_start_world, "POST_START_WORLD"}};
inline constexpr NamedValue kGcEvents13[] = {
    {gc::start, "START"}, {gc::mark_start, "MARK_START"}, {gc::mark_end, "MARK_END"},
    {gc::reclaim_start, "RECLAIM_START"}, {gc::reclaim_end, "RECLAIM_END"}, {gc::end, "END"},
    {gc::pre_stop_world, "PRE_STOP_WORLD"}, {gc::post_stop_world, "POST_STOP_WORLD"},
    {gc::pre_start_world, "PRE_START_WORLD"}, {gc::post_start_world, "POST_START_WORLD"},
    {gc::pre_stop_world_locked, "PRE_STOP_WORLD_LOCKED"},
    {gc::post_start_world_unlocked, "POST_START_WORLD_UNLOCKED"}};
inline constexpr NamedValue kGcEvents14[] = {
    {gc::start, "START"}, {gc::end, "END"}, {gc::pre_stop_world, "PRE_STOP_WORLD"},
    {gc::post_stop_world, "POST_STOP_WORLD"}, {gc::pre_start_world, "PRE_START_WORLD"},
    {gc::post_start_world, "POST_START_WORLD"}, {gc::pre_stop_world_locked, "PRE_STOP_WORLD_LOCKED"},
    {gc::post_start_world_unlocked, "POST_START_WORLD_UNLOCKED"}};
// clang-format on

inline constexpr Rule kGcHandleTypeRange{
    .id = "mlpd/gc-handle-type-range",
    .severity = Severity::error,
    .statement = "the type of a GC handle is 0 to 3",
    .message = "unknown GC handle type {0}",
    .why = "mprof-report silently stops reading the file here",
    .spec = "3.6.2 TYPE_GC (1); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kHandleTypes[] = {
    {0, "weak"}, {1, "weak, tracks resurrection"}, {2, "normal"}, {3, "pinned"}};
// clang-format on

inline constexpr Rule kExceptionClauseTypeRange{
    .id = "mlpd/exception-clause-type-range",
    .severity = Severity::error,
    .statement = "the type of a clause is 0 (catch), 1 (filter), 2 (finally) or 4 (fault)",
    .message = "unknown clause type {0}",
    .why = "mprof-report counts it outside its table and overwrites other data",
    .spec = "3.6.4 TYPE_EXCEPTION (4); 3.8 Enumerations",
    .since = "0.1.0",
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "the type is 3",
                                          .message = "clause type 3 has no meaning",
                                          .why = "readers count it without a name"},
};

// clang-format off
inline constexpr NamedValue kClauseTypes[] = {{0, "catch"}, {1, "filter"}, {2, "finally"}, {4, "fault"}};
// clang-format on

inline constexpr Rule kMonitorEventRange{
    .id = "mlpd/monitor-event-range",
    .severity = Severity::warning,
    .statement = "the event of a monitor is 1 (contention), 2 (done) or 3 (fail)",
    .message = "unknown monitor event {0}",
    .why = "readers show it as invalid, and waiting times are wrong",
    .spec = "3.6.5 TYPE_MONITOR (5); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kMonitorEvents[] = {{1, "contention"}, {2, "done"}, {3, "fail"}};
// clang-format on

inline constexpr Rule kJitHelperTypeRange{
    .id = "mlpd/jit-helper-type-range",
    .severity = Severity::warning,
    .statement = "the type of a JIT helper is one that the data version has",
    .message = "JIT helper type {0} does not exist in this data version",
    .why = "readers show the code under a wrong name, or expect a name that is not there",
    .spec = "3.6.8 TYPE_RUNTIME (8); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kJitHelpers8[] = {  // versions 8 to 13
    {0, "unknown"}, {1, "method"}, {2, "method trampoline"}, {3, "unbox trampoline"}, {4, "IMT trampoline"},
    {5, "generics trampoline"}, {6, "specific trampoline"}, {7, "helper"}, {8, "monitor"}, {9, "delegate invoke"}};
inline constexpr NamedValue kJitHelpers9[] = {
    {0, "unknown"}, {1, "method"}, {2, "method trampoline"}, {3, "unbox trampoline"}, {4, "IMT trampoline"},
    {5, "generics trampoline"}, {6, "specific trampoline"}, {7, "helper"}, {8, "monitor"}, {9, "delegate invoke"},
    {10, "exception handling"}};
inline constexpr NamedValue kJitHelpers14[] = {
    {0, "method"}, {1, "method trampoline"}, {2, "unbox trampoline"}, {3, "IMT trampoline"},
    {4, "generics trampoline"}, {5, "specific trampoline"}, {6, "helper"}, {7, "monitor"}, {8, "delegate invoke"},
    {9, "exception handling"}};
// clang-format on

// Types that version 17 no longer has.
inline constexpr uint64_t kGoneJitHelpers[] = {1, 7};
inline constexpr uint16_t kJitHelpersGoneSince = 17;

inline constexpr Rule kSyncPointTypeRange{
    .id = "mlpd/sync-point-type-range",
    .severity = Severity::warning,
    .statement = "the type of a synchronisation point is 0 to 2",
    .message = "unknown synchronisation point type {0}",
    .why = "readers do not know what it means",
    .spec = "3.6.10 TYPE_META (10); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kSyncPoints[] = {{0, "periodic"}, {1, "world stop"}, {2, "world start"}};
// clang-format on

inline constexpr Rule kRootSourceRange{
    .id = "mlpd/root-source-range",
    .severity = Severity::note,
    .statement = "the source of a root is 0 to 16",
    .message = "unknown root source {0}",
    .why = "readers show it without a name; newer runtimes may have added sources",
    .spec = "3.6.6 TYPE_HEAP (6); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kRootSources[] = {
    {0, "external"}, {1, "stack"}, {2, "finalizer queue"}, {3, "static"}, {4, "thread static"}, {5, "context static"},
    {6, "GC handle"}, {7, "JIT"}, {8, "threading"}, {9, "domain"}, {10, "reflection"}, {11, "marshal"},
    {12, "thread pool"}, {13, "debugger"}, {14, "handle"}, {15, "ephemeron"}, {16, "toggleref"}};
// clang-format on

inline constexpr Rule kSampleTypeRange{
    .id = "mlpd/sample-type-range",
    .severity = Severity::warning,
    .statement = "the type of a sample is 1 to 6",
    .message = "unknown sample type {0}",
    .why = "readers show the samples under a wrong name",
    .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kSampleTypes[] = {
    {1, "cycles"}, {2, "instructions"}, {3, "cache misses"}, {4, "cache references"}, {5, "branches"},
    {6, "branch misses"}};
// clang-format on

// The type decides how the value of a sample is read.
inline constexpr Rule kCounterTypeRange = framing({
    .id = "mlpd/counter-type-range",
    .statement = "the type of a counter is 0 to 7",
    .message = "unknown counter type {0}",
    .why = "mprof-report crashes, Mono.Profiler.Log throws an exception; the length of the value is unknown",
    .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
});

// clang-format off
inline constexpr NamedValue kCounterTypes[] = {
    {0, "int32"}, {1, "uint32"}, {2, "word"}, {3, "int64"}, {4, "uint64"}, {5, "double"}, {6, "string"},
    {7, "time interval"}};
// clang-format on

inline constexpr Rule kCounterSectionRange{
    .id = "mlpd/counter-section-range",
    .severity = Severity::warning,
    .statement = "the section of a counter is one that the data version has",
    .message = "counter section {0x} does not exist in this data version",
    .why = "readers show the counter without a section; if 0x8000 was meant, they miss the section name",
    .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
    .since = "0.1.0",
};

inline constexpr uint64_t kPerformanceCounters = 0x8000;
// clang-format off
inline constexpr NamedValue kSections5[] = {  // up to version 11
    {0x100, "JIT"}, {0x200, "GC"}, {0x400, "metadata"}, {0x800, "generics"}, {0x1000, "security"},
    {0x2000, "runtime"}, {0x4000, "system"}, {kPerformanceCounters, "performance counters"}, {0x20000, "interpreter"}};
inline constexpr NamedValue kSections12[] = {
    {0x100, "JIT"}, {0x200, "GC"}, {0x400, "metadata"}, {0x800, "generics"}, {0x1000, "security"},
    {0x2000, "runtime"}, {0x4000, "system"}, {kPerformanceCounters, "performance counters"}, {0x10000, "profiler"},
    {0x20000, "interpreter"}};
// clang-format on
inline constexpr Rule kCounterUnitVariance{
    .id = "mlpd/counter-unit-variance",
    .severity = Severity::warning,
    .statement = "unit and variance of a counter have defined values",
    .message = "unknown unit or variance {0x} of a counter",
    .why = "readers show the values in a wrong unit",
    .spec = "3.6.7 TYPE_SAMPLE (7); 3.8 Enumerations",
    .since = "0.1.0",
};

// clang-format off
inline constexpr NamedValue kUnits[] = {
    {0, "raw"}, {1 << 24, "bytes"}, {2 << 24, "time, 100 ns"}, {3 << 24, "count"}, {4 << 24, "percentage"}};
inline constexpr NamedValue kVariances[] = {{1 << 28, "monotonic"}, {1 << 29, "constant"}, {1 << 30, "variable"}};
inline constexpr NamedValue kCutVariances[] = {{0, "cut off"}};  // one byte of the number (versions 13 and 14)
// clang-format on

inline constexpr RuleList kValueRules =
    rules<&kBadPointerSize, &kGcEventRange, &kGcGenerationRange, &kHeapGenerationRange, &kGcHandleTypeRange,
          &kExceptionClauseTypeRange, &kMonitorEventRange, &kJitHelperTypeRange, &kSyncPointTypeRange,
          &kRootSourceRange, &kSampleTypeRange, &kCounterTypeRange, &kCounterSectionRange, &kCounterUnitVariance>;

}  // namespace tracelint::mlpd
