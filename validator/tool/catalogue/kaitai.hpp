// The record tables of a format as a Kaitai Struct specification: a type for each record. What the language cannot say
// is in its comments.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

void write_kaitai(const Format& format, Sink& sink);

}  // namespace tracelint
