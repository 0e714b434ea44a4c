// mlpd, section 4.1: the walk over a file and its buffers.
#pragma once

#include "grammars/mlpd/events/event_reader.hpp"

namespace tracelint::mlpd {

// --mlpd-variant (3.2).
inline constexpr std::string_view kVariants[] = {"mono", "bt-il-offset"};
inline constexpr Option kVariant{
    .name = "mlpd-variant",
    .doc = "layout of data version 17 of mlpd: that of mono, or of a fork with an IL offset in each frame",
    .choices = kVariants};

// The version that decides the layout of events.
uint16_t layout_version(const HeaderFacts& header, const Settings& settings);

void validate_file(Window& window, ValidationContext& context, WalkMode mode);

}  // namespace tracelint::mlpd
