// What cannot be read twice is kept while it is read, so that findings can be shown with the bytes around them, and
// readers be asked.
#pragma once

#include <algorithm>
#include <new>
#include <vector>

#include "validator/input/source.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint {

// The first bytes of an input that cannot be read twice.
class KeptInput {
  public:
    // At most this part of the memory for a file is spent on its bytes, and at most so many are kept.
    static constexpr uint64_t kPart = 32, kMost = 8 * kMiB;

    // The most that is kept of an input, by the memory for it.
    static uint64_t most_of(uint64_t memory) { return std::min(memory / kPart, kMost); }
    // From now on up to `most` bytes are kept. It takes twice as much memory, as the bytes are copied when their buffer
    // grows.
    void start(uint64_t most) { most_ = most; }

    // Takes the next bytes of the input. What does not fit, or finds no memory, is dropped.
    void take(Bytes bytes) {
        const auto room = static_cast<size_t>(std::min<uint64_t>(most_ - bytes_.size(), bytes.size()));
        try {
            bytes_.insert(bytes_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(room));
        } catch (const std::bad_alloc&) {
            most_ = bytes_.size();
            is_whole_ = false;
        }
        is_whole_ = is_whole_ && room == bytes.size();
    }

    Bytes bytes() const { return bytes_; }
    // Whether nothing was dropped.
    bool is_whole() const { return is_whole_; }

  private:
    std::vector<uint8_t> bytes_;
    uint64_t most_ = 0;
    bool is_whole_ = true;
};

// Keeps what is read from another source. Both must outlive it.
class KeepingSource final : public ForwardingSource {
  public:
    KeepingSource(Source& inner, KeptInput& kept) : ForwardingSource(inner), kept_(kept) {}
    size_t read(uint8_t* to, size_t bytes) override {
        const size_t got = ForwardingSource::read(to, bytes);
        kept_.take({to, got});
        return got;
    }

  private:
    KeptInput& kept_;
};

}  // namespace tracelint
