// The layout of the file header and of the records (section 3), in the order and words of the original document, and
// the rules that the field tables check.
#pragma once

#include "validator/tables/describe.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::jitdump {

// The magic number, read in the byte order of the file: "JiTD" in a big-endian file.
inline constexpr uint64_t kMagic = 0x4A695444;

enum Id : uint32_t {
    kLoadId = 0,
    kMoveId = 1,
    kDebugInfoId = 2,
    kCloseId = 3,
    kUnwindingInfoId = 4,
};

// The known values of elf_mach (section 3.1.1).
inline constexpr NamedValue kElfMachines[] = {
    {2, "SPARC"},        {3, "386"},       {4, "68K"},       {8, "MIPS"},         {15, "PARISC"},
    {18, "SPARC32PLUS"}, {20, "PPC"},      {21, "PPC64"},    {22, "S390"},        {40, "ARM"},
    {42, "SH"},          {43, "SPARCV9"},  {50, "IA_64"},    {62, "X86_64"},      {93, "ARC"},
    {94, "XTENSA"},      {164, "HEXAGON"}, {183, "AARCH64"}, {189, "MICROBLAZE"}, {195, "ARC_COMPACT2"},
    {243, "RISCV"},      {247, "BPF"},     {252, "CSKY"},    {258, "LOONGARCH"},  {0x9026, "ALPHA"},
};
inline constexpr NamedValue kIds[] = {
    {kLoadId, "JIT_CODE_LOAD"},
    {kMoveId, "JIT_CODE_MOVE"},
    {kDebugInfoId, "JIT_CODE_DEBUG_INFO"},
    {kCloseId, "JIT_CODE_CLOSE"},
    {kUnwindingInfoId, "JIT_CODE_UNWINDING_INFO"},
};
inline constexpr NamedValue kMagicName[] = {{kMagic, "JiTD"}};
inline constexpr NamedValue kFlagNames[] = {{1, "ARCH_TIMESTAMP"}};

