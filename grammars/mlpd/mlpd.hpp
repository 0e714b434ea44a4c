// mlpd, section 4.1: the walk over a file and its buffers.
#pragma once

#include "grammars/mlpd/walk_events.hpp"

namespace tracelint::mlpd {

// --mlpd-variant (section 3.2).
inline constexpr std::string_view kVariants[] = {"mono", "bt-il-offset"};
inline constexpr Option kVariant{.name = "mlpd-variant",
                                 .doc = "layout of mlpd version 17: Mono's, or a fork's with IL offsets",
                                 .choices = kVariants};

// The version that decides the layout of events: the data version, or kIlOffsetVersion.
uint16_t layout_version(const HeaderFacts& header, const Settings& settings);

// len in bytes: the most that the runtime writes, and from where on readers see a negative number (section 4.1).
inline constexpr uint64_t kLargestBuffer = 65536;
inline constexpr uint64_t kFirstNegative = uint64_t{1} << 31;

void validate_file(Window& window, ValidationContext& context, WalkMode mode);

extern const RuleList kWalkRules;

// How sure it is that the bytes are of this format: 0 to 100.
int recognise(const Opening& opening);

std::unique_ptr<Framer> make_framer(const Settings& settings);

}  // namespace tracelint::mlpd
