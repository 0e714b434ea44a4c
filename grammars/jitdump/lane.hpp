// Prefetching for the LOADs after the cursor (sections 4.2 and 4.3).
#pragma once

#include "grammars/jitdump/checks/state.hpp"
#include "validator/memory/delay_queue.hpp"

namespace tracelint::jitdump {

// Announces to large tables the functions and addresses that will be looked up soon, so that they are prefetched.
// Otherwise a check of a file with processes in random order would mostly wait for memory.
class Prefetcher {
  public:
    explicit Prefetcher(State& state) : state_(state) {}

    // The cursor is at `offset`, and the bytes from there on are in view. Changes no finding.
    void run([[maybe_unused]] Bytes in_view, [[maybe_unused]] uint64_t offset) {
#ifndef __wasi__  // which has no prefetch instruction
        if (state_.functions.is_large() || state_.code.is_large()) [[unlikely]]
            advance(in_view, offset);
#endif
    }

  private:
    struct Load {
        uint32_t pid;
        uint64_t index, address;
    };

    void advance(Bytes in_view, uint64_t offset);
    void prefetch(const View<kLoad>& load);

    State& state_;
    uint64_t next_ = 0;  // the first record that has not been looked at
    DelayQueue<Load, 8> loads_;
};

}  // namespace tracelint::jitdump
