// Unwinding data for generated files (section 3.7 of the digest), and its parts for those who break it.
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

// Data without a fault; `pointer_width` is that of absptr on the file's machine.
UnwindingSample make_unwinding(Random& random, ByteOrder order, unsigned pointer_width);

// Where the .eh_frame_hdr and the .eh_frame are in data without a fault.
struct UnwindingParts {
    uint64_t header_at = 0, header_size = 0;
    uint64_t frame_at = 0, frame_size = 0;
};
std::optional<UnwindingParts> parts_of(const std::string& data, uint64_t header_size);

// A CIE or FDE of a frame; offsets from the start of the data.
struct FrameEntry {
    uint64_t at = 0;     // of its length
    uint64_t id_at = 0;  // of its id
    bool is_cie = false;
};
std::vector<FrameEntry> entries_of(const std::string& data, const UnwindingParts& parts, ByteOrder order);

// Whether four bytes begin like a .eh_frame_hdr: version 1 and known encodings.
bool begins_like_header(const std::string& data, uint64_t at);

}  // namespace tracelint::jitdump