inline constexpr Rule kUnsupportedVersion{
    .id = "jitdump/unsupported-version",
    .severity = Severity::error,
    .statement = "version is 1",
    .message = "version is {0}; the only defined version is 1",
    .why = "perf rejects the whole file; Mono wrote 2, the revision of the document instead of the format's version",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

inline constexpr Rule kVersionZero{
    .id = "jitdump/version-zero",
    .severity = Severity::warning,
    .statement = "version is 1",
    .message = "version is 0; the only defined version is 1",
    .why = "perf reads the file as version 1; a stricter reader may reject it",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

inline constexpr Rule kElfMachineUnknown{
    .id = "jitdump/elf-machine-unknown",
    .severity = Severity::warning,
    .statement = "elf_mach is the ELF number of a known machine",
    .message = "elf_mach {0} is not a known machine",
    .why = "the disassembly, and the images that perf builds from the code, get the wrong architecture",
    .spec = "3.1.1 ELF machines",
    .since = "0.1.0",
};

inline constexpr Rule kHeaderReservedNonzero{
    .id = "jitdump/header-reserved-nonzero",
    .severity = Severity::note,
    .statement = "the reserved field pad1 is 0",
    .message = "the reserved field pad1 is {0x}",
    .why = "readers ignore it today; V8 writes 0xdeadbeef, and LLVM's ORC wrote uninitialised memory",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

inline constexpr Rule kHeaderPidZero{
    .id = "jitdump/header-pid-zero",
    .severity = Severity::warning,
    .statement = "pid is the process id of the runtime",
    .message = "pid is 0, which is not a valid process id",
    .why = "the functions cannot be attributed to a process",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

inline constexpr Rule kHeaderUnknownFlags{
    .id = "jitdump/header-unknown-flags",
    .severity = Severity::error,
    .statement = "no bit of flags other than ARCH_TIMESTAMP (bit 0) is set",
    .message = "flags is {0x}; only bit 0 is defined",
    .why = "perf rejects the whole file; LLVM's ORC wrote (and leaked) uninitialised memory here until January 2026",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
};

// clang-format off

// 3.1 File header
inline constexpr auto kHeader = record("header", kNoTag, "file header", {
    u32("magic")      .equals(kMagic).named(kMagicName)           .says("byte order of the file, whatever the machine"),
    u32("version")    .differs_from(0, &kVersionZero).at_most(1, &kUnsupportedVersion),
    u32("total_size").holds(Quantity::size) .equals(40)                                 .says("bytes of this header"),
    u32("elf_mach")   .known(kElfMachines, &kElfMachineUnknown)   .says("ELF e_machine of the code"),
    u32("pad1")       .equals(0, &kHeaderReservedNonzero),
    u32("pid")        .differs_from(0, &kHeaderPidZero)           .says("process of the runtime"),
    u64("timestamp").holds(Quantity::time)                        .says("creation of the file, on the clock of the records"),
    u64("flags")      .only_bits(1, &kHeaderUnknownFlags).named(kFlagNames),
}).not_numbered();

// 3.2 Record prefix: how every record begins
inline constexpr Field kId        = u32("id").named(kIds);
inline constexpr Field kTotalSize = u32("total_size").holds(Quantity::size).record_size().says("this prefix included");
inline constexpr Field kTimestamp = u64("timestamp").holds(Quantity::time) .says("ns CLOCK_MONOTONIC, or the architecture's counter");

inline constexpr auto kPrefix = record("prefix", kNoTag, "the start of every record", {
    kId, kTotalSize, kTimestamp});

// 3.3 LOAD
inline constexpr auto kLoad = record("JIT_CODE_LOAD", kLoadId, "a function was compiled", {
    kId.equals(kLoadId), kTotalSize, kTimestamp,
    u32("pid"),
    u32("tid"),
    u64("vma").holds(Quantity::address) .says("equals code_addr"),
    u64("code_addr").holds(Quantity::address),
    u64("code_size").holds(Quantity::size),
    u64("code_index")                   .says("unique in its process"),
    string("name"),
    bytes("code").sized_by("code_size") .says("the machine code"),
});

// 3.3.1 LOAD as CPython for macOS writes it, with a 64-bit tid. Tried only where the standard layout does not fit.
inline constexpr auto kShiftedLoad = record("JIT_CODE_LOAD with a 64-bit tid", kNoTag, "how CPython for macOS writes a LOAD", {
    kId.equals(kLoadId), kTotalSize, kTimestamp,
    u32("pid"), u32("pad"), u64("tid"), u64("vma").holds(Quantity::address), u64("code_addr").holds(Quantity::address), u64("code_size").holds(Quantity::size), u64("code_index"),
    string("name"), bytes("code").sized_by("code_size"),
});

// 3.4 MOVE
inline constexpr auto kMove = record("JIT_CODE_MOVE", kMoveId, "a compiled function was moved", {
    kId.equals(kMoveId), kTotalSize, kTimestamp,
    u32("pid"),
    u32("tid"),
    u64("vma").holds(Quantity::address) .says("equals new_code_addr"),
    u64("old_code_addr").holds(Quantity::address),
    u64("new_code_addr").holds(Quantity::address),
    u64("code_size").holds(Quantity::size) .says("that of the LOAD"),
    u64("code_index")    .says("that of the LOAD"),
});

// 3.5 DEBUG_INFO
inline constexpr auto kDebugEntry = record("debug_entry", kNoTag, "one line", {
    u64("addr").holds(Quantity::address),
    i32("line")          .says("counted from 1"),
    u32("discrim")       .says("column or DWARF discriminator"),
    string("name")       .says("file; FF 00 repeats the previous one"),
});
inline constexpr auto kDebugInfo = record("JIT_CODE_DEBUG_INFO", kDebugInfoId, "source lines of the function whose LOAD follows", {
    kId.equals(kDebugInfoId), kTotalSize, kTimestamp,
    u64("code_addr").holds(Quantity::address) .says("that of the LOAD"),
    u64("nr_entry"),
    list("entries", kDebugEntry).counted_by("nr_entry"),
    bytes("padding")     .says("up to 7 zero bytes"),
});

// 3.6 CLOSE
inline constexpr auto kClose = record("JIT_CODE_CLOSE", kCloseId, "the runtime has ended", {
    kId.equals(kCloseId), kTotalSize, kTimestamp});

// 3.7 UNWINDING_INFO
inline constexpr auto kUnwindingInfo = record("JIT_CODE_UNWINDING_INFO", kUnwindingInfoId, "unwinding data of the function whose LOAD follows", {
    kId.equals(kUnwindingInfoId), kTotalSize, kTimestamp,
    u64("unwind_data_size").holds(Quantity::size),
    u64("eh_frame_hdr_size").holds(Quantity::size) .says("of the data"),
    u64("mapped_size").holds(Quantity::size) .says("0, or unwind_data_size"),
    bytes("data").sized_by("unwind_data_size").with_numbers().says(".eh_frame and .eh_frame_hdr; perf expects the header last"),
    bytes("padding")                        .says("up to 7 zero bytes"),
});

// A record without a layout of its own. Readers step over it by its total_size.
inline constexpr auto kOther = record("other record", kNoTag, "a record whose id does not belong to the base format", {
    kId, kTotalSize, kTimestamp, bytes("body").with_numbers()}).as_fallback();

// clang-format on

inline constexpr uint64_t kMostPadding = 7;  // zero bytes that may end a DEBUG_INFO or UNWINDING_INFO

inline constexpr RuleList kFieldRules = rules<&kUnsupportedVersion, &kVersionZero, &kElfMachineUnknown,
                                              &kHeaderReservedNonzero, &kHeaderPidZero, &kHeaderUnknownFlags>;

inline constexpr const Record* kRecords[] = {&kHeader, &kLoad, &kMove, &kDebugInfo, &kClose, &kUnwindingInfo, &kOther};

static_assert(fixed_size(kHeader) == 40 && fixed_size(kPrefix) == 16);
static_assert(minimum_size(kLoad) == 57 && minimum_size(kMove) == 64 && minimum_size(kDebugInfo) == 32);
static_assert(minimum_size(kClose) == 16 && minimum_size(kUnwindingInfo) == 40 && minimum_size(kDebugEntry) == 17);

}  // namespace tracelint::jitdump
