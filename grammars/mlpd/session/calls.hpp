// mlpd, section 4.3.1: the open calls of one thread.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/memory/call_stack.hpp"

namespace tracelint::mlpd {

struct OpenCall {
    uint64_t key = 0;  // the method
    ShortSpot enter{};
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;
using CallStack = tracelint::CallStack<OpenCall>;

}  // namespace tracelint::mlpd
