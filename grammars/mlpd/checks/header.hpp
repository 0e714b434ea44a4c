// mlpd, section 3.1: the file header.
#pragma once

#include <optional>

#include "grammars/mlpd/records.hpp"
#include "validator/format.hpp"

namespace tracelint::mlpd {

// What the buffers need to know of the header.
struct HeaderFacts {
    uint16_t version = 0;   // of the data
    uint8_t word_size = 8;  // of pointers, in bytes
    uint64_t end = 0;       // offset at which the buffers begin
    bool in_doubt = false;  // a fault in its strings puts `end` in doubt
};

// Checks a header that begins at `offset`. Empty: nothing after it can be read.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context, uint64_t offset);

// The layout of a header, from its first bytes (at least 6).
uint16_t header_layout_of(Bytes opening);

extern const RuleList kHeaderRules;

}  // namespace tracelint::mlpd
