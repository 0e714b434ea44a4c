// toy, section 3: the header and the records, in the order and terms of the specification. A rule about one field is
// above the record that has the field.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::toy {

inline constexpr uint64_t kMagic = 0x544f5931;  // in the byte order of the file (section 2)
inline constexpr uint16_t kOldestVersion = 1, kNewestVersion = 2;

inline constexpr NamedValue kMagicName[] = {{kMagic, "TOY1"}};
inline constexpr NamedValue kKinds[] = {{1, "TASK"}, {2, "EVENT"}, {3, "COUNTERS"}, {4, "CLOSE"}};
inline constexpr uint64_t kStart = 0, kFinish = 1;
inline constexpr NamedValue kActions[] = {{kStart, "start"}, {kFinish, "finish"}};

inline constexpr Rule kReservedNonzero{
    .id = "toy/reserved-nonzero",
    .severity = Severity::warning,
    .statement = "the reserved bytes of the header are zero",
    .message = "the reserved bytes of the header are {0x}, expected 0",
    .why = "a later version may give them a meaning, which this file then claims by accident",
    .spec = "3.1 Header",
    .since = "0.1.0",
};

inline constexpr Rule kUnknownAction{
    .id = "toy/unknown-action",
    .severity = Severity::error,
    .statement = "an EVENT starts or finishes its task",
    .message = "action is {0}, expected 0 (start) or 1 (finish)",
    .why = "readers ignore the event, and the task seems to run for too long or too short a time",
    .spec = "3.4 EVENT",
    .since = "0.1.0",
};

// clang-format off

// 3.1 Header
inline constexpr auto kHeader = record("header", kNoTag, "file header", {
    u32("magic")    .equals(kMagic).named(kMagicName)    .says("gives the byte order of the file"),
    u16("version")  .at_least(kOldestVersion).at_most(kNewestVersion),
    u16("reserved") .equals(0, &kReservedNonzero),
}).not_numbered();

// 3.2 Record prefix
inline constexpr Field kKind = u8("kind").named(kKinds);
inline constexpr Field kSize = u16("size").holds(Quantity::size).record_size();

inline constexpr auto kPrefix = record("prefix", kNoTag, "how every record begins", {kKind, kSize});

// 3.3 TASK
inline constexpr auto kTask = record("TASK", 1, "introduces a task", {
    kKind.equals(1), kSize,
    uleb128("task")                                      .says("id; unique in the file"),
    string("name"),
    uleb128("parent").since(2)                           .says("id of the task that created it, or 0"),
});

// 3.4 EVENT
inline constexpr auto kEvent = record("EVENT", 2, "a worker starts or finishes a task", {
    kKind.equals(2), kSize,
    u64("time").holds(Quantity::time)                                          .says("in nanoseconds"),
    bits("action", 2, 0, 4).known(kActions, &kUnknownAction),
    bits("worker", 2, 4, 12),
    uleb128("task"),
});

// 3.5 COUNTERS
inline constexpr auto kSample = record("sample", kNoTag, "by how much a counter changed", {
    u16("counter"),
    sleb128("change"),
});
inline constexpr auto kCounters = record("COUNTERS", 3, "samples of counters", {
    kKind.equals(3), kSize,
    u16("count"),
    list("samples", kSample).counted_by("count"),
});

// 3.6 CLOSE
inline constexpr auto kClose = record("CLOSE", 4, "the last record", {kKind.equals(4), kSize});

// A record of another kind, which is skipped.
inline constexpr auto kOther = record("other record", kNoTag, "a record of an unknown kind", {
    kKind, kSize, bytes("body").with_numbers()}).as_fallback();

// clang-format on

inline constexpr const Record* kRecords[] = {&kHeader, &kTask, &kEvent, &kCounters, &kClose, &kOther};

// The record that a kind announces.
constexpr const Record& record_of(uint64_t kind) {
    for (const Record* record : kRecords)
        if (record->tag == kind) return *record;
    return kOther;
}

static_assert(fixed_size(kHeader) == 8 && fixed_size(kPrefix) == 3);
static_assert(minimum_size(kTask, {.version = 1}) == 5 && minimum_size(kEvent) == 14 && minimum_size(kClose) == 3);

inline constexpr RuleList kRecordRules = rules<&kReservedNonzero, &kUnknownAction>;

}  // namespace tracelint::toy
