// Text for people: what a terminal may be shown, numbers, and guesses at what was meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "validator/bytes.hpp"

namespace tracelint {

// `text`, which may be any bytes, with everything escaped as \xNN that could move a terminal's cursor,
// reorder what it shows, or is not UTF-8.
std::string printable(std::string_view text);

// The same for a string literal: quotes, backslashes and \n too.
std::string quoted(std::string_view text);

std::string hex(uint64_t number);                             // 0x1f
std::string counted(uint64_t number, std::string_view noun);  // "1 record", "2 records"
std::string byte_size(uint64_t bytes);                        // "812 bytes", "6.0 MiB"

// "12", "64K", "2M", "1G" (powers of 1024, a "B" or "iB" behind it allowed); false if it is none.
bool parse_size(std::string_view text, uint64_t& bytes);

// "; did you mean 'b'?" for the candidate that is only a few typing errors away, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace tracelint
