// A source that says of itself what a container does that ended early.
#pragma once

#include "validator/input/source.hpp"

namespace tracelint {

class CutSource final : public ForwardingSource {
  public:
    explicit CutSource(Bytes bytes) : ForwardingSource(bytes_), bytes_(bytes) {}
    bool is_cut() const override { return true; }

  private:
    MemorySource bytes_;
};

}  // namespace tracelint
