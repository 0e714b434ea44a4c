// Unwinding data for generated files, and the places of its parts for code that breaks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/bytes.hpp"
#include "validator/generator/random.hpp"

namespace tracelint::jitdump {

struct UnwindingSample {
    std::string data;
    uint64_t header_size = 0;  // of the .eh_frame_hdr in it
};

// Valid data. `pointer_width` is the size of DW_EH_PE_absptr on the machine of the file, in bytes.
UnwindingSample make_unwinding(Random& random, ByteOrder order, unsigned pointer_width);

// The places of the .eh_frame_hdr and the .eh_frame in valid data, in bytes.
struct UnwindingParts {
    uint64_t header_at = 0, header_size = 0;
    uint64_t frame_at = 0, frame_size = 0;
};
std::optional<UnwindingParts> parts_of(const std::string& data, uint64_t header_size);

// A CIE or FDE of the .eh_frame. Offsets are from the start of the data.
struct FrameEntry {
    uint64_t at = 0;     // of its length
    uint64_t id_at = 0;  // of its id
    bool is_cie = false;
};
std::vector<FrameEntry> entries_of(const std::string& data, const UnwindingParts& parts, ByteOrder order);

// Whether the four bytes look like the start of an .eh_frame_hdr: version 1 and known encodings.
bool begins_like_header(const std::string& data, uint64_t at);

}  // namespace tracelint::jitdump
