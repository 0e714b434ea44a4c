// What the files of this folder offer to the format.
#pragma once

#include "validator/format.hpp"

namespace tracelint::pprof {

// pprof, section 2: how sure the first bytes make it that the file is a profile, in percent.
int recognise(const Opening& opening);

// pprof, section 3: finds the top-level fields of a file without judging them.
std::unique_ptr<Framer> make_framer(const Settings& settings);

// pprof, section 4: the walk over a file. Checks it to its end and writes what it finds to the report of `context`.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::pprof
