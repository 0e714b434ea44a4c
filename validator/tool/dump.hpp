// Prints the records of a trace, leaf by leaf: a loop over the tables that validation uses.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/sink.hpp"

namespace tracelint {

// Writes the records that the framer finds in the window, which stands at its start. Stops if the sink fails. `work`
// counts the bytes that are looked at, those that the window reads aside.
void dump(Window& window, std::unique_ptr<Framer> framer, const Limits& limits, Sink& sink, WorkCounter& work);

}  // namespace tracelint
