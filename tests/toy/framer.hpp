// toy, section 3: finds the records of a file without judging them.
#pragma once

#include "validator/format.hpp"

namespace tracelint::toy {

std::unique_ptr<Framer> make_framer(const Settings& settings);

}  // namespace tracelint::toy
