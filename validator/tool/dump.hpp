// The records of a trace as a table, leaf by leaf: a loop over the same tables that validate it.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/sink.hpp"

namespace tracelint {

// Writes what the framer of a format finds in the window, from its start. Stops when the sink fails.
void dump(Window& window, std::unique_ptr<Framer> framer, const Limits& limits, Sink& sink);

}  // namespace tracelint
