// The record tables of a format as JSON, for other tools. description.schema.json describes it.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

void write_description(const Format& format, Sink& sink);

}  // namespace tracelint
