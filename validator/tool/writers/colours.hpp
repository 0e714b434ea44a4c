// The colours of text for terminals.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

namespace tracelint {

inline constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kYellow = "\x1b[1;33m", kCyan = "\x1b[1;36m",
                                  kGreen = "\x1b[1;32m", kPlain = "\x1b[0m";

// The text in a colour; as it is without one, and if output is not coloured.
inline std::string painted(std::string_view text, std::string_view colour, bool is_coloured) {
    if (!is_coloured || colour.empty() || text.empty()) return std::string(text);
    return fmt::format("{}{}{}", colour, text, kPlain);
}

}  // namespace tracelint
