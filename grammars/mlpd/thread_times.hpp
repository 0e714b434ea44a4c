// mlpd, rule 22: the buffers of a thread come in the order of their time_base.
#pragma once

#include "grammars/mlpd/buffer_rules.hpp"
#include "grammars/mlpd/file_state.hpp"
#include "validator/sorted_table.hpp"

namespace tracelint::mlpd {

// Holds each buffer against the one before it of the same thread id. What excuses a step back may come up to the
// end of the second buffer.
class ThreadTimes {
  public:
    explicit ThreadTimes(FileState& file) : file_(file), threads_(file.inspection.budget, file.inspection.work) {}

    void begin_buffer(uint64_t thread_id, uint64_t time_base, const Place& place);
    // The thread begins or ends.
    void thread_event(uint64_t thread_id);
    // The buffer holds a JIT event, a framing fault, or is cut.
    void excuse() { excused_ = true; }
    void end_buffer();

  private:
    struct Entry {
        uint64_t key = 0;
        uint64_t time_base = 0;     // of its last buffer,
        bool was_excused = false;   // of which something is to be expected
        bool thread_event = false;  // since that buffer began
    };

    FileState& file_;
    SortedTable<Entry> threads_;
    uint64_t thread_id_ = 0;
    bool excused_ = false;
    bool goes_back_ = false, thread_event_before_ = false;
    Diagnostic finding_;
};

}  // namespace tracelint::mlpd
