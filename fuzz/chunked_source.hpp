// A source over memory that returns its bytes in pieces of chosen sizes, for tests that require the same report however
// a file is read. It can also refuse to seek, and fail.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "validator/input/source.hpp"

namespace tracelint {

struct Chunking {
    std::vector<size_t> sizes = {};  // of successive reads in bytes, repeated; empty: as much as is asked for
    uint64_t seed = 0;               // if not 0, sizes are random instead, and often small
    bool seekable = true;            // if not, the size is also unknown
    uint64_t short_at = kNone;       // a read that reaches this offset stops there
    uint64_t fails_at = kNone;       // reads fail from this offset on
};

class ChunkedSource final : public Source {
  public:
    explicit ChunkedSource(Bytes bytes, Chunking chunking = {})
        : bytes_(bytes), chunking_(std::move(chunking)), random_(chunking_.seed) {}

    size_t read(uint8_t* to, size_t bytes) override {
        ++reads_;
        if (at_ >= chunking_.fails_at) failed_ = true;
        if (failed_ || at_ >= bytes_.size()) return 0;
        const uint64_t size = std::min({uint64_t{bytes}, uint64_t{next_size(bytes)}, bytes_.size() - at_,
                                        up_to(chunking_.short_at), up_to(chunking_.fails_at)});
        std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(at_), size, to);
        at_ += size;
        given_ += size;
        return size;
    }

    bool seek(uint64_t offset) override {
        if (chunking_.seekable) at_ = offset;
        return chunking_.seekable;
    }
    uint64_t size() const override { return chunking_.seekable ? bytes_.size() : kNone; }
    std::string failure() const override { return failed_ ? "the source is set to fail here" : ""; }

    uint64_t bytes_given() const { return given_; }
    uint64_t reads() const { return reads_; }

  private:
    // At least 1, since an empty read means the end of the input.
    size_t next_size(size_t asked) {
        if (chunking_.seed != 0) return size_t{1} + random_() % (size_t{1} << random_() % 14);
        if (chunking_.sizes.empty()) return asked;
        return std::max<size_t>(1, chunking_.sizes[turn_++ % chunking_.sizes.size()]);
    }
    uint64_t up_to(uint64_t offset) const { return offset > at_ ? offset - at_ : kNone; }

    Bytes bytes_;
    Chunking chunking_;
    std::mt19937_64 random_;
    size_t turn_ = 0;
    uint64_t at_ = 0;
    uint64_t given_ = 0;
    uint64_t reads_ = 0;
    bool failed_ = false;
};

}  // namespace tracelint
