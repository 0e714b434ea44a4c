// mlpd, sections 2 and 3.1: what tells an mlpd file, and its header.
#pragma once

#include <optional>

#include "grammars/mlpd/records.hpp"
#include "validator/format.hpp"

namespace tracelint::mlpd {

// What the header says, for the buffers.
struct HeaderFacts {
    uint16_t version = 0;   // of the data
    uint8_t word_size = 8;  // of pointers
    uint64_t end = 0;       // where the buffers begin
    bool in_doubt = false;  // a fault of its strings puts that place in doubt
};

// How sure it is that the bytes are of this format (section 2).
int recognise(const Opening& opening);

// Rules 1 to 13, for a header that begins at `offset`. Empty where nothing else may be read.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context, uint64_t offset);

// The header as the walk sees it when it is framed: its layout, from its first bytes (at least 6).
uint16_t header_layout_of(Bytes opening);

}  // namespace tracelint::mlpd
