// XRay, section 3: headers and records of the three families, in the order of the specification. Numbers are in the
// byte order of the file; sizes and offsets are bytes.
#pragma once

#include "validator/tables/describe.hpp"

namespace tracelint::xray {

// Section 2: the type in the header of flight data recorder and basic files.
inline constexpr uint64_t kBasicType = 0;
inline constexpr uint64_t kFdrType = 1;
inline constexpr uint64_t kNewestFdr = 5;
inline constexpr uint64_t kNewestBasic = 3;
inline constexpr uint64_t kProfileMagic = 0x7872617970726f66;  // "xrayprof" when written big-endian
inline constexpr uint64_t kProfileVersion = 0x20180424;

inline constexpr NamedValue kTypes[] = {{kBasicType, "basic"}, {kFdrType, "flight data recorder"}};

enum Kind : uint8_t {
    kNewBufferKind = 0,
    kEndOfBufferKind = 1,
    kNewCpuIdKind = 2,
    kTscWrapKind = 3,
    kWallClockKind = 4,
    kCustomEventKind = 5,
    kCallArgumentKind = 6,
    kBufferExtentsKind = 7,
    kTypedEventKind = 8,
    kPidKind = 9,
};
inline constexpr NamedValue kKinds[] = {
    {kNewBufferKind, "NewBuffer"},       {kEndOfBufferKind, "EndOfBuffer"},
    {kNewCpuIdKind, "NewCPUId"},         {kTscWrapKind, "TSCWrap"},
    {kWallClockKind, "WallClock"},       {kCustomEventKind, "CustomEvent"},
    {kCallArgumentKind, "CallArgument"}, {kBufferExtentsKind, "BufferExtents"},
    {kTypedEventKind, "TypedEvent"},     {kPidKind, "Pid"},
};

enum Action : uint8_t { kEntry = 0, kExit = 1, kTailExit = 2, kEntryArgs = 3 };
inline constexpr NamedValue kActions[] = {
    {kEntry, "Entry"}, {kExit, "Exit"}, {kTailExit, "Tail_Exit"}, {kEntryArgs, "Entry_Args"}};

// clang-format off

// 3.1 File header of flight data recorder and basic files
inline constexpr auto kHeader = record("header", kNoTag, "file header", {
    u16("version")                      .says("of the family"),
    u16("type").named(kTypes),
    bits("constant_tsc", 4, 0, 1)       .says("the TSC runs at one rate"),
    bits("nonstop_tsc", 4, 1, 1)        .says("the TSC does not stop in idle states"),
    bits("reserved_bits", 4, 2, 30),
    u64("cycle_frequency")              .says("of the TSC, in Hz"),
    u64("buffer_size").holds(Quantity::size) .says("of one thread buffer; basic files have none"),
    u64("reserved"),
}).not_numbered();

// 3.3 Function record. In either byte order, its first byte holds discriminant and action.
inline constexpr auto kFunction = record("Function", kNoTag, "a function was entered or exited", {
    bits("discriminant", 4, 0, 1).equals(0),
    bits("action", 4, 1, 3).known(kActions),
    bits("function_id", 4, 4, 28)       .says("counted from 1"),
    u32("tsc_delta")                    .says("since the previous record"),
});

// 3.4 Metadata records: a first byte and a body of 15
inline constexpr Field kDiscriminant = bits("discriminant", 1, 0, 1).equals(1);
inline constexpr Field kKindField    = bits("kind", 1, 1, 7).named(kKinds);

inline constexpr auto kMetadata = record("metadata", kNoTag, "the start of every metadata record", {
    kDiscriminant, kKindField, bytes("body", 15)});

inline constexpr auto kNewBuffer = record("NewBuffer", kNewBufferKind, "a thread took the buffer", {
    kDiscriminant, kKindField.equals(kNewBufferKind),
    i32("thread_id"),
    bytes("reserved", 11),
});
inline constexpr auto kEndOfBuffer = record("EndOfBuffer", kEndOfBufferKind, "the rest of the buffer is stale memory", {
    kDiscriminant, kKindField.equals(kEndOfBufferKind),
    bytes("reserved", 15),
}).versions(1, 1);
inline constexpr auto kNewCpuId = record("NewCPUId", kNewCpuIdKind, "the thread runs on another CPU", {
    kDiscriminant, kKindField.equals(kNewCpuIdKind),
    u16("cpu"),
    u64("tsc").holds(Quantity::ticks)   .says("absolute"),
    bytes("reserved", 5),
});
inline constexpr auto kTscWrap = record("TSCWrap", kTscWrapKind, "the next delta would not fit", {
    kDiscriminant, kKindField.equals(kTscWrapKind),
    u64("tsc").holds(Quantity::ticks)   .says("absolute"),
    bytes("reserved", 7),
});
inline constexpr auto kWallClock = record("WallClock", kWallClockKind, "when the buffer was taken", {
    kDiscriminant, kKindField.equals(kWallClockKind),
    i64("seconds")                      .says("of CLOCK_MONOTONIC"),
    i32("micros")                       .says("microseconds; LLVM calls them nanoseconds"),
    bytes("reserved", 3),
});
inline constexpr auto kCustomEvent = record("CustomEvent", kCustomEventKind, "bytes of the program's choice", {
    kDiscriminant, kKindField.equals(kCustomEventKind),
    i32("size").holds(Quantity::size)   .says("of the payload"),
    u64("tsc").holds(Quantity::ticks).until(4)                 .says("absolute"),
    u16("cpu").since(4).until(4),
    i32("delta").since(5)               .says("since the previous record"),
    bytes("reserved", 3).until(3),
    bytes("reserved", 1).since(4).until(4),
    bytes("reserved", 7).since(5),
    bytes("payload").sized_by("size"),
});
inline constexpr auto kCallArgument = record("CallArgument", kCallArgumentKind, "an argument of the function just entered", {
    kDiscriminant, kKindField.equals(kCallArgumentKind),
    u64("value"),
    bytes("reserved", 7),
});
inline constexpr auto kBufferExtents = record("BufferExtents", kBufferExtentsKind, "the length of the buffer that follows", {
    kDiscriminant, kKindField.equals(kBufferExtentsKind),
    u64("count").holds(Quantity::size)  .says("bytes of the buffer that follows"),
    bytes("reserved", 7),
}).versions(2);
inline constexpr auto kTypedEvent = record("TypedEvent", kTypedEventKind, "bytes of a registered type", {
    kDiscriminant, kKindField.equals(kTypedEventKind),
    i32("size").holds(Quantity::size)   .says("of the payload"),
    u64("tsc").holds(Quantity::ticks).until(4)                 .says("absolute"),
    i32("delta").since(5)               .says("since the previous record"),
    u16("event_type")                   .says("as registered by the program"),
    bytes("reserved", 1).until(4),
    bytes("reserved", 5).since(5),
    bytes("payload").sized_by("size"),
}).versions(3);
inline constexpr auto kPid = record("Pid", kPidKind, "the process of the thread", {
    kDiscriminant, kKindField.equals(kPidKind),
    i32("pid"),
    bytes("reserved", 11),
}).versions(3);

// 3.2 Version 1: what follows EndOfBuffer up to buffer_size. No reader may look at it.
inline constexpr auto kRest = record("rest of the buffer", kNoTag, "stale memory", {
    bytes("rest")}).versions(1, 1).not_numbered();

// 3.5 Basic mode. Versions 1 and 2 do not use process_id, but the bytes are there.
inline constexpr uint16_t kWithTailExits = 2, kWithProcesses = 3;
inline constexpr auto kBasicFunction = record("function", kNoTag, "a function was entered or exited", {
    u16("type").equals(0),
    u8("cpu"),
    u8("action").known(kActions),
    i32("function_id")                  .says("counted from 1"),
    u64("tsc").holds(Quantity::ticks),
    u32("thread_id"),
    u32("process_id")                   .says("version 3"),
    bytes("padding", 8),
});
inline constexpr auto kBasicArgument = record("argument", kNoTag, "an argument of the function just entered", {
    u16("type").equals(1),
    bytes("pad", 2),
    i32("function_id")                  .says("that of the function record"),
    u32("thread_id")                    .says("that of the function record"),
    u32("process_id")                   .says("version 3: that of the function record"),
    u64("argument"),
    bytes("padding", 8),
});

// 3.6 Profile file
inline constexpr auto kProfileHeader = record("header", kNoTag, "header of a profile", {
    u64("magic").equals(kProfileMagic),
    u64("version").equals(kProfileVersion),
    u64("timestamp").holds(Quantity::time) .says("ns"),
    u64("pid"),
}).not_numbered();
inline constexpr auto kPathStep = record("path_step", kNoTag, "one function of a path", {
    i32("function_id")                  .says("0 ends the path"),
});
inline constexpr Field kCallCount = u64("call_count");
inline constexpr Field kLocalTime = u64("cumulative_local_time").says("in ticks of the TSC");
inline constexpr auto kPath = record("path", kNoTag, "the calls that reached a function on one path", {
    list("path", kPathStep).to_zero()   .says("leaf first"),
    kCallCount,
    kLocalTime,
});
inline constexpr auto kPathCounters = record("counters", kNoTag, "the end of a path", {kCallCount, kLocalTime});
inline constexpr auto kProfileBlock = record("block", kNoTag, "the paths of one thread", {
    u32("block_size").holds(Quantity::size).record_size()     .says("this header included"),
    u32("block_number")                 .says("counted from 0"),
    u64("thread_id"),
    list("records", kPath),
});

// clang-format on

inline constexpr const Record* kRecords[] = {
    &kHeader,    &kFunction,      &kNewBuffer,     &kEndOfBuffer,   &kNewCpuId,     &kTscWrap,
    &kWallClock, &kCustomEvent,   &kCallArgument,  &kBufferExtents, &kTypedEvent,   &kPid,
    &kRest,      &kBasicFunction, &kBasicArgument, &kProfileHeader, &kProfileBlock,
};

inline constexpr uint64_t kHeaderSize = fixed_size(kHeader);
inline constexpr uint64_t kFunctionSize = fixed_size(kFunction);
inline constexpr uint64_t kMetadataSize = fixed_size(kMetadata);
inline constexpr uint64_t kBasicSize = fixed_size(kBasicFunction);

// A buffer_size below this has no room for a preamble and EndOfBuffer.
inline constexpr uint64_t kLeastBufferSize = 64;

static_assert(kHeaderSize == 32 && fixed_size(kProfileHeader) == 32 && fixed_size(kProfileBlock) == 16);
static_assert(kFunctionSize == 8 && kMetadataSize == 16);
static_assert(kBasicSize == 32 && fixed_size(kBasicArgument) == 32);

// Every metadata record has 16 bytes in every version, payloads aside.
consteval bool have_metadata_size() {
    for (uint16_t version = 1; version <= kNewestFdr; ++version)
        for (const Record* record : RecordList{&kNewBuffer, &kEndOfBuffer, &kNewCpuId, &kTscWrap, &kWallClock,
                                               &kCustomEvent, &kCallArgument, &kBufferExtents, &kTypedEvent, &kPid})
            if (fixed_size(*record, Layout{.version = version}) != kMetadataSize) return false;
    return true;
}
static_assert(have_metadata_size());

// The record of a metadata kind, whatever the version; null above 9.
constexpr const Record* metadata_of(uint64_t kind) {
    constexpr const Record* kAll[] = {&kNewBuffer,   &kEndOfBuffer,  &kNewCpuId,      &kTscWrap,    &kWallClock,
                                      &kCustomEvent, &kCallArgument, &kBufferExtents, &kTypedEvent, &kPid};
    return kind < std::size(kAll) ? kAll[kind] : nullptr;
}

// The first byte of a record (3.3, 3.4). The discriminant is its first bit.
constexpr bool is_metadata(uint8_t first, ByteOrder order) {
    return (first & (order == ByteOrder::little ? 0x01 : 0x80)) != 0;
}
constexpr uint8_t kind_of(uint8_t first, ByteOrder order) {
    return order == ByteOrder::little ? first >> 1 : first & 0x7f;
}
constexpr uint8_t action_of(uint8_t first, ByteOrder order) {
    return order == ByteOrder::little ? first >> 1 & 7 : first >> 4 & 7;
}
// The first byte of a metadata record of this kind.
constexpr uint8_t introducer(Kind kind, ByteOrder order) {
    return static_cast<uint8_t>(order == ByteOrder::little ? kind << 1 | 1 : 0x80 | kind);
}

}  // namespace tracelint::xray
