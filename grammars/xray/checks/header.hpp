// XRay, section 3.1: the header of FDR and basic files.
#pragma once

#include <optional>

#include "grammars/xray/recognise.hpp"
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

// Checks the header. Empty if nothing after it can be checked.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context);

// Whether the file ends after its header, which is reported. `header`: that of the family.
bool ends_after_header(Window& window, Report& report, const Record& header);

extern const RuleList kHeaderRules;

}  // namespace tracelint::xray
