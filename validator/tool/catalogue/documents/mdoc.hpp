// Text and macros of mdoc, the language of manual pages.
#pragma once

#include <string>
#include <string_view>

namespace tracelint::mdoc {

// Running text, as lines that end in a newline: a sentence begins on a line of its own, and nothing in it is treated as
// a macro or an escape.
std::string text(std::string_view words);

// A word as an argument of a macro.
std::string argument(std::string_view word);

// "2026-11-23" as "November 23, 2026".
std::string date(std::string_view iso);

}  // namespace tracelint::mdoc
