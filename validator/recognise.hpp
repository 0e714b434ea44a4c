// Which format a file has, judged by its first bytes.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// The surest of `candidates`, the first of several equals; null where none is sure at all.
const Format* recognise(std::span<const Format* const> candidates, const Opening& opening);

// What a file that no format recognises may be; empty where nothing is known of it.
std::string_view foreign_format_hint(Bytes opening);

}  // namespace tracelint
