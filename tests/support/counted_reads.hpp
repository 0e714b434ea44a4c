// A source that counts the bytes that are read from it.
#pragma once

#include "validator/input/source.hpp"

namespace tracelint {

class CountedReads final : public ForwardingSource {
  public:
    using ForwardingSource::ForwardingSource;
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        bytes_ += got;
        return got;
    }
    uint64_t bytes() const { return bytes_; }

  private:
    uint64_t bytes_ = 0;
};

}  // namespace tracelint
