// XRay, sections 2 and 3.1: the family and byte order of a file, and the header of FDR and basic files.
#pragma once

#include <optional>

#include "grammars/xray/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::xray {

// The header, as far as the checks of records need it.
struct HeaderFacts {
    ByteOrder order = ByteOrder::little;
    uint16_t version = 0;
    uint64_t type = 0;
    bool constant_tsc = false;
    uint64_t buffer_size = 0;  // bytes
};

// The byte order of a profile; empty if the bytes do not begin one.
std::optional<ByteOrder> order_of_profile(Bytes opening);

// The more likely byte order of an FDR or basic file that begins with these bytes, at least 4.
ByteOrder order_of_header(Bytes opening);

// How certain it is that the bytes are of this format: 0 to 100 (section 2).
int recognise(const Opening& opening);

// Checks the header. Empty if nothing after it can be checked.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context);

// Whether the file ends after its header, which is reported. `header`: that of the family.
bool ends_after_header(Window& window, Report& report, const Record& header);

extern const RuleList kHeaderRules;

}  // namespace tracelint::xray
