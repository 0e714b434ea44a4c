// gperftools, section 4: the walk over a file.
#pragma once

#include "validator/format.hpp"

namespace tracelint::gperftools {

// Checks a file against section 5, and says what it finds in the report of the context.
void validate(Window& window, ValidationContext& context);

}  // namespace tracelint::gperftools
