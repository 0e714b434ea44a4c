// jitdump, sections 2, 3.1 and 5.1: the file header.
#pragma once

#include <optional>
#include <string_view>

#include "grammars/jitdump/state.hpp"

namespace tracelint::jitdump {

// The byte order of the file as the magic word has it; empty if the bytes are no magic word.
std::optional<ByteOrder> order_of_magic(Bytes bytes);

// Whether version and total_size prove that the file has the other order than its magic word (rule 3).
bool proves_other_order(Bytes header, ByteOrder order);

// Whether a record that makes sense begins with these bytes (section 4).
bool is_plausible_prefix(Bytes bytes, ByteOrder order);

// Rules 4, 5, 9 to 14 and 29 of the 40 bytes of a header. `file_name` may be empty.
void check_header(State& state, const View<kHeader>& header, std::string_view file_name);

// Bytes of absolute pointers in .eh_frame_hdr (3.1).
unsigned pointer_width_of(uint64_t elf_mach);

// In the order of the digest's table.
inline constexpr const Rule* kHeaderRules[] = {&kTruncatedHeader,
                                               &kBadMagic,
                                               &kMagicByteOrder,
                                               &kUnsupportedVersion,
                                               &kVersionZero,
                                               &kHeaderSizeTooSmall,
                                               &kHeaderSizeExtended,
                                               &kHeaderSizeExceedsFile,
                                               &kHeaderUnknownFlags,
                                               &kHeaderReservedNonzero,
                                               &kElfMachineUnknown,
                                               &kElfMachineEndian,
                                               &kHeaderPidZero,
                                               &kFileNamePid,
                                               &kHeaderTimestampClock,
                                               &kNoRecords,
                                               &kNoLoad};

}  // namespace tracelint::jitdump
