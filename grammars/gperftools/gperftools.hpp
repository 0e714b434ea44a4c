// gperftools, section 4: the walk over a file.
#pragma once

#include "validator/format.hpp"

namespace tracelint::gperftools {

// Checks a file and reports what is wrong with it to the context.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::gperftools
