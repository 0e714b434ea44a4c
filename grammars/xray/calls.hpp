// xray, section 4.4: the functions that are open on one thread.
#pragma once

#include "validator/call_stack.hpp"

namespace tracelint::xray {

struct OpenCall {
    uint32_t key;  // the function id
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;

}  // namespace tracelint::xray
