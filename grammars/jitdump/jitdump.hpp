// What the files of this folder offer to the format.
#pragma once

#include "validator/format.hpp"

namespace tracelint::jitdump {

// How sure it is that a file is a dump: 0 to 100.
int recognise(const Opening& opening);

std::unique_ptr<Framer> make_framer(const Settings& settings);

}  // namespace tracelint::jitdump
