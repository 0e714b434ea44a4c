// Prints the records of a trace, leaf by leaf: a loop over the tables that validation uses.
#pragma once

#include "validator/tool/dump/renderer.hpp"

namespace tracelint {

// Writes all records that the framer finds in the window as text. The window stands at its start. Stops if the sink
// fails.
void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink);

}  // namespace tracelint
