// How far what is in a compressed file may be decompressed once more: one bound over both layers.
#pragma once

#include <algorithm>
#include <vector>

#include "validator/memory/limits.hpp"

namespace tracelint {

// Knows how many bytes of a compressed file its data came from, so that records which are compressed themselves are
// bounded by the size of the file, not by that of its data: the ratios of two layers would multiply. Only what lies
// before a multiple of kStep is known, so that it does not matter how far the file was read ahead.
class Inflation {
  public:
    // `ratio`: that of the container, see limits.hpp.
    explicit Inflation(uint64_t ratio) : ratio_(ratio) {}

    // The most bytes of data to decompress before note() is called.
    size_t at_once(uint64_t bytes) const { return static_cast<size_t>(std::min(bytes, kStep - given_ % kStep)); }
    // The first `given` bytes of the data, at_once() more at most than before, are from the first `taken` of the file.
    void note(uint64_t given, uint64_t taken) {
        given_ = given;
        if (given / kStep > marks_.size()) marks_.push_back(taken);
    }
    // How many bytes of the file were taken at the last multiple of kStep.
    uint64_t last_taken() const { return marks_.empty() ? 0 : marks_.back(); }
    // How many bytes may come of compressed records that are before `offset` in the data, all of them together.
    uint64_t limit_at(uint64_t offset) const {
        const auto known = static_cast<size_t>(std::min<uint64_t>(offset / kStep, marks_.size()));
        return inflated_at_most(known == 0 ? 0 : marks_[known - 1], ratio_);
    }

  private:
    static constexpr uint64_t kStep = kMiB;

    uint64_t ratio_;
    uint64_t given_ = 0;
    std::vector<uint64_t> marks_;  // at most kLargestInflated / kStep, 128 KiB
};

}  // namespace tracelint
