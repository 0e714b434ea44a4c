// xray, sections 2 and 3.1: which family and byte order a file has, and the header of FDR and basic files.
#pragma once

#include <optional>

#include "grammars/xray/records.hpp"
#include "validator/format.hpp"
#include "validator/view.hpp"

namespace tracelint::xray {

// What the header says, for the rules of the records.
struct HeaderFacts {
    ByteOrder order = ByteOrder::little;
    uint16_t version = 0;
    uint64_t type = 0;
    bool constant_tsc = false;
    uint64_t buffer_size = 0;
};

// The byte order of a profile; empty if the bytes are none.
std::optional<ByteOrder> order_of_profile(Bytes opening);

// The more likely byte order of an FDR or basic file that begins with these bytes, at least 4.
ByteOrder order_of_header(Bytes opening);

// How sure it is that the bytes are of this format (section 2).
int recognise(const Opening& opening);

// Rules 1 to 6 and 8. Empty where nothing else may be reported.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context);

// Rule 7: whether the file ends behind its header, which is then said. `header` is that of the family.
bool ends_after_header(Window& window, Report& report, const Record& header);

extern const RuleList kHeaderRules;

}  // namespace tracelint::xray
