// Prints the records of a trace, leaf by leaf: a loop over the tables that validation uses.
#pragma once

#include "validator/format.hpp"
#include "validator/tool/sink.hpp"

namespace tracelint {

// What bounds a dump, and what it says of itself.
struct DumpContext {
    explicit DumpContext(const Limits& with) : limits(with), budget(with.memory) {}

    Limits limits;
    Budget budget;
    WorkCounter work;           // bytes that are looked at, those that the window reads aside
    std::string_view left_out;  // what the first limit that was reached left out; empty: nothing
};

// Writes the records that the framer finds in the window, which stands at its start. Stops if the sink fails.
void dump(Window& window, std::unique_ptr<Framer> framer, DumpContext& context, Sink& sink);

}  // namespace tracelint
