// The caller's options as the library wants them.
#pragma once

#include "tracelint/check.hpp"
#include "validator/bindings/c/tracelint.h"

namespace tracelint::c {

// Copies the caller's options, which may be null, to `options`.
tracelint_error take_options(const tracelint_options* of_caller, Options& options);

}  // namespace tracelint::c
