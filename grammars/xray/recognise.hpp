// XRay, section 2: recognition; the byte order of a file.
#pragma once

#include <optional>

#include "grammars/xray/records.hpp"
#include "validator/format.hpp"

namespace tracelint::xray {

// The byte order of a profile; empty if the bytes do not begin one.
std::optional<ByteOrder> order_of_profile(Bytes opening);

// The more likely byte order of an FDR or basic file that begins with these bytes, at least 4.
ByteOrder order_of_header(Bytes opening);

// Whether a TSC may have this frequency.
bool is_plausible_frequency(uint64_t hertz);

// How certain it is that the bytes are of this format: 0 to 100 (section 2).
int recognise(const Opening& opening);

}  // namespace tracelint::xray
