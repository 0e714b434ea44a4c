// mlpd, section 3.6: which event bytes each data version has, and the record that each begins.
#pragma once

#include "grammars/mlpd/records.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kEventNotInVersion{
    .id = "mlpd/event-not-in-version",
    .severity = Severity::error,
    .statement = "the data version has the event",
    .message = "event byte {0x} does not exist in data version {1}, only in other versions",
    .why = "readers of this version misinterpret the bytes or stop with an error",
    .spec = "3.6 Events",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true, .file_size = true},
    .severity_override =
        SeverityOverride{
            .severity = Severity::warning,
            .when = "its layout is the same in every version, or the buffer already has an error",
            .message = "data version {1} does not have this event or kind (event byte {0x}); other versions do",
            .why =
                "readers decode it as in the other versions; the writer mixes two versions, or the bytes are misread "
                "after an earlier error"},
};

// A row of the table in section 3.6.
struct EventRow {
    uint8_t op;
    const Record* record;            // null for metadata: its mtype decides
    uint16_t first, last;            // data versions that have it
    bool flag_is_unwritten = false;  // it has a flag that is documented, but that no runtime ever set
    std::string_view outlives{};     // not empty: later versions still decode it; a hint that says what is gone
};

inline constexpr uint16_t kNow = kEveryVersion;

// clang-format off
inline constexpr EventRow kEvents[] = {
    {0x00, &kAlloc, 1, kNow}, {0x10, &kAllocBacktrace, 1, kNow},
    {0x11, &kGcEvent, 1, kNow}, {0x21, &kGcResize, 1, kNow}, {0x31, &kGcMove, 1, kNow},
    {0x41, &kHandleCreated, 1, kNow}, {0x51, &kHandleDestroyed, 1, kNow},
    {0x61, &kHandleCreatedBacktrace, 11, kNow}, {0x71, &kHandleDestroyedBacktrace, 11, kNow},
    {0x81, &kFinalizeStart, 13, kNow}, {0x91, &kFinalizeEnd, 13, kNow},
    {0xA1, &kFinalizeObjectStart, 13, kNow}, {0xB1, &kFinalizeObjectEnd, 13, kNow},
    {0x02, nullptr, 1, kNow}, {0x22, nullptr, 1, kNow}, {0x42, nullptr, 1, kNow},
    {0x82, nullptr, 1, 10, true}, {0xA2, nullptr, 1, 10, true}, {0xC2, nullptr, 1, 10, true},
    {0x13, &kLeave, 1, kNow}, {0x23, &kEnter, 1, kNow}, {0x33, &kExceptionLeave, 1, kNow}, {0x43, &kJit, 1, kNow},
    {0x04, &kThrow, 1, kNow}, {0x84, &kThrowBacktrace, 1, kNow}, {0x14, &kClause, 1, kNow},
    {0x94, &kClause, 1, 13, true},
    // Up to version 13 every subtype of type 5 is known. Subtypes 0 and 8 have another meaning since.
    {0x15, &kOldMonitor, 1, 13}, {0x25, &kOldMonitor, 1, 13}, {0x35, &kOldMonitor, 1, 13},
    {0x95, &kOldMonitor, 1, 13}, {0xA5, &kOldMonitor, 1, 13, true}, {0xB5, &kOldMonitor, 1, 13, true},
    {0x05, &kMonitor, 14, kNow}, {0x85, &kMonitorBacktrace, 14, kNow},
    {0x06, &kHeapStart, 1, kNow}, {0x16, &kHeapEnd, 1, kNow}, {0x26, &kHeapObject, 1, kNow},
    {0x36, &kHeapRoot, 3, kNow}, {0x46, &kRootRegister, 15, kNow}, {0x56, &kRootUnregister, 15, kNow},
    {0x07, &kSampleHit, 4, kNow}, {0x17, &kSampleSymbol, 4, kNow},
    {0x27, &kSampleBinary, 4, 15, false, "SAMPLE_UBIN is not written since version 16"},
    {0x37, &kCountersDescription, 5, kNow}, {0x47, &kCounters, 5, kNow},
    {0x18, &kJitHelper, 8, kNow},
    {0x09, &kCoverageAssembly, 10, 15}, {0x19, &kCoverageMethod, 10, 15},
    {0x29, &kCoverageStatement, 10, 15}, {0x39, &kCoverageClass, 10, 15},
    {0x0A, &kSyncPoint, 13, kNow}, {0x1A, &kAotId, 16, kNow},
};

// Section 3.7: the metadata events of each kind of object. `x`: the subtype without the flag for load errors.
struct MetadataRow {
    uint8_t x;
    const Record* record;
    uint16_t first, last;
    std::string_view outlives{};
};
inline constexpr MetadataRow kMetadataEvents[] = {
    {2, &kClass, 1, kNow}, {4, &kClass, 11, 13, "classes are not unloaded since version 14"},
    {2, &kImage, 1, kNow}, {4, &kImage, 11, kNow},
    {2, &kAssembly, 11, kNow}, {4, &kAssembly, 11, kNow},
    {2, &kDomain, 11, kNow}, {4, &kDomain, 11, kNow}, {0, &kDomain, 11, kNow},
    {0, &kThread, 1, kNow}, {2, &kThread, 11, kNow}, {4, &kThread, 11, kNow},
    {2, &kContext, 11, kNow}, {4, &kContext, 11, kNow},
    {2, &kVtable, 15, kNow},
};
// clang-format on

inline constexpr const Record* kMetadataRecords[] = {&kClass,  &kImage,   &kAssembly, &kDomain,
                                                     &kThread, &kContext, &kVtable};

// The meaning of an event byte in a data version.
struct OpMeaning {
    const Record* record = nullptr;
    const Rule* refusal = nullptr;      // the framing fault; null: there is such an event
    std::array<uint64_t, 3> numbers{};  // of the refusal's message
    bool is_metadata = false;           // mtype decides about the record
    bool flag_is_unwritten = false;
    std::string_view foreign_hint{};  // not empty: of other versions, but still decoded
};
OpMeaning meaning_of(uint8_t op, uint16_t version);

// The record of metadata of this type, or null.
const Record* metadata_record(uint64_t mtype, uint16_t version);
// The row of a metadata event, or null.
const MetadataRow* metadata_row(const Record& record, uint8_t op, uint16_t version);

constexpr uint8_t type_of(uint8_t op) { return op & 0x0f; }
constexpr uint8_t subtype_of(uint8_t op) { return op >> 4; }
// The bit of the subtype that announces a backtrace or, in metadata, a load error.
inline constexpr uint8_t kFlag = 8;
inline constexpr uint8_t kMonitorType = 5;

extern const RuleList kWalkEventsRules;

}  // namespace tracelint::mlpd
