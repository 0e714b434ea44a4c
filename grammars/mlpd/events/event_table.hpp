// mlpd, section 3.6: which event bytes the data versions have, and which record each begins.
#pragma once

#include "grammars/mlpd/records.hpp"

namespace tracelint::mlpd {

// A row of the table in 3.6.
struct EventRow {
    uint8_t op;
    const Record* record;   // null for metadata: its mtype tells
    uint16_t first, last;   // versions that have it
    bool outlives = false;  // decoded in later versions all the same (rule 33)
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
    {0x82, nullptr, 1, 10}, {0xA2, nullptr, 1, 10}, {0xC2, nullptr, 1, 10},
    {0x13, &kLeave, 1, kNow}, {0x23, &kEnter, 1, kNow}, {0x33, &kExceptionLeave, 1, kNow}, {0x43, &kJit, 1, kNow},
    {0x04, &kThrow, 1, kNow}, {0x84, &kThrowBacktrace, 1, kNow}, {0x14, &kClause, 1, kNow}, {0x94, &kClause, 1, 13},
    // Up to version 13 every subtype of 5 is known; of those, 0 and 8 have another meaning since.
    {0x15, &kOldMonitor, 1, 13}, {0x25, &kOldMonitor, 1, 13}, {0x35, &kOldMonitor, 1, 13},
    {0x95, &kOldMonitor, 1, 13}, {0xA5, &kOldMonitor, 1, 13}, {0xB5, &kOldMonitor, 1, 13},
    {0x05, &kMonitor, 14, kNow}, {0x85, &kMonitorBacktrace, 14, kNow},
    {0x06, &kHeapStart, 1, kNow}, {0x16, &kHeapEnd, 1, kNow}, {0x26, &kHeapObject, 1, kNow},
    {0x36, &kHeapRoot, 3, kNow}, {0x46, &kRootRegister, 15, kNow}, {0x56, &kRootUnregister, 15, kNow},
    {0x07, &kSampleHit, 4, kNow}, {0x17, &kSampleSymbol, 4, kNow}, {0x27, &kSampleBinary, 4, 15, true},
    {0x37, &kCountersDescription, 5, kNow}, {0x47, &kCounters, 5, kNow},
    {0x18, &kJitHelper, 8, kNow},
    {0x09, &kCoverageAssembly, 10, 15}, {0x19, &kCoverageMethod, 10, 15},
    {0x29, &kCoverageStatement, 10, 15}, {0x39, &kCoverageClass, 10, 15},
    {0x0A, &kSyncPoint, 13, kNow}, {0x1A, &kAotId, 16, kNow},
};

// 3.7: metadata events of each type of object. `x`: the subtype without the flag for load errors.
struct MetadataRow {
    uint8_t x;
    const Record* record;
    uint16_t first, last;
    bool outlives = false;
};
inline constexpr MetadataRow kMetadataEvents[] = {
    {2, &kClass, 1, kNow}, {4, &kClass, 11, 13, true},
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

// What a version makes of an event byte.
struct OpMeaning {
    const Record* record = nullptr;
    const Rule* refusal = nullptr;  // the framing fault; null: there is such an event
    bool is_metadata = false;       // the record is that of its mtype
    bool is_foreign = false;        // of other versions, but read all the same (rule 33)
};
OpMeaning meaning_of(uint8_t op, uint16_t version);

// The record of metadata of this type, or null.
const Record* metadata_record(uint64_t mtype, uint16_t version);
// The row of a metadata event, or null.
const MetadataRow* metadata_row(const Record& record, uint8_t op, uint16_t version);

constexpr uint8_t type_of(uint8_t op) { return op & 0x0f; }
constexpr uint8_t subtype_of(uint8_t op) { return op >> 4; }
// The bit of the subtype that announces a backtrace or, of metadata, a load error.
inline constexpr uint8_t kFlag = 8;
inline constexpr uint8_t kMonitorType = 5;

}  // namespace tracelint::mlpd
