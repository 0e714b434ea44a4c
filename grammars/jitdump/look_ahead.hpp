// Prefetching for the LOADs after the cursor (section 4.2).
#pragma once

#include "grammars/jitdump/state.hpp"
#include "validator/waiting.hpp"

namespace tracelint::jitdump {

// Says to large tables which functions and addresses are looked up soon: in a file whose processes or addresses come in
// no order, a check spends its time in waiting for memory.
class LookAhead {
  public:
    explicit LookAhead(State& state) : state_(state) {}

    // The cursor is at `offset`, and these bytes from there on are in view. Changes nothing but the speed.
    void look([[maybe_unused]] Bytes in_view, [[maybe_unused]] uint64_t offset) {
#ifndef __wasi__  // where nothing is prefetched
        if (state_.functions.has_many_in_tables() || state_.code.has_many_foreign()) [[unlikely]]
            advance(in_view, offset);
#endif
    }

  private:
    struct Load {
        uint32_t pid;
        uint64_t index, address;
    };

    void advance(Bytes in_view, uint64_t offset);
    void announce(const View<kLoad>& load);

    State& state_;
    uint64_t next_ = 0;  // the first record that was not looked at
    Waiting<Load, 8> announced_;
};

}  // namespace tracelint::jitdump
