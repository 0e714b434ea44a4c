// mlpd, section 3.3: the buffers of a thread come in the order of their time_base.
#pragma once

#include "grammars/mlpd/session/threads.hpp"

namespace tracelint::mlpd {

// Compares each buffer with the one before it of the same thread id. Whatever excuses a step back in time may come up
// to the end of the second buffer.
class ThreadTimes {
  public:
    ThreadTimes(FileState& file, Threads& threads) : report_(file.context.report), threads_(threads) {}

    void begin_buffer(Thread* thread, uint64_t time_base, const Place& place);
    // The thread begins or ends.
    void thread_event(uint64_t thread_id);
    // The buffer holds a JIT event, a framing fault, or is cut.
    void excuse() { excused_ = true; }
    void end_buffer();

  private:
    Report& report_;
    Threads& threads_;
    Thread* thread_ = nullptr;  // of the buffer; null: not tracked
    bool excused_ = false;
    bool goes_back_ = false, thread_event_before_ = false;
    Diagnostic finding_;
};

extern const RuleList kThreadTimeRules;

}  // namespace tracelint::mlpd
