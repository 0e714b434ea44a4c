// mlpd, sections 4.3 and 5, rules 84 to 86: the methods that are open on one thread.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "validator/call_stack.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kLeaveWithoutEnter{
    .id = "mlpd/leave-without-enter",
    .severity = Severity::warning,
    .statement = "a method is left while one is open on the thread",
    .message = "method {0x} is left on thread {1x}, and none is open there",
    .why = "mprof-report ignores the event: the call and its time are missing from the profile",
    .spec = "4.3.1 Calls",
    .since = "0.1.0"};

inline constexpr Rule kLeaveMismatch{
    .id = "mlpd/leave-mismatch",
    .severity = Severity::warning,
    .statement = "the method that is left is the one entered last on the thread",
    .message = "method {0x} is left on thread {2x}, and {1x} was entered last",
    .why = "reports charge the time to the wrong callers",
    .spec = "4.3.1 Calls",
    .since = "0.1.0",
    .severity_override = SeverityOverride{
        Severity::note, "an exception leaves the method", {}, "the calls between are taken as left, too"}};

inline constexpr Rule kCallStackOpenAtEnd{
    .id = "mlpd/call-stack-open-at-end",
    .severity = Severity::note,
    .statement = "a thread leaves the methods that it enters",
    .message = "{0 method is|methods are} still open on thread {1x} at the end of the file; {2x} was entered last",
    .why = "usual where the process ended or was killed in them; mprof-report counts them as leftovers",
    .spec = "4.3.1 Calls",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

inline constexpr const Rule* kCallRules[] = {&kLeaveWithoutEnter, &kLeaveMismatch, &kCallStackOpenAtEnd};

struct OpenCall {
    uint64_t key = 0;  // the method
    ShortSpot enter{};
};
using OpenCalls = tracelint::OpenCalls<OpenCall>;
using CallStack = tracelint::CallStack<OpenCall>;

}  // namespace tracelint::mlpd
