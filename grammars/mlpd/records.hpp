// mlpd, section 3: the file header, the buffer header and the events, in the order of the specification. The rules of
// the fields' checks are above their records, or with the values in values.hpp.
#pragma once

#include "grammars/mlpd/checks/values.hpp"

namespace tracelint::mlpd {

inline constexpr uint64_t kHeaderId = 0x4D505A01;
inline constexpr uint64_t kBufferId = 0x4D504C01;
inline constexpr uint16_t kOldestVersion = 1, kNewestVersion = 17;
// Stands for data version 17 as a fork writes it, with an IL offset after every frame of a backtrace
// (--mlpd-variant=bt-il-offset, section 3.2).
inline constexpr uint16_t kIlOffsetVersion = 18;

// Section 3.3: what the numbers of a buffer are relative to.
inline constexpr Base kPointerBase{1, "ptr_base"}, kObjectBase{2, "obj_base"}, kMethodBase{3, "method_base"};

// Section 3.1: the layouts of the header, as versions of its fields. Unrelated to the data version, which it holds.
inline constexpr uint16_t kSysid = 0, kPortAndSysid = 1, kStrings = 2, kTwoClocks = 3;

constexpr uint16_t header_layout(uint64_t major, uint64_t minor) {
    if (major == 0) return minor <= 1 ? kSysid : kPortAndSysid;
    return major <= 2 ? kStrings : kTwoClocks;
}

// The tag of an event is its op byte. That of metadata includes the type of the object.
inline constexpr uint64_t kMetadataType = 2;
constexpr uint64_t metadata_tag(uint64_t mtype) { return mtype << 8 | kMetadataType; }

// --- fields of many events

inline constexpr Rule kNullObject{
    .id = "mlpd/null-object",
    .severity = Severity::warning,
    .statement = "object references are not null",
    .message = "the object is null",
    .why = "readers treat address 0 as an object, and count all such events as those of one object",
    .spec = "3.12 Null pointers",
    .since = "0.1.0",
};

inline constexpr Rule kNullMethod{
    .id = "mlpd/null-method",
    .severity = Severity::warning,
    .statement = "method references are not null",
    .message = "the method is null",
    .why = "readers show an unknown method and count all such calls as those of one method",
    .spec = "3.12 Null pointers",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{.severity = Severity::note,
                         .when = "it is a frame of SAMPLE_HIT",
                         .message = {},
                         .why = "the sampler found no method for the address; readers show an unknown method"},
};

constexpr Field op(uint64_t value) { return u8("op").equals(value); }
constexpr Field ops(std::span<const NamedValue> values) { return u8("op").known(values); }
inline constexpr Field kTime =
    uleb128("time").holds(Quantity::nanoseconds).says("ns since the previous event, for the first one since time_base");
constexpr Field pointer(std::string_view name) {
    return sleb128(name).relative_to(kPointerBase).holds(Quantity::address);
}
constexpr Field object(std::string_view name) {
    return sleb128(name).relative_to(kObjectBase, 3).holds(Quantity::address);
}
constexpr Field method(std::string_view name) {
    return sleb128(name).relative_to(kMethodBase).running().holds(Quantity::address).differs_from(0, &kNullMethod);
}

// --- 3.1 File header ----------------------------------------------------------------------------------------

inline constexpr Rule kBadMagic{
    .id = "mlpd/bad-magic",
    .severity = Severity::error,
    .statement = "id is 0x4D505A01, the bytes 01 5A 50 4D",
    .message = "id is {0x}, expected 0x4d505a01",
    .why = "every reader rejects the file; nothing more is checked here",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

inline constexpr Rule kUnsupportedDataVersion{
    .id = "mlpd/unsupported-data-version",
    .severity = Severity::error,
    .statement = "format, the data version, is 1 to 17",
    .message = "data version {0} is unsupported, expected 1 to 17",
    .why =
        "mprof-report rejects versions above 17, Mono.Profiler.Log also those below 13; the layout of the events is "
        "unknown, so nothing more is checked here",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

inline constexpr Rule kUnknownMajorVersion{
    .id = "mlpd/unknown-major-version",
    .severity = Severity::warning,
    .statement = "major is 0 to 3",
    .message = "major is {0}, but no known runtime wrote more than 3; the header is read with the layout of 3",
    .why = "major decides the layout of the header: if it is wrong, readers take the other fields from wrong places",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

inline constexpr Rule kHeaderFlagsNonzero{
    .id = "mlpd/header-flags-nonzero",
    .severity = Severity::error,
    .statement = "flags is 0",
    .message = "flags is {0x}, but no flag is defined",
    .why = "mprof-report rejects the file as no profiler data or an unsupported version",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

inline constexpr Rule kSysidNonzero{
    .id = "mlpd/sysid-nonzero",
    .severity = Severity::note,
    .statement = "sysid is 0",
    .message = "sysid is {0}, but no runtime ever set it",
    .why = "readers that show the number show a meaningless one",
    .spec = "3.1 File header",
    .since = "0.1.0",
};

// clang-format off

inline constexpr auto kHeader = record("header", kNoTag, "the file header; its versions are layouts: 0 of profiler 0.0 and 0.1, 1 of the other 0.x, "
    "2 of 1.x and 2.x, 3 of 3.x", {
    u32("id").equals(kHeaderId, &kBadMagic),
    u8("major").at_most(3, &kUnknownMajorVersion),
    u8("minor"),
    u8("format").at_least(kOldestVersion, &kUnsupportedDataVersion).at_most(kNewestVersion, &kUnsupportedDataVersion).says("the data version, which decides about events and their layout"),
    u8("ptrsize").known(kPointerSizes, &kBadPointerSize),
    u64("startup_time").holds(Quantity::date_ms).says("ms since 1970"),
    u64("ns_startup_time").holds(Quantity::time).since(kTwoClocks).says("of the clock of the events"),
    i32("timer_overhead").holds(Quantity::nanoseconds).says("ns"),
    u32("flags").equals(0, &kHeaderFlagsNonzero),
    u32("pid"),
    u16("port").since(kPortAndSysid),
    u32("sysid").until(kSysid).equals(0, &kSysidNonzero),
    u16("sysid").since(kPortAndSysid).until(kPortAndSysid).equals(0, &kSysidNonzero),
    i32("args_size").holds(Quantity::size).since(kStrings), bytes("args").since(kStrings).sized_by("args_size").says("ends with a NUL"),
    i32("arch_size").holds(Quantity::size).since(kStrings), bytes("arch").since(kStrings).sized_by("arch_size").says("ends with a NUL"),
    i32("os_size").holds(Quantity::size).since(kStrings), bytes("os").since(kStrings).sized_by("os_size").says("ends with a NUL")}).not_numbered();

// clang-format on

// --- 3.3 Buffer header --------------------------------------------------------------------------------------

inline constexpr Rule kBadBufferId{
    .id = "mlpd/bad-buffer-id",
    .severity = Severity::error,
    .statement = "a buffer begins with 0x4D504C01, the bytes 01 4C 50 4D",
    .message = "buffer id is {0x}, expected 0x4d504c01",
    .why = "mprof-report stops here and reports only what came before, Mono.Profiler.Log throws an exception",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true, .file_size = true},
};

// clang-format off

inline constexpr auto kBuffer = record("buffer", kNoTag, "the header of a buffer, before its events", {
    u32("id").equals(kBufferId, &kBadBufferId),
    u32("len").holds(Quantity::size).says("bytes of events"),
    u64("time_base").holds(Quantity::time).says("ns"), u64("ptr_base").holds(Quantity::address), u64("obj_base").holds(Quantity::address).says("already shifted right by 3"),
    u64("thread_id"), u64("method_base").holds(Quantity::address)});

// clang-format on

// --- 3.5 Backtrace ------------------------------------------------------------------------------------------

inline constexpr Rule kBacktraceFlagsNonzero{
    .id = "mlpd/backtrace-flags-nonzero",
    .severity = Severity::error,
    .statement = "the flags of a backtrace are 0 (up to data version 12)",
    .message = "flags is {0}, but no flag is defined",
    .why = "old readers stop at such a backtrace, newer ones ignore the flags; the bytes may be misread",
    .spec = "3.5 Backtraces",
    .since = "0.1.0",
};

inline constexpr Rule kBacktraceTooDeep{
    .id = "mlpd/backtrace-too-deep",
    .severity = Severity::note,
    .statement = "a backtrace has at most 32 frames",
    .message = "the backtrace has {0} frames, but no runtime records more than 32",
    .why = "readers accept any number; another writer made the file, or the count is wrong",
    .spec = "3.5 Backtraces",
    .since = "0.1.0",
};

// clang-format off
inline constexpr auto kOldFrame = record("old_frame", kNoTag, "a frame up to version 12", {
    pointer("method").differs_from(0, &kNullMethod)});
inline constexpr auto kFrame = record("frame", kNoTag, "a frame of a backtrace since version 13; version 18 stands for --mlpd-variant=bt-il-offset", {
    method("method"), uleb128("il_offset").since(kIlOffsetVersion)});
inline constexpr Field kBacktraceFlags = uleb128("backtrace_flags").until(12).equals(0, &kBacktraceFlagsNonzero);
inline constexpr Field kFrameCount = uleb128("frame_count").at_most(32, &kBacktraceTooDeep);
inline constexpr Field kOldBacktrace = list("backtrace", kOldFrame).counted_by("frame_count").until(12);
inline constexpr Field kBacktrace = list("backtrace", kFrame).counted_by("frame_count").since(13);

// Stand for an event of which only the op byte, or only the front, could be read.
inline constexpr auto kUnknownEvent = record("event", kNoTag, "an unknown event byte and the rest of its buffer", {
    u8("op"), bytes("rest")}).as_fallback();
inline constexpr auto kMetadata = record("METADATA", kNoTag, "the front of every metadata event", {
    u8("op"), kTime, u8("mtype")}).as_fallback();

// clang-format on

// --- 3.6 Events: type 0, allocations ------------------------------------------------------------------------

inline constexpr Rule kObjectSizeUnaligned{
    .id = "mlpd/object-size-unaligned",
    .severity = Severity::note,
    .statement = "object sizes are multiples of 8, and above 0 in allocations (data version 17)",
    .message = "size is {0}, but the runtime rounds sizes up to multiples of 8",
    .why = "sums of allocated bytes differ a little from what the heap really used; another writer made the file",
    .spec = "3.6.1 TYPE_ALLOC (0); 3.6.6 TYPE_HEAP (6)",
    .since = "0.1.0",
};

// clang-format off

// Of allocations and heap objects.
inline constexpr Field kClassOf = pointer("class").until(14);
inline constexpr Field kVtableOf = pointer("vtable").since(15);
inline constexpr Field kLiveObject = object("object").differs_from(0, &kNullObject);
inline constexpr Field kOldSize = uleb128("size").holds(Quantity::size).until(16);
inline constexpr Field kSize = uleb128("size").holds(Quantity::size).since(17).only_bits(~uint64_t{7}, &kObjectSizeUnaligned);
inline constexpr Field kAllocatedSize = kSize.differs_from(0, &kObjectSizeUnaligned);

inline constexpr auto kAlloc = record("ALLOC", 0x00, "an object was allocated", {
    op(0x00), kTime, kClassOf, kVtableOf, kLiveObject, kOldSize, kAllocatedSize});
inline constexpr auto kAllocBacktrace = record("ALLOC_BT", 0x10, "ALLOC with a backtrace", {
    op(0x10), kTime, kClassOf, kVtableOf, kLiveObject, kOldSize, kAllocatedSize,
    kBacktraceFlags, kFrameCount, kOldBacktrace, kBacktrace});

// clang-format on

// --- type 1, garbage collector ------------------------------------------------------------------------------

inline constexpr Rule kOddMoveCount{
    .id = "mlpd/odd-move-count",
    .severity = Severity::error,
    .statement = "the count of GC_MOVE is even, since objects come in pairs of old and new address",
    .message = "count is {0}, but objects come in pairs of old and new address",
    .why = "mprof-report reads one object too many and silently loses sync",
    .spec = "3.6.2 TYPE_GC (1)",
    .since = "0.1.0",
};

// clang-format off

inline constexpr auto kGcEvent = record("GC_EVENT", 0x11, "a step of a collection", {
    op(0x11), kTime,
    uleb128("event").until(12).known(kGcEvents1, &kGcEventRange),
    u8("event").since(13).until(13).known(kGcEvents13, &kGcEventRange),
    u8("event").since(14).known(kGcEvents14, &kGcEventRange),
    uleb128("generation").until(12).at_most(1, &kGcGenerationRange),
    u8("generation").since(13).at_most(1, &kGcGenerationRange)});
inline constexpr auto kGcResize = record("GC_RESIZE", 0x21, "the heap has a new size", {op(0x21), kTime, uleb128("new_size").holds(Quantity::size)});
inline constexpr auto kMove = record("move", kNoTag, "alternately the old and the new address of an object", {object("object")});
inline constexpr auto kGcMove = record("GC_MOVE", 0x31, "objects were moved", {
    op(0x31), kTime, uleb128("count").only_bits(~uint64_t{1}, &kOddMoveCount), list("moves", kMove).counted_by("count")});

inline constexpr Field kHandleType = uleb128("type").known(kHandleTypes, &kGcHandleTypeRange);
inline constexpr auto kHandleCreated = record("GC_HANDLE_CREATED", 0x41, "", {
    op(0x41), kTime, kHandleType, uleb128("handle"), object("object").says("may be null")});
inline constexpr auto kHandleDestroyed = record("GC_HANDLE_DESTROYED", 0x51, "", {op(0x51), kTime, kHandleType, uleb128("handle")});
inline constexpr auto kHandleCreatedBacktrace = record("GC_HANDLE_CREATED_BT", 0x61, "GC_HANDLE_CREATED with a backtrace", {
    op(0x61), kTime, kHandleType, uleb128("handle"), object("object").says("may be null"),
    kBacktraceFlags, kFrameCount, kOldBacktrace, kBacktrace}).versions(11);
inline constexpr auto kHandleDestroyedBacktrace = record("GC_HANDLE_DESTROYED_BT", 0x71, "GC_HANDLE_DESTROYED with a backtrace", {
    op(0x71), kTime, kHandleType, uleb128("handle"),
    kBacktraceFlags, kFrameCount, kOldBacktrace, kBacktrace}).versions(11);
inline constexpr auto kFinalizeStart = record("GC_FINALIZE_START", 0x81, "the finalizer thread starts on its queue", {op(0x81), kTime}).versions(13);
inline constexpr auto kFinalizeEnd = record("GC_FINALIZE_END", 0x91, "", {op(0x91), kTime}).versions(13);
inline constexpr auto kFinalizeObjectStart = record("GC_FINALIZE_OBJECT_START", 0xA1, "", {op(0xA1), kTime, object("object")}).versions(13);
inline constexpr auto kFinalizeObjectEnd = record("GC_FINALIZE_OBJECT_END", 0xB1, "", {op(0xB1), kTime, object("object")}).versions(13);

// clang-format on

// --- 3.7: type 2, metadata ----------------------------------------------------------------------------------

inline constexpr Rule kMetadataFlagsNonzero{
    .id = "mlpd/metadata-flags-nonzero",
    .severity = Severity::error,
    .statement = "the flags of metadata are 0 (up to data version 12)",
    .message = "flags is {0}, but no flag is defined",
    .why = "readers of that time stop with an error here",
    .spec = "3.7 TYPE_METADATA (2)",
    .since = "0.1.0",
};

// clang-format off

inline constexpr Field kMetadataFlags = uleb128("flags").until(12).equals(0, &kMetadataFlagsNonzero);

// Subtypes: 0 name, 2 loaded, 4 unloaded. The flag 8 announces a load error (versions 1 to 10, never written).
inline constexpr NamedValue kMetadataOps[] = {
    {0x02, "name"}, {0x22, "loaded"}, {0x42, "unloaded"}, {0x82, "name, load error"}, {0xA2, "load error"}, {0xC2, "unloaded, load error"}};
constexpr Field mtype(uint64_t value) { return u8("mtype").equals(value); }

inline constexpr auto kClass = record("METADATA class", metadata_tag(1), "a class", {
    ops(kMetadataOps), kTime, mtype(1), pointer("pointer"), pointer("image"), kMetadataFlags, string("name")});
inline constexpr auto kImage = record("METADATA image", metadata_tag(2), "an image", {
    ops(kMetadataOps), kTime, mtype(2), pointer("pointer"), kMetadataFlags, string("name"),
    string("mvid").since(16).only_if("op", 0x22).says("GUID or empty")});
inline constexpr auto kAssembly = record("METADATA assembly", metadata_tag(3), "an assembly", {
    ops(kMetadataOps), kTime, mtype(3), pointer("pointer"), pointer("image").since(14), kMetadataFlags, string("name")}).versions(11);
inline constexpr auto kDomain = record("METADATA domain", metadata_tag(4), "an application domain, identified by its id; 0 is the root domain", {
    ops(kMetadataOps), kTime, mtype(4), pointer("pointer"), kMetadataFlags, string("name").only_if("op", 0x02)}).versions(11);
inline constexpr auto kThread = record("METADATA thread", metadata_tag(5), "a thread, identified by its native id", {
    ops(kMetadataOps), kTime, mtype(5), pointer("pointer"), kMetadataFlags, string("name").only_if("op", {0x02, 0x82})});
inline constexpr auto kContext = record("METADATA context", metadata_tag(6), "a context; ids are unique within a domain", {
    ops(kMetadataOps), kTime, mtype(6), pointer("pointer"), kMetadataFlags, pointer("domain")}).versions(11);
inline constexpr auto kVtable = record("METADATA vtable", metadata_tag(7), "a class in a domain", {
    ops(kMetadataOps), kTime, mtype(7), pointer("pointer"), pointer("domain"), pointer("class")}).versions(15);

// --- type 3, methods ----------------------------------------------------------------------------------------

inline constexpr auto kLeave = record("LEAVE", 0x13, "a method returned", {op(0x13), kTime, method("method")});
inline constexpr auto kEnter = record("ENTER", 0x23, "a method was called", {op(0x23), kTime, method("method")});
inline constexpr auto kExceptionLeave = record("EXC_LEAVE", 0x33, "a method was left by an exception", {op(0x33), kTime, method("method")});
inline constexpr auto kJit = record("JIT", 0x43, "a method was compiled; its time may be earlier than that of the previous event", {
    op(0x43), kTime, method("method"), pointer("code"), uleb128("code_size").holds(Quantity::size), string("name")});

// --- type 4, exceptions -------------------------------------------------------------------------------------

inline constexpr auto kThrow = record("THROW", 0x04, "an exception was thrown", {op(0x04), kTime, kLiveObject});
inline constexpr auto kThrowBacktrace = record("THROW_BT", 0x84, "THROW with a backtrace", {
    op(0x84), kTime, kLiveObject, kBacktraceFlags, kFrameCount, kOldBacktrace, kBacktrace});
inline constexpr NamedValue kClauseOps[] = {{0x14, "CLAUSE"}, {0x94, "CLAUSE with the backtrace flag, never written"}};
inline constexpr auto kClause = record("CLAUSE", 0x14, "a clause of an exception handler ran", {
    ops(kClauseOps), kTime,
    uleb128("type").until(12).known(kClauseTypes, &kExceptionClauseTypeRange),
    u8("type").since(13).known(kClauseTypes, &kExceptionClauseTypeRange),
    uleb128("index"), method("method"), object("object").since(14).says("may be null")});

// --- type 5, monitors ---------------------------------------------------------------------------------------

inline constexpr uint64_t kOldMonitorBacktrace = 0x95;
inline constexpr NamedValue kOldMonitorOps[] = {
    {0x15, "contention"}, {0x25, "done"}, {0x35, "fail"}, {kOldMonitorBacktrace, "contention with a backtrace"}};
inline constexpr auto kOldMonitor = record("MONITOR", 0x15, "up to version 13: any event byte with low bits 5", {
    ops(kOldMonitorOps), kTime, kLiveObject,
    uleb128("backtrace_flags").until(12).equals(0, &kBacktraceFlagsNonzero).only_if("op", kOldMonitorBacktrace),
    kFrameCount.only_if("op", kOldMonitorBacktrace),
    kOldBacktrace.only_if("op", kOldMonitorBacktrace), kBacktrace.only_if("op", kOldMonitorBacktrace)}).versions(1, 13);
inline constexpr Field kMonitorEvent = u8("event").known(kMonitorEvents, &kMonitorEventRange);
inline constexpr auto kMonitor = record("MONITOR", 0x05, "since version 14", {op(0x05), kTime, kMonitorEvent, kLiveObject}).versions(14);
inline constexpr auto kMonitorBacktrace = record("MONITOR_BT", 0x85, "MONITOR with a backtrace", {
    op(0x85), kTime, kMonitorEvent, kLiveObject, kFrameCount, kBacktrace}).versions(14);

// clang-format on

// --- type 6, heap -------------------------------------------------------------------------------------------

inline constexpr Rule kRootCountZero{
    .id = "mlpd/root-count-zero",
    .severity = Severity::note,
    .statement = "HEAP_ROOT lists at least one root",
    .message = "the event lists no root",
    .why = "harmless to readers, but the runtime writes no such event",
    .spec = "3.6.6 TYPE_HEAP (6)",
    .since = "0.1.0",
};

// clang-format off

inline constexpr auto kHeapStart = record("HEAP_START", 0x06, "a heapshot begins", {op(0x06), kTime});
inline constexpr auto kHeapEnd = record("HEAP_END", 0x16, "a heapshot ends", {op(0x16), kTime});
inline constexpr auto kReference = record("reference", kNoTag, "a reference that an object holds", {
    uleb128("offset").since(2).says("bytes from the previous reference, for the first one from the start of the object"), kLiveObject});
inline constexpr auto kHeapObject = record("HEAP_OBJECT", 0x26, "an object of a heapshot; with size 0, more references of a listed object", {
    op(0x26), uleb128("time").holds(Quantity::nanoseconds).since(13), kLiveObject, kClassOf, kVtableOf, kOldSize, kSize,
    u8("generation").since(16).at_most(1, &kHeapGenerationRange),
    uleb128("count"), list("references", kReference).counted_by("count")});
inline constexpr auto kRoot = record("root", kNoTag, "", {
    pointer("slot").since(15), object("object"),
    uleb128("root_type").until(12), u8("root_type").since(13).until(13), uleb128("root_type").since(14).until(14),
    uleb128("extra").until(14)});
inline constexpr auto kHeapRoot = record("HEAP_ROOT", 0x36, "roots of the heap", {
    op(0x36), uleb128("time").holds(Quantity::nanoseconds).since(13), uleb128("count").differs_from(0, &kRootCountZero), uleb128("gc_count").until(14),
    list("roots", kRoot).counted_by("count")}).versions(3);
inline constexpr auto kRootRegister = record("HEAP_ROOT_REGISTER", 0x46, "", {
    op(0x46), kTime, pointer("start"), uleb128("size").holds(Quantity::size), u8("source").known(kRootSources, &kRootSourceRange), pointer("key"),
    string("description")}).versions(15);
inline constexpr auto kRootUnregister = record("HEAP_ROOT_UNREGISTER", 0x56, "", {op(0x56), kTime, pointer("start")}).versions(15);

// --- type 7, samples ----------------------------------------------------------------------------------------

inline constexpr auto kAddress = record("address", kNoTag, "", {pointer("ip")});
inline constexpr auto kSampleFrame = record("sample_frame", kNoTag, "a managed frame, innermost first", {
    method("method"), sleb128("il_offset").until(12), sleb128("native_offset").until(12)});
inline constexpr auto kSampleHit = record("SAMPLE_HIT", 0x07, "where a thread was when it was sampled", {
    op(0x07), uleb128("time").holds(Quantity::nanoseconds).since(13),
    uleb128("sample_type").until(12).known(kSampleTypes, &kSampleTypeRange),
    u8("sample_type").since(13).until(13).known(kSampleTypes, &kSampleTypeRange),
    uleb128("timestamp").holds(Quantity::time).until(12).says("ns"), pointer("thread").since(11),
    uleb128("count"), list("addresses", kAddress).counted_by("count"),
    uleb128("frame_count").since(6), list("frames", kSampleFrame).counted_by("frame_count").since(6)}).versions(4);
inline constexpr auto kSampleSymbol = record("SAMPLE_USYM", 0x17, "an unmanaged function", {
    op(0x17), uleb128("time").holds(Quantity::nanoseconds).since(13), pointer("address"), uleb128("size").holds(Quantity::size).says("0 if unknown"), string("name")}).versions(4);
inline constexpr auto kSampleBinary = record("SAMPLE_UBIN", 0x27, "a mapped binary", {
    op(0x27), kTime, sleb128("address").holds(Quantity::address).until(13), pointer("address").since(14), uleb128("file_offset").holds(Quantity::address), uleb128("size").holds(Quantity::size),
    string("name")}).versions(4, 15);
inline constexpr auto kDescriptor = record("descriptor", kNoTag, "the descriptor of a counter", {
    uleb128("section").until(11).known(kSections5, &kCounterSectionRange),
    uleb128("section").since(12).known(kSections12, &kCounterSectionRange),
    string("section_name").since(7).only_if("section", kPerformanceCounters), string("name"),
    uleb128("type").until(12).known(kCounterTypes, &kCounterTypeRange),
    u8("type").since(13).until(14).known(kCounterTypes, &kCounterTypeRange),
    uleb128("type").since(15).known(kCounterTypes, &kCounterTypeRange),
    uleb128("unit").until(12).known(kUnits, &kCounterUnitVariance),
    u8("unit").since(13).until(14).known(kUnits, &kCounterUnitVariance),
    uleb128("unit").since(15).known(kUnits, &kCounterUnitVariance),
    uleb128("variance").until(12).known(kVariances, &kCounterUnitVariance).says("may be 0 for performance counters"),
    u8("variance").since(13).until(14).known(kCutVariances, &kCounterUnitVariance),
    uleb128("variance").since(15).known(kVariances, &kCounterUnitVariance).says("may be 0 for performance counters"),
    uleb128("index")});
inline constexpr auto kCountersDescription = record("SAMPLE_COUNTERS_DESC", 0x37, "describes counters", {
    op(0x37), uleb128("time").holds(Quantity::nanoseconds).since(13), uleb128("count"), list("descriptors", kDescriptor).counted_by("count")}).versions(5);
// clang-format on

inline constexpr Rule kCounterStringFlag{
    .id = "mlpd/counter-string-flag",
    .severity = Severity::warning,
    .statement = "the flag before a string is 0 (no string) or 1",
    .message = "the string flag is {0}, expected 0 or 1; a string is assumed",
    .why = "mprof-report and Mono.Profiler.Log disagree on other values, so one of them loses sync",
    .spec = "3.6.7 TYPE_SAMPLE (7)",
    .since = "0.1.0",
};

// clang-format off

inline constexpr auto kSample = record("sample", kNoTag, "the value of a counter; index 0 ends the list", {
    uleb128("index"),
    uleb128("type").until(12).unless("index", 0).known(kCounterTypes, &kCounterTypeRange),
    u8("type").since(13).until(14).unless("index", 0).known(kCounterTypes, &kCounterTypeRange),
    uleb128("type").since(15).unless("index", 0).known(kCounterTypes, &kCounterTypeRange),
    sleb128("signed_value").only_if("type", {0, 2, 3, 7}),
    uleb128("unsigned_value").only_if("type", {1, 4}),
    u64("double_value").only_if("type", 5),
    u8("string_flag").only_if("type", 6).at_most(1, &kCounterStringFlag),
    string("string_value").unless("string_flag", 0)});
inline constexpr auto kCounters = record("SAMPLE_COUNTERS", 0x47, "values of counters", {
    op(0x47), uleb128("timestamp").until(12).says("ms"), uleb128("time").holds(Quantity::nanoseconds).since(13), list("samples", kSample).to_zero()}).versions(5);

// --- type 8, runtime ----------------------------------------------------------------------------------------

inline constexpr auto kJitHelper = record("JITHELPER", 0x18, "code that the runtime generated for itself", {
    op(0x18), kTime,
    uleb128("type").since(8).until(8).known(kJitHelpers8, &kJitHelperTypeRange),
    uleb128("type").since(9).until(12).known(kJitHelpers9, &kJitHelperTypeRange),
    u8("type").since(13).until(13).known(kJitHelpers9, &kJitHelperTypeRange),
    u8("type").since(14).known(kJitHelpers14, &kJitHelperTypeRange),
    pointer("address"), uleb128("size").holds(Quantity::size),
    string("name").until(13).only_if("type", 6), string("name").since(14).only_if("type", 5)}).versions(8);

// --- type 9, coverage ---------------------------------------------------------------------------------------

inline constexpr auto kCoverageAssembly = record("COVERAGE_ASSEMBLY", 0x09, "", {
    op(0x09), uleb128("time").holds(Quantity::nanoseconds).since(13), string("name"), string("guid"), string("file"),
    uleb128("methods"), uleb128("full"), uleb128("partial")}).versions(10, 15);
inline constexpr auto kCoverageMethod = record("COVERAGE_METHOD", 0x19, "", {
    op(0x19), uleb128("time").holds(Quantity::nanoseconds).since(13), string("assembly"), string("class"), string("name"), string("signature"), string("file"),
    uleb128("token"), uleb128("method_id"), uleb128("statement_count")}).versions(10, 15);
inline constexpr auto kCoverageStatement = record("COVERAGE_STATEMENT", 0x29, "", {
    op(0x29), uleb128("time").holds(Quantity::nanoseconds).since(13), uleb128("method_id"), uleb128("offset"), uleb128("hits"), uleb128("line"), uleb128("column")}).versions(10, 15);
inline constexpr auto kCoverageClass = record("COVERAGE_CLASS", 0x39, "", {
    op(0x39), uleb128("time").holds(Quantity::nanoseconds).since(13), string("assembly"), string("class"), uleb128("methods"), uleb128("full"), uleb128("partial")}).versions(10, 15);

// --- type 10, meta ------------------------------------------------------------------------------------------

inline constexpr auto kSyncPoint = record("SYNC_POINT", 0x0A, "all events that happened before it precede it in the file", {
    op(0x0A), kTime, u8("type").known(kSyncPoints, &kSyncPointTypeRange)}).versions(13);
inline constexpr auto kAotId = record("AOT_ID", 0x1A, "", {op(0x1A), kTime, string("guid")}).versions(16);

// clang-format on

inline constexpr const Record* kRecords[] = {&kHeader,
                                             &kBuffer,
                                             &kUnknownEvent,
                                             &kAlloc,
                                             &kAllocBacktrace,
                                             &kGcEvent,
                                             &kGcResize,
                                             &kGcMove,
                                             &kHandleCreated,
                                             &kHandleDestroyed,
                                             &kHandleCreatedBacktrace,
                                             &kHandleDestroyedBacktrace,
                                             &kFinalizeStart,
                                             &kFinalizeEnd,
                                             &kFinalizeObjectStart,
                                             &kFinalizeObjectEnd,
                                             &kMetadata,
                                             &kClass,
                                             &kImage,
                                             &kAssembly,
                                             &kDomain,
                                             &kThread,
                                             &kContext,
                                             &kVtable,
                                             &kLeave,
                                             &kEnter,
                                             &kExceptionLeave,
                                             &kJit,
                                             &kThrow,
                                             &kThrowBacktrace,
                                             &kClause,
                                             &kOldMonitor,
                                             &kMonitor,
                                             &kMonitorBacktrace,
                                             &kHeapStart,
                                             &kHeapEnd,
                                             &kHeapObject,
                                             &kHeapRoot,
                                             &kRootRegister,
                                             &kRootUnregister,
                                             &kSampleHit,
                                             &kSampleSymbol,
                                             &kSampleBinary,
                                             &kCountersDescription,
                                             &kCounters,
                                             &kJitHelper,
                                             &kCoverageAssembly,
                                             &kCoverageMethod,
                                             &kCoverageStatement,
                                             &kCoverageClass,
                                             &kSyncPoint,
                                             &kAotId};

inline constexpr RuleList kRecordRules =
    rules<&kNullObject, &kNullMethod, &kBadMagic, &kUnsupportedDataVersion, &kUnknownMajorVersion, &kHeaderFlagsNonzero,
          &kSysidNonzero, &kBadBufferId, &kBacktraceFlagsNonzero, &kBacktraceTooDeep, &kObjectSizeUnaligned,
          &kOddMoveCount, &kMetadataFlagsNonzero, &kRootCountZero, &kCounterStringFlag>;

inline constexpr uint64_t kBufferHeaderSize = fixed_size(kBuffer);
static_assert(kBufferHeaderSize == 48);

}  // namespace tracelint::mlpd
