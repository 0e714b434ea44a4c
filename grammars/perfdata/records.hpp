// The file header, the attributes, the records and the feature sections of a perf.data file (section 3), in the order
// and words of perf_event.h and of perf's documentation.
#pragma once

#include <algorithm>
#include <span>

#include "validator/tables/describe.hpp"

namespace tracelint::perfdata {

// The magic number, as a little-endian writer leaves it on disk: "PERFILE2".
inline constexpr uint64_t kMagic = 0x32454C4946524550;
// "PERFFILE", of version 1: the same text in both byte orders.
inline constexpr uint64_t kLegacyMagic = 0x454C494646524550;

// The sizes that a header may claim (section 2).
inline constexpr uint64_t kFileHeaderSize = 104;
inline constexpr uint64_t kOldHeaderSize = 72;
inline constexpr uint64_t kPipeHeaderSize = 16;

// The bits of sample_type (section 3.5).
enum SampleBit : unsigned {
    kIpBit = 0,
    kTidBit = 1,
    kTimeBit = 2,
    kAddrBit = 3,
    kReadBit = 4,
    kCallchainBit = 5,
    kIdBit = 6,
    kCpuBit = 7,
    kPeriodBit = 8,
    kStreamIdBit = 9,
    kRawBit = 10,
    kBranchStackBit = 11,
    kRegsUserBit = 12,
    kStackUserBit = 13,
    kWeightBit = 14,
    kDataSrcBit = 15,
    kIdentifierBit = 16,
    kTransactionBit = 17,
    kRegsIntrBit = 18,
    kPhysAddrBit = 19,
    kAuxBit = 20,
    kCgroupBit = 21,
    kDataPageSizeBit = 22,
    kCodePageSizeBit = 23,
    kWeightStructBit = 24,
};
inline constexpr unsigned kSampleBits = 25, kReadFormatBits = 5;

// The types of records (sections 3.4 and 3.7).
enum TypeNumber : uint32_t {
    kMmapType = 1,
    kLostType = 2,
    kCommType = 3,
    kExitType = 4,
    kThrottleType = 5,
    kUnthrottleType = 6,
    kForkType = 7,
    kReadType = 8,
    kSampleType = 9,
    kMmap2Type = 10,
    kAuxType = 11,
    kItraceStartType = 12,
    kLostSamplesType = 13,
    kSwitchType = 14,
    kSwitchCpuWideType = 15,
    kNamespacesType = 16,
    kKsymbolType = 17,
    kBpfEventType = 18,
    kCgroupType = 19,
    kTextPokeType = 20,
    kAuxOutputHwIdType = 21,
    kCallchainDeferredType = 22,
    kHeaderAttrType = 64,
    kHeaderEventTypeType = 65,
    kHeaderTracingDataType = 66,
    kHeaderBuildIdType = 67,
    kFinishedRoundType = 68,
    kIdIndexType = 69,
    kAuxtraceInfoType = 70,
    kAuxtraceType = 71,
    kAuxtraceErrorType = 72,
    kThreadMapType = 73,
    kCpuMapType = 74,
    kStatConfigType = 75,
    kStatType = 76,
    kStatRoundType = 77,
    kEventUpdateType = 78,
    kTimeConvType = 79,
    kHeaderFeatureType = 80,
    kCompressedType = 81,
    kFinishedInitType = 82,
    kCompressed2Type = 83,
    kBpfMetadataType = 84,
    kSchedstatCpuType = 85,
    kSchedstatDomainType = 86,
    kFirstSimpleperfType = 32768,
    kLastSimpleperfType = 32776,
};

// The bits of features that are judged (section 3.8).
enum Feature : uint32_t {
    kTracingDataFeature = 1,
    kBuildIdFeature = 2,
    kHostnameFeature = 3,
    kOsReleaseFeature = 4,
    kVersionFeature = 5,
    kArchFeature = 6,
    kNrCpusFeature = 7,
    kCpuDescFeature = 8,
    kCpuIdFeature = 9,
    kTotalMemFeature = 10,
    kCmdlineFeature = 11,
    kEventDescFeature = 12,
    kStatFeature = 19,
    kSampleTimeFeature = 21,
    kClockIdFeature = 23,
    kCompressedFeature = 27,
    kClockDataFeature = 29,
};

// The names of features, judged or not, from feature 1 on.
inline constexpr std::string_view kFeatureNames[] = {
    "TRACING_DATA", "BUILD_ID",        "HOSTNAME",   "OSRELEASE",       "VERSION",    "ARCH",         "NRCPUS",
    "CPUDESC",      "CPUID",           "TOTAL_MEM",  "CMDLINE",         "EVENT_DESC", "CPU_TOPOLOGY", "NUMA_TOPOLOGY",
    "BRANCH_STACK", "PMU_MAPPINGS",    "GROUP_DESC", "AUXTRACE",        "STAT",       "CACHE",        "SAMPLE_TIME",
    "MEM_TOPOLOGY", "CLOCKID",         "DIR_FORMAT", "BPF_PROG_INFO",   "BPF_BTF",    "COMPRESSED",   "CPU_PMU_CAPS",
    "CLOCK_DATA",   "HYBRID_TOPOLOGY", "PMU_CAPS",   "CPU_DOMAIN_INFO", "E_MACHINE"};
static_assert(kFeatureNames[kHostnameFeature - 1] == "HOSTNAME" &&
              kFeatureNames[kClockDataFeature - 1] == "CLOCK_DATA");
constexpr std::string_view feature_name(uint64_t feature) {
    return feature - 1 < std::size(kFeatureNames) ? kFeatureNames[feature - 1] : "without a name";
}

// The sizes of perf_event_attr, by its version (section 3.2).
inline constexpr uint16_t kAttrSizes[] = {64, 72, 80, 96, 104, 112, 120, 128, 136, 144};

// The version of an attribute of so many bytes: the last one that has no more.
constexpr uint16_t attr_version(uint64_t size) {
    size_t version = 0;
    for (size_t i = 0; i < std::size(kAttrSizes); ++i)
        if (kAttrSizes[i] <= size) version = i;
    return static_cast<uint16_t>(version);
}

// The layouts of a header or record: the current one, and the one before it where they differ (sections 2 and 3.4).
inline constexpr uint16_t kCurrent = 0, kEarlier = 1;
inline constexpr Layout kEarlierLayout{.version = kEarlier};

inline constexpr NamedValue kMagicName[] = {{kMagic, "PERFILE2"}};
inline constexpr NamedValue kClockNames[] = {
    {0, "REALTIME"}, {1, "MONOTONIC"}, {4, "MONOTONIC_RAW"}, {7, "BOOTTIME"}, {11, "TAI"}};
inline constexpr NamedValue kTypes[] = {
    {kMmapType, "MMAP"},
    {kLostType, "LOST"},
    {kCommType, "COMM"},
    {kExitType, "EXIT"},
    {kThrottleType, "THROTTLE"},
    {kUnthrottleType, "UNTHROTTLE"},
    {kForkType, "FORK"},
    {kReadType, "READ"},
    {kSampleType, "SAMPLE"},
    {kMmap2Type, "MMAP2"},
    {kAuxType, "AUX"},
    {kItraceStartType, "ITRACE_START"},
    {kLostSamplesType, "LOST_SAMPLES"},
    {kSwitchType, "SWITCH"},
    {kSwitchCpuWideType, "SWITCH_CPU_WIDE"},
    {kNamespacesType, "NAMESPACES"},
    {kKsymbolType, "KSYMBOL"},
    {kBpfEventType, "BPF_EVENT"},
    {kCgroupType, "CGROUP"},
    {kTextPokeType, "TEXT_POKE"},
    {kAuxOutputHwIdType, "AUX_OUTPUT_HW_ID"},
    {kCallchainDeferredType, "CALLCHAIN_DEFERRED"},
    {kHeaderAttrType, "HEADER_ATTR"},
    {kHeaderEventTypeType, "HEADER_EVENT_TYPE"},
    {kHeaderTracingDataType, "HEADER_TRACING_DATA"},
    {kHeaderBuildIdType, "HEADER_BUILD_ID"},
    {kFinishedRoundType, "FINISHED_ROUND"},
    {kIdIndexType, "ID_INDEX"},
    {kAuxtraceInfoType, "AUXTRACE_INFO"},
    {kAuxtraceType, "AUXTRACE"},
    {kAuxtraceErrorType, "AUXTRACE_ERROR"},
    {kThreadMapType, "THREAD_MAP"},
    {kCpuMapType, "CPU_MAP"},
    {kStatConfigType, "STAT_CONFIG"},
    {kStatType, "STAT"},
    {kStatRoundType, "STAT_ROUND"},
    {kEventUpdateType, "EVENT_UPDATE"},
    {kTimeConvType, "TIME_CONV"},
    {kHeaderFeatureType, "HEADER_FEATURE"},
    {kCompressedType, "COMPRESSED"},
    {kFinishedInitType, "FINISHED_INIT"},
    {kCompressed2Type, "COMPRESSED2"},
    {kBpfMetadataType, "BPF_METADATA"},
    {kSchedstatCpuType, "SCHEDSTAT_CPU"},
    {kSchedstatDomainType, "SCHEDSTAT_DOMAIN"},
};

// clang-format off

// 2. In version 1 it is a text, the same in both byte orders.
inline constexpr Field kMagicField       = u64("magic").until(kCurrent).equals(kMagic).named(kMagicName) .says("PERFILE2 in the byte order of the file");
inline constexpr Field kLegacyMagicField = bytes("magic", 8).since(kEarlier)                             .says("PERFFILE");

// 3.1 File header. One of another length ends earlier.
inline constexpr auto kHeader = record("header", kNoTag, "file header; version 1: up to Linux 3.3", {
    kMagicField, kLegacyMagicField,
    u64("size").holds(Quantity::size).equals(kFileHeaderSize)             .says("bytes of this header"),
    u64("attr_size").holds(Quantity::size)          .says("bytes of an entry of attrs: the attribute, and 16 for its ids"),
    u64("attrs_offset").holds(Quantity::address),
    u64("attrs_size").holds(Quantity::size),
    u64("data_offset").holds(Quantity::address),
    u64("data_size").holds(Quantity::size),
    u64("event_types_offset").holds(Quantity::address),
    u64("event_types_size").holds(Quantity::size)   .says("0 since Linux 3.x"),
    u64("features_0")                               .says("a bit for each section of the feature table"),
    u64("features_1"),
    u64("features_2"),
    u64("features_3"),
}).not_numbered();

// 2. The header before Linux 2.6.34
inline constexpr auto kOldHeader = record("header of 72 bytes", kNoTag, "file header without feature bits; version 1: up to Linux 3.3", {
    kMagicField, kLegacyMagicField,
    u64("size").holds(Quantity::size).equals(kOldHeaderSize),
    u64("attr_size").holds(Quantity::size), u64("attrs_offset").holds(Quantity::address), u64("attrs_size").holds(Quantity::size), u64("data_offset").holds(Quantity::address), u64("data_size").holds(Quantity::size),
    u64("event_types_offset").holds(Quantity::address), u64("event_types_size").holds(Quantity::size),
}).not_numbered();

// 2. The header of a pipe stream
inline constexpr auto kPipeHeader = record("pipe header", kNoTag, "header of a pipe stream; version 1: up to Linux 3.3", {
    kMagicField, kLegacyMagicField,
    u64("size").holds(Quantity::size).equals(kPipeHeaderSize),
}).not_numbered();

// 3.1 What is between the header and the attributes
inline constexpr auto kEventId = record("id", kNoTag, "the id of an event on one CPU", {u64("id")});
inline constexpr auto kIds = record("ids", kNoTag, "the ids of all attributes", {
    list("ids", kEventId),
}).not_numbered();

// 3.2 perf_event_attr. The version of the layout determines its size.
inline constexpr Field kAttrType         = u32("attr_type");
inline constexpr Field kAttrOwnSize      = u32("attr_size").holds(Quantity::size).at_most(4080) .says("bytes of the attribute; 0 means 64");
inline constexpr Field kConfig           = u64("config");
inline constexpr Field kSamplePeriod     = u64("sample_period").says("or the frequency");
inline constexpr Field kSampleTypeField  = u64("sample_type")  .says("the fields of a SAMPLE (section 3.5)");
inline constexpr Field kReadFormat       = u64("read_format");
inline constexpr Field kFlags            = bits("flags", 8, 0, 18).mirrored()         .says("bits 0 to 17");
inline constexpr Field kSampleIdAll      = bits("sample_id_all", 8, 18, 1) .says("every kernel record ends in a trailer (section 3.6)");
inline constexpr Field kMoreFlags        = bits("more_flags", 8, 19, 6).mirrored()    .says("bits 19 to 24");
inline constexpr Field kUseClockid       = bits("use_clockid", 8, 25, 1);
inline constexpr Field kLaterFlags       = bits("later_flags", 8, 26, 12).mirrored()  .says("bits 26 to 37");
inline constexpr Field kReservedFlags    = bits("reserved", 8, 38, 26).mirrored()     .says("bits 38 to 63");
inline constexpr Field kWakeup           = u32("wakeup");
inline constexpr Field kBpType           = u32("bp_type");
inline constexpr Field kConfig1          = u64("config1");
inline constexpr Field kConfig2          = u64("config2").since(1);
inline constexpr Field kBranchSampleType = u64("branch_sample_type").since(2);
inline constexpr Field kSampleRegsUser   = u64("sample_regs_user").since(3);
inline constexpr Field kSampleStackUser  = u32("sample_stack_user").holds(Quantity::size).since(3);
inline constexpr Field kClockid          = i32("clockid").since(3).named(kClockNames).says("counts with use_clockid");
inline constexpr Field kSampleRegsIntr   = u64("sample_regs_intr").since(4);

inline constexpr auto kAttr = record("attr", kNoTag, "perf_event_attr: what one event is and how it is sampled", {
    kAttrType, kAttrOwnSize, kConfig, kSamplePeriod, kSampleTypeField, kReadFormat,
    kFlags, kSampleIdAll, kMoreFlags, kUseClockid, kLaterFlags, kReservedFlags,
    kWakeup, kBpType, kConfig1, kConfig2, kBranchSampleType, kSampleRegsUser, kSampleStackUser, kClockid, kSampleRegsIntr,
    bytes("rest").since(5).with_numbers(),
}).not_numbered();
// 3.1 It follows each attribute of a file.
inline constexpr auto kIdsSection = record("ids section", kNoTag, "where the ids of the attribute before it are", {
    u64("offset").holds(Quantity::address), u64("size").holds(Quantity::size),
}).not_numbered();
// An attribute as an element of attrs, and the entries of the feature table, for the places of findings.
inline constexpr auto kAttrElement = [] {
    auto element = kAttr;
    element.numbered = true;
    return element;
}();
inline constexpr auto kIdsSectionElement = record("ids section", kNoTag, "where the ids of an attribute are", {u64("offset").holds(Quantity::address), u64("size").holds(Quantity::size)});
inline constexpr Field kAttrList = list("attrs", kAttrElement);

// 3.3 Record header
inline constexpr Field kType = u32("type").named(kTypes);
inline constexpr Field kMisc = u16("misc").only_bits(0x7fff);
inline constexpr Field kSize = u16("size").holds(Quantity::size).record_size()   .says("bytes, this header included");
inline constexpr auto kPrefix = record("prefix", kNoTag, "the start of every record", {kType, kMisc, kSize});

// 3.6 With sample_id_all, this ends every kernel record but SAMPLE.
inline constexpr Field kTrailer = bytes("sample_id").with_numbers()       .says("the trailer (section 3.6)");
inline constexpr Field kPaddedTrailer = bytes("sample_id").with_numbers() .says("zeros up to a multiple of 8, then the trailer (section 3.6)");

// 3.4 Kernel records
inline constexpr auto kMmap = record("MMAP", kMmapType, "a file was mapped", {
    kType.equals(kMmapType), kMisc, kSize, u32("pid"), u32("tid"), u64("start").holds(Quantity::address), u64("len").holds(Quantity::size), u64("pgoff").holds(Quantity::address), string("filename"), kPaddedTrailer});
inline constexpr auto kLost = record("LOST", kLostType, "records of an event were lost", {
    kType.equals(kLostType), kMisc, kSize, u64("id"), u64("lost"), kTrailer});
inline constexpr auto kComm = record("COMM", kCommType, "a thread has a new name", {
    kType.equals(kCommType), kMisc, kSize, u32("pid"), u32("tid"), string("comm"), kPaddedTrailer});
inline constexpr auto kExit = record("EXIT", kExitType, "a thread ended; version 1: of Linux 2.6.31", {
    kType.equals(kExitType), kMisc, kSize, u32("pid"), u32("ppid"), u32("tid"), u32("ptid"), u64("time").holds(Quantity::time).until(kCurrent), kTrailer});
inline constexpr auto kThrottle = record("THROTTLE", kThrottleType, "the kernel stopped an event that came too often", {
    kType.equals(kThrottleType), kMisc, kSize, u64("time").holds(Quantity::time), u64("id"), u64("stream_id"), kTrailer});
inline constexpr auto kUnthrottle = record("UNTHROTTLE", kUnthrottleType, "the event continues", {
    kType.equals(kUnthrottleType), kMisc, kSize, u64("time").holds(Quantity::time), u64("id"), u64("stream_id"), kTrailer});
inline constexpr auto kFork = record("FORK", kForkType, "a thread was created; version 1: of Linux 2.6.31", {
    kType.equals(kForkType), kMisc, kSize, u32("pid"), u32("ppid"), u32("tid"), u32("ptid"), u64("time").holds(Quantity::time).until(kCurrent), kTrailer});
inline constexpr auto kRead = record("READ", kReadType, "the values of an event", {
    kType.equals(kReadType), kMisc, kSize, u32("pid"), u32("tid"), bytes("values").with_numbers() .says("by read_format, then the trailer")});
inline constexpr auto kSample = record("SAMPLE", kSampleType, "one sample", {
    kType.equals(kSampleType), kMisc, kSize, bytes("fields").with_numbers() .says("those of sample_type (section 3.5)")});
inline constexpr auto kMmap2 = record("MMAP2", kMmap2Type, "a file was mapped; version 1: of the kernel of RHEL 7.0", {
    kType.equals(kMmap2Type), kMisc, kSize, u32("pid"), u32("tid"), u64("start").holds(Quantity::address), u64("len").holds(Quantity::size), u64("pgoff").holds(Quantity::address),
    u32("maj")                     .says("or, with bit 14 of misc, the size of the build id that follows"),
    u32("min"), u64("ino"), u64("ino_generation"), u32("prot").until(kCurrent), u32("flags").until(kCurrent), string("filename"), kPaddedTrailer});
inline constexpr auto kAux = record("AUX", kAuxType, "data arrived in the AUX area", {
    kType.equals(kAuxType), kMisc, kSize, u64("aux_offset").holds(Quantity::address), u64("aux_size").holds(Quantity::size), u64("flags"), kTrailer});
inline constexpr auto kItraceStart = record("ITRACE_START", kItraceStartType, "instruction tracing began", {
    kType.equals(kItraceStartType), kMisc, kSize, u32("pid"), u32("tid"), kTrailer});
inline constexpr auto kLostSamples = record("LOST_SAMPLES", kLostSamplesType, "samples were lost", {
    kType.equals(kLostSamplesType), kMisc, kSize, u64("lost"), kTrailer});
inline constexpr auto kSwitch = record("SWITCH", kSwitchType, "a context switch", {
    kType.equals(kSwitchType), kMisc, kSize, kTrailer});
inline constexpr auto kSwitchCpuWide = record("SWITCH_CPU_WIDE", kSwitchCpuWideType, "a context switch, by CPU", {
    kType.equals(kSwitchCpuWideType), kMisc, kSize, u32("next_prev_pid"), u32("next_prev_tid"), kTrailer});
inline constexpr auto kNamespace = record("namespace", kNoTag, "one namespace", {u64("dev"), u64("inode")});
inline constexpr auto kNamespaces = record("NAMESPACES", kNamespacesType, "the namespaces of a thread", {
    kType.equals(kNamespacesType), kMisc, kSize, u32("pid"), u32("tid"), u64("nr"), list("namespaces", kNamespace).counted_by("nr"), kTrailer});
inline constexpr auto kKsymbol = record("KSYMBOL", kKsymbolType, "a symbol of the kernel came or went", {
    kType.equals(kKsymbolType), kMisc, kSize, u64("addr").holds(Quantity::address), u32("len").holds(Quantity::size), u16("ksym_type"), u16("flags"), string("name"), kPaddedTrailer});
inline constexpr auto kBpfEvent = record("BPF_EVENT", kBpfEventType, "a BPF program came or went", {
    kType.equals(kBpfEventType), kMisc, kSize, u16("bpf_type"), u16("flags"), u32("id"), bytes("tag", 8), kTrailer});
inline constexpr auto kCgroup = record("CGROUP", kCgroupType, "the path of a control group", {
    kType.equals(kCgroupType), kMisc, kSize, u64("id"), string("path"), kPaddedTrailer});
inline constexpr auto kTextPoke = record("TEXT_POKE", kTextPokeType, "the kernel changed its code", {
    kType.equals(kTextPokeType), kMisc, kSize, u64("addr").holds(Quantity::address), u16("old_len").holds(Quantity::size).at_most(0x7fff), u16("new_len").holds(Quantity::size).at_most(0x7fff),
    bytes("bytes").with_numbers() .says("the old ones and the new ones, padding, and the trailer")});
inline constexpr auto kAuxOutputHwId = record("AUX_OUTPUT_HW_ID", kAuxOutputHwIdType, "which event an id of the AUX area is", {
    kType.equals(kAuxOutputHwIdType), kMisc, kSize, u64("hw_id"), kTrailer});
inline constexpr auto kAddress = record("ip", kNoTag, "a return address", {u64("ip").holds(Quantity::address)});
inline constexpr auto kCallchainDeferred = record("CALLCHAIN_DEFERRED", kCallchainDeferredType, "the user part of earlier call chains", {
    kType.equals(kCallchainDeferredType), kMisc, kSize, u64("cookie"), u64("nr"), list("ips", kAddress).counted_by("nr"), kTrailer});

// 3.7 perf's own records
inline constexpr auto kHeaderAttr = record("HEADER_ATTR", kHeaderAttrType, "an attribute in a pipe stream", {
    kType.equals(kHeaderAttrType), kMisc, kSize,
    kAttrType, kAttrOwnSize, kConfig, kSamplePeriod, kSampleTypeField, kReadFormat,
    kFlags, kSampleIdAll, kMoreFlags, kUseClockid, kLaterFlags, kReservedFlags,
    kWakeup, kBpType, kConfig1, kConfig2, kBranchSampleType, kSampleRegsUser, kSampleStackUser, kClockid,
    bytes("rest").with_numbers() .says("the later fields of the attribute, then the ids")});
inline constexpr auto kHeaderEventType = record("HEADER_EVENT_TYPE", kHeaderEventTypeType, "the name of an event; obsolete", {
    kType.equals(kHeaderEventTypeType), kMisc, kSize, u64("event_id"), bytes("name") .says("64 bytes at most; zeros up to a multiple of 8, of which there may be none")});
inline constexpr auto kHeaderTracingData = record("HEADER_TRACING_DATA", kHeaderTracingDataType, "tracepoint formats follow the record", {
    kType.equals(kHeaderTracingDataType), kMisc, kSize, u32("data_size").holds(Quantity::size).at_most(0x7fffffff) .says("bytes that follow the record, rounded up to 8"), bytes("padding").with_numbers()});
inline constexpr auto kHeaderBuildId = record("HEADER_BUILD_ID", kHeaderBuildIdType, "the build id of a file", {
    kType.equals(kHeaderBuildIdType), u16("misc"), kSize, i32("pid"), bytes("build_id", 20),
    u8("build_id_size").at_most(20) .says("valid with bit 15 of misc"),
    bytes("reserved", 3), string("filename"), bytes("padding").with_numbers()});
inline constexpr auto kFinishedRound = record("FINISHED_ROUND", kFinishedRoundType, "all ring buffers were read once", {
    kType.equals(kFinishedRoundType), kMisc, kSize, bytes("rest").with_numbers()});
inline constexpr auto kIdIndexEntry = record("entry", kNoTag, "one id", {u64("id"), u64("idx"), u64("cpu"), u64("tid")});
inline constexpr auto kIdIndex = record("ID_INDEX", kIdIndexType, "the CPU and thread of each id", {
    kType.equals(kIdIndexType), kMisc, kSize, u64("nr"), list("entries", kIdIndexEntry).counted_by("nr"),
    bytes("machines").with_numbers() .says("since Linux 6.0: machine_pid and vcpu of each id")});
inline constexpr auto kAuxtraceInfo = record("AUXTRACE_INFO", kAuxtraceInfoType, "what the AUX area holds", {
    kType.equals(kAuxtraceInfoType), kMisc, kSize, u32("auxtrace_type"), u32("reserved"), bytes("private").with_numbers()});
inline constexpr auto kAuxtrace = record("AUXTRACE", kAuxtraceType, "data of the AUX area follow the record", {
    kType.equals(kAuxtraceType), kMisc, kSize, u64("data_size").holds(Quantity::size) .says("bytes that follow the record"),
    u64("data_offset").holds(Quantity::address), u64("reference"), u32("idx"), u32("tid"), u32("cpu"), u32("reserved"), bytes("rest").with_numbers()});
inline constexpr auto kAuxtraceError = record("AUXTRACE_ERROR", kAuxtraceErrorType, "the AUX area could not be decoded; version 1: fmt is 0, before Linux 5.1", {
    kType.equals(kAuxtraceErrorType), kMisc, kSize, u32("error_type"), u32("code"), u32("cpu"), u32("pid"), u32("tid"), u32("fmt"), u64("ip").holds(Quantity::address),
    u64("time").holds(Quantity::time).until(kCurrent), string("msg") .says("64 bytes at most"), bytes("rest").with_numbers() .says("zeros up to a multiple of 8; with fmt 2 machine_pid and vcpu, from 64 bytes after the start of msg on")});
inline constexpr auto kThreadMapEntry = record("entry", kNoTag, "one thread", {u64("pid"), bytes("comm", 16)});
inline constexpr auto kThreadMap = record("THREAD_MAP", kThreadMapType, "the threads that were recorded", {
    kType.equals(kThreadMapType), kMisc, kSize, u64("nr"), list("entries", kThreadMapEntry).counted_by("nr"), bytes("rest").with_numbers()});
inline constexpr NamedValue kCpuMapKinds[] = {{0, "list"}, {1, "mask"}, {2, "range"}};
inline constexpr auto kCpuMap = record("CPU_MAP", kCpuMapType, "the CPUs that were recorded", {
    kType.equals(kCpuMapType), kMisc, kSize, u16("map_type").known(kCpuMapKinds), bytes("map").with_numbers()});
inline constexpr auto kStatConfigEntry = record("entry", kNoTag, "one setting", {u64("tag"), u64("val")});
inline constexpr auto kStatConfig = record("STAT_CONFIG", kStatConfigType, "the settings of perf stat", {
    kType.equals(kStatConfigType), kMisc, kSize, u64("nr"), list("entries", kStatConfigEntry).counted_by("nr"), bytes("rest").with_numbers()});
inline constexpr auto kStat = record("STAT", kStatType, "the counts of an event", {
    kType.equals(kStatType), kMisc, kSize, u64("id"), u32("cpu"), u32("thread"), u64("val"), u64("ena"), u64("run"), bytes("rest").with_numbers()});
inline constexpr auto kStatRound = record("STAT_ROUND", kStatRoundType, "the end of an interval", {
    kType.equals(kStatRoundType), kMisc, kSize, u64("round_type"), u64("time").holds(Quantity::time), bytes("rest").with_numbers()});
inline constexpr auto kEventUpdate = record("EVENT_UPDATE", kEventUpdateType, "unit, scale, name or CPUs of an event", {
    kType.equals(kEventUpdateType), kMisc, kSize, u64("update_type"), u64("id"), bytes("data").with_numbers()});
inline constexpr auto kTimeConv = record("TIME_CONV", kTimeConvType, "how values of the architecture's counter become times", {
    kType.equals(kTimeConvType), kMisc, kSize, u64("time_shift"), u64("time_mult"), u64("time_zero"),
    bytes("rest").with_numbers() .says("since Linux 5.10: time_cycles, time_mask, cap_user_time_zero, cap_user_time_short")});
inline constexpr auto kHeaderFeature = record("HEADER_FEATURE", kHeaderFeatureType, "a feature section in a pipe stream", {
    kType.equals(kHeaderFeatureType), kMisc, kSize, u64("feat_id"), bytes("section").with_numbers()});
inline constexpr auto kCompressed = record("COMPRESSED", kCompressedType, "compressed records", {
    kType.equals(kCompressedType), kMisc, kSize, bytes("payload").streamed() .says("a part of the file's one zstd stream")});
inline constexpr auto kFinishedInit = record("FINISHED_INIT", kFinishedInitType, "the records that perf synthesizes are over", {
    kType.equals(kFinishedInitType), kMisc, kSize, bytes("rest").with_numbers()});
inline constexpr auto kCompressed2 = record("COMPRESSED2", kCompressed2Type, "compressed records, padded", {
    kType.equals(kCompressed2Type), kMisc, kSize, u64("data_size").holds(Quantity::size), bytes("payload").streamed() .says("a part of the file's one zstd stream, then zeros up to a multiple of 8")});
inline constexpr auto kBpfMetadata = record("BPF_METADATA", kBpfMetadataType, "variables of a BPF program", {
    kType.equals(kBpfMetadataType), kMisc, kSize, bytes("data").with_numbers()});
inline constexpr auto kSchedstatCpu = record("SCHEDSTAT_CPU", kSchedstatCpuType, "the scheduler's statistics of a CPU", {
    kType.equals(kSchedstatCpuType), kMisc, kSize, bytes("data").with_numbers()});
inline constexpr auto kSchedstatDomain = record("SCHEDSTAT_DOMAIN", kSchedstatDomainType, "the scheduler's statistics of a domain", {
    kType.equals(kSchedstatDomainType), kMisc, kSize, bytes("data").with_numbers()});
// Of simpleperf, or of a type that is not known
inline constexpr auto kOther = record("other record", kNoTag, "a record whose type has no layout here", {
    kType, kMisc, kSize, bytes("body").with_numbers()}).as_fallback();
// 3.7 What follows HEADER_TRACING_DATA and AUXTRACE
inline constexpr auto kFollowingData = record("data", kNoTag, "what follows HEADER_TRACING_DATA or AUXTRACE", {
    bytes("data").with_numbers()}).not_numbered();

// 3.8 Features
inline constexpr auto kFeatureEntry = record("feature", kNoTag, "an entry of the feature table: where a section is", {
    u64("offset").holds(Quantity::address), u64("size").holds(Quantity::size)}).not_numbered();
inline constexpr auto kText = record("string", kNoTag, "a string, padded to a multiple of 64", {
    u32("len").holds(Quantity::size), bytes("text").sized_by("len")});
inline constexpr auto kTextFeature = record("text section", kNoTag, "HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC or CPUID", {
    u32("len").holds(Quantity::size), bytes("text").sized_by("len"), bytes("padding").with_numbers()}).not_numbered();
inline constexpr auto kNrCpus = record("NRCPUS section", kNoTag, "how many CPUs there are", {
    u32("available"), u32("online"), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kTotalMem = record("TOTAL_MEM section", kNoTag, "how much memory there is", {
    u64("total"), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kCmdline = record("CMDLINE section", kNoTag, "the command line", {
    u32("nr"), list("arguments", kText).counted_by("nr"), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kEventDesc = record("EVENT_DESC section", kNoTag, "the attributes again, with names", {
    u32("nr").at_most(0xffff), u32("attr_size").holds(Quantity::size).at_most(4080), bytes("events").with_numbers()}).not_numbered();
inline constexpr auto kBuildIdEntry = record("BUILD_ID section", kNoTag, "an entry of the section, like HEADER_BUILD_ID", {
    u32("type").at_most(kHeaderBuildIdType), u16("misc"), u16("size").holds(Quantity::size).record_size(), i32("pid"), bytes("build_id", 20), u8("build_id_size").at_most(20),
    bytes("reserved", 3), string("filename"), bytes("padding").with_numbers()}).not_numbered();
inline constexpr auto kSampleTime = record("SAMPLE_TIME section", kNoTag, "the times of the first and the last sample", {
    u64("first").holds(Quantity::time), u64("last").holds(Quantity::time), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kClockResolution = record("CLOCKID section", kNoTag, "the resolution of the clock", {
    u64("resolution").holds(Quantity::nanoseconds) .says("ns"), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kCompression = record("COMPRESSED section", kNoTag, "how records are compressed", {
    u32("version").equals(0), u32("algorithm").at_most(1) .says("1: zstd"), u32("level"), u32("ratio"),
    u32("mmap_len").holds(Quantity::size) .says("the most plain bytes that one payload gives"), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kClockData = record("CLOCK_DATA section", kNoTag, "two clocks, read at the same moment", {
    u32("version").equals(1), i32("clockid").named(kClockNames), u64("wall_clock_ns").holds(Quantity::date_ns), u64("clockid_ns").holds(Quantity::time), bytes("rest").with_numbers()}).not_numbered();
inline constexpr auto kOtherSection = record("section", kNoTag, "a section that is not judged", {
    bytes("data").with_numbers()}).not_numbered();

// clang-format on

inline constexpr const Record* kRecords[] = {
    &kHeader,
    &kOldHeader,
    &kPipeHeader,
    &kIds,
    &kAttr,
    &kIdsSection,
    &kMmap,
    &kLost,
    &kComm,
    &kExit,
    &kThrottle,
    &kUnthrottle,
    &kFork,
    &kRead,
    &kSample,
    &kMmap2,
    &kAux,
    &kItraceStart,
    &kLostSamples,
    &kSwitch,
    &kSwitchCpuWide,
    &kNamespaces,
    &kKsymbol,
    &kBpfEvent,
    &kCgroup,
    &kTextPoke,
    &kAuxOutputHwId,
    &kCallchainDeferred,
    &kHeaderAttr,
    &kHeaderEventType,
    &kHeaderTracingData,
    &kHeaderBuildId,
    &kFinishedRound,
    &kIdIndex,
    &kAuxtraceInfo,
    &kAuxtrace,
    &kAuxtraceError,
    &kThreadMap,
    &kCpuMap,
    &kStatConfig,
    &kStat,
    &kStatRound,
    &kEventUpdate,
    &kTimeConv,
    &kHeaderFeature,
    &kCompressed,
    &kFinishedInit,
    &kCompressed2,
    &kBpfMetadata,
    &kSchedstatCpu,
    &kSchedstatDomain,
    &kOther,
    &kFollowingData,
    &kFeatureEntry,
    &kTextFeature,
    &kNrCpus,
    &kTotalMem,
    &kCmdline,
    &kEventDesc,
    &kBuildIdEntry,
    &kSampleTime,
    &kClockResolution,
    &kCompression,
    &kClockData,
    &kOtherSection,
};

// Those with a type of their own, from MMAP to SCHEDSTAT_DOMAIN.
inline constexpr std::span kTypedRecords(std::ranges::find(kRecords, &kMmap), std::ranges::find(kRecords, &kOther));

static_assert(fixed_size(kHeader) == kFileHeaderSize && fixed_size(kOldHeader) == kOldHeaderSize);
static_assert(fixed_size(kPipeHeader) == kPipeHeaderSize && fixed_size(kHeader, kEarlierLayout) == kFileHeaderSize);
inline constexpr uint64_t kPrefixSize = fixed_size(kPrefix);
static_assert(kPrefixSize == 8);
static_assert(minimum_size(kAttr) == 64 && minimum_size(kAttr, {.version = 4}) == 104);
static_assert(minimum_size(kMmap) == 41 && minimum_size(kMmap2) == 73 && minimum_size(kComm) == 17);
static_assert(minimum_size(kFork) == 32 && minimum_size(kHeaderBuildId) == 37 && minimum_size(kHeaderAttr) == 72);
static_assert(minimum_size(kAuxtrace) == 48 && minimum_size(kAuxtraceError) == 49 &&
              minimum_size(kHeaderEventType) == 16);
static_assert(minimum_size(kFork, kEarlierLayout) == 24 && minimum_size(kMmap2, kEarlierLayout) == 65);

}  // namespace tracelint::perfdata
