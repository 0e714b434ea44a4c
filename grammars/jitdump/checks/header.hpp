// The file header: identification and checks (sections 2 and 3.1).
#pragma once

#include <optional>
#include <string_view>

#include "grammars/jitdump/checks/state.hpp"

namespace tracelint::jitdump {

// The byte order that the magic number is in. Empty if the bytes do not begin with it.
std::optional<ByteOrder> order_of_magic(Bytes bytes);

// Whether version and total_size prove that the file is not in the byte order of its magic number (section 2.1).
bool proves_other_order(Bytes header, ByteOrder order);

// The byte order to read the file in, by its first 40 bytes at least. Empty if it is no jitdump.
std::optional<ByteOrder> order_of_file(Bytes opening);

// Whether a plausible record begins with these bytes (section 4.1).
bool is_plausible_prefix(Bytes bytes, ByteOrder order);

// Checks the fields of a complete header, apart from where it ends. `file_name` may be empty.
void check_header(State& state, const View<kHeader>& header, std::string_view file_name);

// Bytes of an absolute pointer in .eh_frame_hdr (section 3.1.1).
unsigned pointer_width_of(uint64_t elf_mach);

extern const RuleList kHeaderRules;

}  // namespace tracelint::jitdump
