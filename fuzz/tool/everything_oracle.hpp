// The oracle for all that can be asked of a file: the check, what each reader does with it, its dump in every kind, and
// its page. All of it together stays within one budget of work.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

Complaint everything(Bytes bytes);

}  // namespace tracelint
