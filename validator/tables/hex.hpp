// Numbers in hexadecimal.
#pragma once

#include <charconv>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// "0x1f": lower case, without leading zeros.
inline std::string hex(uint64_t number) {
    char text[18] = {'0', 'x'};
    return {text, std::to_chars(text + 2, text + sizeof text, number, 16).ptr};
}

}  // namespace tracelint
