// The records of a trace as a table, leaf by leaf: a loop over the same tables that validate it.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/sink.hpp"

namespace tracelint {

// Writes what the format's framer finds in the window, from its start. Stops when the sink fails.
void dump(Window& window, const Format& format, const Limits& limits, Sink& sink);

}  // namespace tracelint
