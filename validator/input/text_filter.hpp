// Recognises binary files that went through a text filter: a copy in text mode, a decoder and encoder of text, a
// version control system that takes them for text.
#pragma once

#include "validator/tables/bytes.hpp"

namespace tracelint {

// What a text filter left in a file.
struct TextDamage {
    std::string_view trace;         // what the bytes show, as a hint for the user; empty: no damage
    uint64_t count = 0;             // places that show it
    uint64_t first_offset = kNone;  // the first of them
    uint64_t first_length = 0;      // bytes
};

// Looks for the traces of a text filter in the start of a binary file. Stops early in sound ones: they have bytes that
// are not UTF-8, and line feeds without a carriage return.
TextDamage text_damage(Bytes start);

}  // namespace tracelint
