// A bounded contiguous view that moves forward over a source, with absolute 64-bit offsets. Seeks over
// what nobody needs where the source can, and never allocates by a size that the file claims.
#pragma once

#include <cstdlib>
#include <memory>

#include "validator/limits.hpp"
#include "validator/source.hpp"

namespace tracelint {

class Window {
  public:
    explicit Window(Source& source, WorkCounter* work = nullptr) : source_(source), work_(work) {}

    // All bytes in hand from `offset` on: at least `wanted`, or fewer where the input ends. `offset` must
    // not lie before that of an earlier call. The bytes stay valid until the next call.
    Bytes view(uint64_t offset, size_t wanted) {
        if (offset >= base_ && offset - base_ <= filled_ && filled_ - (offset - base_) >= wanted) [[likely]]
            return {bytes_ + (offset - base_), filled_ - (offset - base_)};
        return refill(offset, wanted);
    }

    // Whether the input has at least `end` bytes. Gives up the bytes before `end` - 1 unless they are in
    // hand together with it.
    bool reaches(uint64_t end) {
        if (end <= base_ + filled_) [[likely]]
            return true;
        return !refill(end - 1, 1).empty();
    }

    // Bytes of the whole input. Known once a view came back short or reaches() said no.
    uint64_t size() const { return size_; }

    // Whether the end that was met is not the end of what was written: the container is cut, or reading failed. Known
    // with size().
    bool ended_early() const { return ended_early_; }

    Source& source() { return source_; }

  private:
    Bytes refill(uint64_t offset, size_t wanted);
    bool move_to(uint64_t offset);
    void fill(uint64_t offset, size_t wanted);
    void note_end();
    size_t room() const { return capacity_ - static_cast<size_t>(bytes_ - buffer_.get()); }
    void settle_at(uint64_t offset, size_t alive);
    void grow();

    Source& source_;
    WorkCounter* work_;
    // A byte stands in the buffer at the place of its page that it has in the input, as the kernel copies
    // about twice as fast between places of the same alignment.
    std::unique_ptr<uint8_t[], decltype(&std::free)> buffer_{nullptr, &std::free};
    size_t capacity_ = 0;       // of the buffer; whole pages
    uint8_t* bytes_ = nullptr;  // the first byte in hand
    uint64_t base_ = 0;         // and its offset in the input
    size_t filled_ = 0;         // bytes in hand
    size_t read_ahead_ = kWindow;
    uint64_t proven_ = 0;  // bytes that the input is known to have; a jump may lead behind its end
    uint64_t size_ = kNone;
    bool ended_early_ = false;
};

}  // namespace tracelint
