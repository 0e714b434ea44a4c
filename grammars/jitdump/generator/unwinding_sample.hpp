// Unwinding data for generated files, and the places of its parts for code that breaks it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validator/generator/record_values.hpp"
#include "validator/tables/bytes.hpp"

namespace tracelint::jitdump {

struct UnwindingSample {
    std::string data;
    uint64_t header_size = 0;  // of the .eh_frame_hdr in it
};

// Valid data for a function of `code_size` bytes. `pointer_width` is the size of DW_EH_PE_absptr on the machine of the
// file, in bytes.
UnwindingSample make_unwinding(Random& random, ByteOrder order, unsigned pointer_width, uint64_t code_size);

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
    uint64_t end = 0;
    bool is_cie = false;
};
std::vector<FrameEntry> entries_of(const std::string& data, const UnwindingParts& parts, ByteOrder order);

// Where the fields of a CIE are, in bytes from the start of the data; 0 if absent.
struct CieFields {
    uint64_t version_at = 0, letters_at = 0;
    std::string letters;  // the augmentation
    uint64_t data_size_at = 0, pointer_encoding_at = 0, instructions_at = 0;
    uint8_t pointer_encoding = 0;
};
std::optional<CieFields> fields_of_cie(const std::string& data, const FrameEntry& cie, ByteOrder order,
                                       unsigned pointer_width);

// The same for an FDE whose pointers have a fixed width.
struct FdeFields {
    uint64_t start_at = 0, length_at = 0;
    unsigned width = 0;  // of either, in bytes
    uint8_t encoding = 0;
};
std::optional<FdeFields> fields_of_fde(const std::string& data, const std::vector<FrameEntry>& entries,
                                       const FrameEntry& fde, ByteOrder order, unsigned pointer_width);

// Whether the four bytes look like the start of an .eh_frame_hdr: version 1 and known encodings.
bool begins_like_header(const std::string& data, uint64_t at);

}  // namespace tracelint::jitdump
