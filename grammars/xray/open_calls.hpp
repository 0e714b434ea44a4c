// XRay, section 4.4: the calls that are open on one stack. In FDR files a stack belongs to a buffer, in basic files to
// a thread.
#pragma once

#include "validator/memory/call_stack.hpp"

namespace tracelint::xray {

struct OpenCall {
    uint32_t key;  // the function id
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;

}  // namespace tracelint::xray
