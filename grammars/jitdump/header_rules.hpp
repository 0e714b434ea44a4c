// jitdump, section 5.1: the rules of the header. Those of a single field's value are applied by the
// field table in records.hpp, the others in header.cpp and walk.cpp.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kTruncatedHeader{
    .id = "jitdump/truncated-header",
    .severity = Severity::error,
    .statement = "the file holds a whole header of 40 bytes",
    .message = "the file ends inside its header, after {0} of its 40 bytes",
    .why = "perf gives up without a reason; no function of this process will have a name",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kBadMagic{
    .id = "jitdump/bad-magic",
    .severity = Severity::error,
    .statement = "the file begins with the magic word 0x4A695444 in its own byte order",
    .message =
        "the file begins with {0x}, read as little-endian, instead of the magic word 0x4a695444 in either byte order",
    .why = "no reader takes it for a jitdump",
    .spec = "2.1 Magic number and byte order",
    .since = "0.1.0"};

inline constexpr Rule kMagicByteOrder{
    .id = "jitdump/magic-byte-order",
    .severity = Severity::error,
    .statement = "the magic word and the rest of the file have the same byte order",
    .message = "the magic word is in one byte order, version and total_size prove the other",
    .why =
        "readers trust the magic word and misread every number after it; JavaScriptCore on big-endian hosts wrote such "
        "files",
    .spec = "2.1 Magic number and byte order",
    .since = "0.1.0"};

inline constexpr Rule kUnsupportedVersion{
    .id = "jitdump/unsupported-version",
    .severity = Severity::error,
    .statement = "version is 1",
    .message = "version is {0}, and 1 is the only one there is",
    .why = "perf rejects the whole file; Mono wrote 2, the revision of the document instead of the format's",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0"};

inline constexpr Rule kVersionZero{.id = "jitdump/version-zero",
                                   .severity = Severity::warning,
                                   .statement = "version is 1",
                                   .message = "version is 0, and 1 is the only one there is",
                                   .why = "perf reads on as if it were 1; a stricter reader need not",
                                   .spec = "3.1 Jitdump file header",
                                   .since = "0.1.0"};

inline constexpr Rule kHeaderSizeTooSmall{.id = "jitdump/header-size-too-small",
                                          .severity = Severity::error,
                                          .statement = "total_size of the header is 40",
                                          .message = "total_size of the header is {0}, and a header has 40 bytes",
                                          .why = "samply's reader rejects the file; perf ignores the number",
                                          .spec = "3.1 Jitdump file header",
                                          .since = "0.1.0"};

inline constexpr Rule kHeaderSizeExtended{
    .id = "jitdump/header-size-extended",
    .severity = Severity::error,
    .statement = "total_size of the header is 40",
    .message = "total_size of the header is {0}, and a header has 40 bytes",
    .why = "perf reads records at 40 all the same and loses every one of them silently, or fails above 80",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kHeaderSizeExceedsFile{
    .id = "jitdump/header-size-exceeds-file",
    .severity = Severity::error,
    .statement = "total_size of the header is 40",
    .message = "total_size of the header is {0}, more than the file has, and a header has 40 bytes",
    .why = "readers find no record at all",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true,
    .of_file_size = true};

inline constexpr Rule kHeaderUnknownFlags{.id = "jitdump/header-unknown-flags",
                                          .severity = Severity::error,
                                          .statement = "no bit of flags but ARCH_TIMESTAMP (bit 0) is set",
                                          .message = "flags is {0x}, and only bit 0 is defined",
                                          .why =
                                              "perf rejects the whole file; LLVM's ORC wrote uninitialised memory here "
                                              "until January 2026, which also leaks it",
                                          .spec = "3.1 Jitdump file header",
                                          .since = "0.1.0"};

inline constexpr Rule kHeaderReservedNonzero{
    .id = "jitdump/header-reserved-nonzero",
    .severity = Severity::note,
    .statement = "the reserved word pad1 is 0",
    .message = "the reserved word pad1 is {0x}",
    .why = "no reader minds today; V8 writes 0xdeadbeef, and LLVM's ORC wrote uninitialised memory",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0"};

inline constexpr Rule kElfMachineUnknown{
    .id = "jitdump/elf-machine-unknown",
    .severity = Severity::warning,
    .statement = "elf_mach is the ELF number of a known machine",
    .message = "elf_mach is {0}, which names no machine that is known here",
    .why = "disassembly and the images that are built from the code get the wrong machine",
    .spec = "3.1.1 ELF machines",
    .since = "0.1.0"};

inline constexpr Rule kElfMachineEndian{
    .id = "jitdump/elf-machine-endian",
    .severity = Severity::warning,
    .statement = "elf_mach can have the byte order of the file",
    .message = "elf_mach is {0}, a machine that only has the other byte order",
    .why = "either the machine or the byte order is wrong, and the code would be read for the wrong one",
    .spec = "3.1.1 ELF machines",
    .since = "0.1.0",
    .of_byte_order = true};

inline constexpr Rule kHeaderPidZero{.id = "jitdump/header-pid-zero",
                                     .severity = Severity::warning,
                                     .statement = "pid is that of the runtime's process",
                                     .message = "pid is 0, which is no process of a runtime",
                                     .why = "the functions cannot be matched with a process",
                                     .spec = "3.1 Jitdump file header",
                                     .since = "0.1.0"};

inline constexpr Rule kFileNamePid{
    .id = "jitdump/file-name-pid",
    .severity = Severity::warning,
    .statement = "a file named jit-<pid>.dump has that pid in its header",
    .message = "the header's pid is {0}, and the file's name says another one",
    .why = "perf matches the number in the name with the process that mapped the file, samply the header",
    .spec = "2.2 File names",
    .since = "0.1.0"};

inline constexpr Rule kHeaderTimestampClock{
    .id = "jitdump/header-timestamp-clock",
    .severity = Severity::note,
    .statement = "the header's timestamp is on the clock of the records, and not after the first one",
    .message =
        "the header's timestamp is {0} and the first one of a record is {1}: not the same clock, or not in order",
    .why = "no reader places the header in time today; V8 and CPython write wall-clock microseconds here",
    .spec = "3.1 Jitdump file header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kNoRecords{.id = "jitdump/no-records",
                                 .severity = Severity::note,
                                 .statement = "records follow the header",
                                 .message = "nothing follows the header",
                                 .why = "readers find no function",
                                 .spec = "3.1 Jitdump file header",
                                 .since = "0.1.0",
                                 .about_end = true};

inline constexpr Rule kNoLoad{.id = "jitdump/no-load",
                              .severity = Severity::note,
                              .statement = "the file loads at least one function",
                              .message = "there is no LOAD: {0 record was|records were} read",
                              .why = "readers find no function",
                              .spec = "3.1 Jitdump file header",
                              .since = "0.1.0",
                              .about_end = true};

}  // namespace tracelint::jitdump
