// Recognises the format of a file by its first bytes and its name.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// The opening of a file whose bytes are, or begin with, `file`. `path`: with or without folders; may be empty.
Opening opening_of(Bytes file, std::string_view path);

// The most likely of `candidates`, the first one of equals; null if none recognises the file.
const Format* recognise(std::span<const Format* const> candidates, const Opening& opening);

// The same for the file of a window, which is at its start: by its first kDetectionBytes. A file that none of the
// candidates takes by these is looked at once more, by so many bytes: the first fields of a profile may be large.
inline constexpr size_t kFarDetectionBytes = size_t{64} << 10;
const Format* recognise(std::span<const Format* const> candidates, Window& window, std::string_view path);

}  // namespace tracelint
