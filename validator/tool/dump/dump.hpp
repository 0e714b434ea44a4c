// Prints the records of a trace, leaf by leaf: a loop over the tables that validation uses.
#pragma once

#include "validator/tool/dump/record_walk.hpp"
#include "validator/tool/sink.hpp"

namespace tracelint {

// Writes the records that the framer finds in the window, which stands at its start. Stops if the sink fails.
void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink);

}  // namespace tracelint
