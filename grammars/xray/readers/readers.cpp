// What readers of XRay do with files that break a rule, and legal files that they fail on (section 8).
#include "grammars/readers.hpp"
#include "grammars/formats.hpp"

namespace tracelint {
namespace xray {

extern const Measurement kLlvmXray14, kLlvmXray19, kLlvmXrayAccount14, kLlvmXrayAccount19, kLlvmXrayFdrDump14,
    kLlvmXrayFdrDump19;

namespace {

using enum ReaderOutcome;

bool is_version_1(const ReaderFile& file) { return file.identity.format_version == uint64_t{1}; }
// fdr-dump prints nothing for a header without buffers, whatever is in it.
bool has_records(const ReaderFile& file) { return file.size > 32; }
bool is_big_endian_with_records(const ReaderFile& file) { return is_big_endian(file) && has_records(file); }
// Its events have a time of 8 bytes.
bool is_version_3_or_4(const ReaderFile& file) {
    return file.identity.format_version == uint64_t{3} || file.identity.format_version == uint64_t{4};
}

constexpr Rule kProfile{
    .id = "reader/llvm-xray-profile",
    .severity = Severity::error,
    .statement = "llvm-xray reads logs of calls",
    .message = "this is a profile, and llvm-xray cannot read profiles",
    .why = "llvm-xray reports a YAML error, and no other program reads these files (llvm-project#88761)",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kBigEndian{
    .id = "reader/llvm-xray-big-endian",
    .severity = Severity::error,
    .statement = "llvm-xray reads flight data recorder logs in little-endian order",
    .message = "llvm-xray cannot read big-endian logs of the flight data recorder",
    .why =
        "it does not swap the bits of the first byte of a record and reports a YAML error; read the log with another "
        "program",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kDumpBasic{
    .id = "reader/llvm-xray-fdr-dump-basic",
    .severity = Severity::error,
    .statement = "llvm-xray fdr-dump reads logs of the flight data recorder",
    .message = "llvm-xray fdr-dump cannot read logs of basic mode",
    .why =
        "it ignores the type in the header, parses the records as those of the flight data recorder, and stops at the "
        "first one that makes no sense; llvm-xray convert reads the log",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kReservedIds{
    .id = "reader/llvm-xray-account-function-id",
    .severity = Severity::error,
    .statement = "llvm-xray account counts all function ids",
    .message = "llvm-xray account overwrites its memory because of this function id",
    .why =
        "its hash table marks free slots with the ids 0x7fffffff and 0x80000000, so it crashes or shows wrong numbers; "
        "llvm-xray convert reads the log",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kStale{
    .id = "reader/llvm-xray-version-1",
    .severity = Severity::error,
    .statement = "llvm-xray skips the rest of a buffer after EndOfBuffer",
    .message = "llvm-xray continues after the EndOfBuffer of a version 1 log",
    .why =
        "it parses stale bytes in the buffer as records, and refuses the log or shows calls and threads that never "
        "existed",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kOldEvents{
    .id = "reader/llvm-xray-old-events",
    .severity = Severity::warning,
    .statement = "llvm-xray reads events in the layout of version 5",
    .message = "llvm-xray reads this event in the layout of version 5",
    .why = "it reads bytes of the time as the type of the event, and other bytes as a delta",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kGzip{
    .id = "reader/llvm-xray-gzip",
    .severity = Severity::error,
    .statement = "llvm-xray reads files that are not compressed",
    .message = "llvm-xray does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = "grammars/xray/spec.md, 8. What readers do",
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Hazard kLogHazards[] = {
    {&kGzip, refuses, is_compressed},
    {&kProfile, refuses, nullptr, "header", "magic"},
    {&kBigEndian, refuses, is_big_endian, "header", "type", [](uint64_t type) { return type == 1; }},
    {&kStale, refuses, is_version_1, "rest of the buffer"},
    {&kOldEvents, misreads, is_version_3_or_4, "CustomEvent"},
};

// The hash table is not touched before the call is left. Section 3.5: the action is the byte at 3.
bool leaves_a_call(Bytes record) { return record.size() > 3 && (record[3] == 1 || record[3] == 2); }

constexpr Hazard kAccountHazards[] = {
    {&kGzip, refuses, is_compressed},
    {&kProfile, refuses, nullptr, "header", "magic"},
    {&kBigEndian, refuses, is_big_endian, "header", "type", [](uint64_t type) { return type == 1; }},
    {&kStale, refuses, is_version_1, "rest of the buffer"},
    {&kOldEvents, misreads, is_version_3_or_4, "CustomEvent"},
    {&kReservedIds, may_crash, nullptr, "function", "function_id",
     [](uint64_t id) { return (id & 0xffffffff) == 0x7fffffff || (id & 0xffffffff) == 0x80000000; }, leaves_a_call,
     true},
};
constexpr Hazard kDumpHazards[] = {
    {&kGzip, refuses, is_compressed},
    {&kProfile, refuses, has_records, "header", "magic"},
    {&kDumpBasic, refuses, has_records, "header", "type", [](uint64_t type) { return type == 0; }},
    {&kBigEndian, refuses, is_big_endian_with_records, "header", "type", [](uint64_t type) { return type == 1; }},
    {&kStale, refuses, is_version_1, "rest of the buffer"},
    {&kOldEvents, misreads, is_version_3_or_4, "CustomEvent"},
};

constexpr ReaderRow kConvertKnown[] = {
    {"xray/typed-event-old-layout", misreads},
    // It notices extents that are too large only where the file ends inside of a record.
    {"xray/extents-exceed-file", ignores},
    {.rule = "xray/extents-exceed-file", .outcome = refuses, .uneven = 8},
};
constexpr ReaderRow kDumpKnown[] = {
    {"xray/extents-exceed-file", ignores},
    {.rule = "xray/extents-exceed-file", .outcome = refuses, .uneven = 8},
};

constexpr std::string_view kCalls[] = {"Function", "function"};

constexpr TraceReader kReaders[] = {
    {"llvm-xray", "14", &kXray, "llvm-xray-14 convert", "measured", "call record|call records", kCalls, &kLlvmXray14,
     kConvertKnown, kLogHazards},
    {"llvm-xray", "19", &kXray, "llvm-xray-19 convert", "measured", "call record|call records", kCalls, &kLlvmXray19,
     kConvertKnown, kLogHazards},
    {"llvm-xray-account", "14", &kXray, "llvm-xray-14 account -k", "measured", "call record|call records", kCalls,
     &kLlvmXrayAccount14, kConvertKnown, kAccountHazards},
    {"llvm-xray-account", "19", &kXray, "llvm-xray-19 account -k", "measured", "call record|call records", kCalls,
     &kLlvmXrayAccount19, kConvertKnown, kAccountHazards},
    {"llvm-xray-fdr-dump", "14", &kXray, "llvm-xray-14 fdr-dump -verify", "measured", "call record|call records",
     kCalls, &kLlvmXrayFdrDump14, kDumpKnown, kDumpHazards},
    {"llvm-xray-fdr-dump", "19", &kXray, "llvm-xray-19 fdr-dump -verify", "measured", "call record|call records",
     kCalls, &kLlvmXrayFdrDump19, kDumpKnown, kDumpHazards},
};

}  // namespace
}  // namespace xray

constinit const ReaderList kXrayReaders{xray::kReaders};

}  // namespace tracelint
