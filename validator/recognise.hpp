// Recognises the format of a file by its first bytes and its name.
#pragma once

#include "validator/format.hpp"

namespace tracelint {

// The opening of a file whose bytes are, or begin with, `file`. `path`: with or without folders; may be empty.
Opening opening_of(Bytes file, std::string_view path);
// Recognises the format of a window at its start. Valid until the window moves.
Opening opening_of(Window& window, std::string_view path);

// The most likely of `candidates`, the first one of equals; null if none recognises the file.
const Format* recognise(std::span<const Format* const> candidates, const Opening& opening);

}  // namespace tracelint
