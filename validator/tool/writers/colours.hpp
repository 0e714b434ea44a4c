// The colours of text for terminals.
#pragma once

#include <string>
#include <string_view>

namespace tracelint {

inline constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kYellow = "\x1b[1;33m", kCyan = "\x1b[1;36m",
                                  kGreen = "\x1b[1;32m", kPlain = "\x1b[0m";

// The text in a colour; as it is without one, and if output is not coloured.
inline void append_painted(std::string& to, std::string_view text, std::string_view colour, bool is_coloured) {
    if (!is_coloured || colour.empty() || text.empty())
        to += text;
    else
        to.append(colour).append(text).append(kPlain);
}
inline std::string painted(std::string_view text, std::string_view colour, bool is_coloured) {
    std::string result;
    append_painted(result, text, colour, is_coloured);
    return result;
}

}  // namespace tracelint
