// mlpd, section 3.8: the values that have a name.
#pragma once

#include "validator/describe.hpp"

namespace tracelint::mlpd {

// clang-format off

inline constexpr NamedValue kPointerSizes[] = {{4, "32 bits"}, {8, "64 bits"}};

namespace gc {

// Codes of GC_EVENT.
enum Code : uint64_t {
    start, mark_start, mark_end, reclaim_start, reclaim_end, end,
    pre_stop_world, post_stop_world, pre_start_world, post_start_world,
    pre_stop_world_locked, post_start_world_unlocked
};
inline constexpr uint16_t kFirstWithLocks = 13;  // the last two codes
inline constexpr uint16_t kLastWithMarks = 13;   // the codes between START and END
inline constexpr uint64_t kLastGeneration = 2;   // noted; later ones are refused

constexpr bool is_generation(uint64_t number) { return number <= kLastGeneration; }

}  // namespace gc

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

inline constexpr NamedValue kHandleTypes[] = {
    {0, "weak"}, {1, "weak, tracks resurrection"}, {2, "normal"}, {3, "pinned"}};

inline constexpr NamedValue kClauseTypes[] = {{0, "catch"}, {1, "filter"}, {2, "finally"}, {4, "fault"}};

inline constexpr NamedValue kMonitorEvents[] = {{1, "contention"}, {2, "done"}, {3, "fail"}};

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

// Of these, what version 17 does not have any more (rule 33).
inline constexpr uint64_t kGoneJitHelpers[] = {1, 7};
inline constexpr uint16_t kJitHelpersGoneSince = 17;

inline constexpr NamedValue kSyncPoints[] = {{0, "periodic"}, {1, "world stop"}, {2, "world start"}};

inline constexpr NamedValue kRootSources[] = {
    {0, "external"}, {1, "stack"}, {2, "finalizer queue"}, {3, "static"}, {4, "thread static"}, {5, "context static"},
    {6, "GC handle"}, {7, "JIT"}, {8, "threading"}, {9, "domain"}, {10, "reflection"}, {11, "marshal"},
    {12, "thread pool"}, {13, "debugger"}, {14, "handle"}, {15, "ephemeron"}, {16, "toggleref"}};

inline constexpr NamedValue kSampleTypes[] = {
    {1, "cycles"}, {2, "instructions"}, {3, "cache misses"}, {4, "cache references"}, {5, "branches"},
    {6, "branch misses"}};

inline constexpr NamedValue kCounterTypes[] = {
    {0, "int32"}, {1, "uint32"}, {2, "word"}, {3, "int64"}, {4, "uint64"}, {5, "double"}, {6, "string"},
    {7, "time interval"}};

inline constexpr uint64_t kPerformanceCounters = 0x8000;
inline constexpr NamedValue kSections5[] = {  // up to version 11
    {0x100, "JIT"}, {0x200, "GC"}, {0x400, "metadata"}, {0x800, "generics"}, {0x1000, "security"},
    {0x2000, "runtime"}, {0x4000, "system"}, {kPerformanceCounters, "performance counters"}, {0x20000, "interpreter"}};
inline constexpr NamedValue kSections12[] = {
    {0x100, "JIT"}, {0x200, "GC"}, {0x400, "metadata"}, {0x800, "generics"}, {0x1000, "security"},
    {0x2000, "runtime"}, {0x4000, "system"}, {kPerformanceCounters, "performance counters"}, {0x10000, "profiler"},
    {0x20000, "interpreter"}};
inline constexpr NamedValue kUnits[] = {
    {0, "raw"}, {1 << 24, "bytes"}, {2 << 24, "time, 100 ns"}, {3 << 24, "count"}, {4 << 24, "percentage"}};
inline constexpr NamedValue kVariances[] = {{1 << 28, "monotonic"}, {1 << 29, "constant"}, {1 << 30, "variable"}};
inline constexpr NamedValue kCutVariances[] = {{0, "cut off"}};  // one byte of the number (versions 13 and 14)

// clang-format on

}  // namespace tracelint::mlpd
