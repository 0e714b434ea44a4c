// A bounded, contiguous view that moves forward over a source.
//
// A walk asks view(offset, wanted) for the bytes of the next record and gets a span that is valid until the next call.
// Offsets are absolute, have 64 bits and never decrease, so a pipe works like a file. Bytes between two views are
// skipped; if the source can seek, they are not even read.
//
// The window reads ahead in blocks, so that most calls of view() are a comparison and an addition. It grows only as
// bytes really arrive, never by a size that the file claims: a record that claims 4 GiB in a file of 1 KiB costs 1 KiB.
// Up to kFreeWindow is free, and more is taken from the file's budget; a walk that wants to see a large record as a
// whole asks affordable() first, and skips the contents of the record if the budget does not allow them.
#pragma once

#include <cstdlib>
#include <memory>

#include "validator/input/source.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint {

class Window {
  public:
    // Without a budget, memory is not limited.
    explicit Window(Source& source, WorkCounter* work = nullptr, Budget* budget = nullptr)
        : source_(source), work_(work), budget_(budget) {}
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() {
        if (budget_ != nullptr) budget_->give_back_lasting(charged_);
    }

    // All buffered bytes from `offset` on: at least `wanted`, or fewer if the input ends. `offset` must not decrease
    // from call to call. The bytes stay valid until the next call of view() or reaches(). Throws std::bad_alloc if the
    // budget does not allow for so many bytes: ask affordable() before.
    Bytes view(uint64_t offset, size_t wanted) {
        if (offset >= base_ && offset - base_ <= filled_ && filled_ - (offset - base_) >= wanted) [[likely]]
            return {bytes_ + (offset - base_), filled_ - (offset - base_)};
        return refill(offset, wanted);
    }

    // `wanted`, or as many bytes as view() can show with the memory that is left, if those are fewer.
    uint64_t affordable(uint64_t wanted) const {
        return wanted <= kFreeWindow / 2 || budget_ == nullptr ? wanted : within_budget(wanted);
    }

    // Whether the input has at least `end` bytes. Unless they are all buffered, drops the bytes before `end` - 1.
    bool reaches(uint64_t end) {
        if (end <= base_ + filled_) [[likely]]
            return true;
        return !refill(end - 1, 1).empty();
    }

    // Size of the input in bytes. Known once view() returned fewer bytes than wanted or reaches() returned false; kNone
    // before.
    uint64_t size() const { return size_; }

    // Whether the input ends before the data that was written does: its container is truncated, or reading failed.
    // Known when size() is.
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
    void charge(size_t capacity);
    uint64_t within_budget(uint64_t wanted) const;

    Source& source_;
    WorkCounter* work_;
    Budget* budget_;
    uint64_t charged_ = 0;  // bytes taken from the budget
    // A byte has the same offset within a page in the buffer as in the input: the kernel copies about twice as fast
    // between addresses of the same alignment.
    std::unique_ptr<uint8_t[], decltype(&std::free)> buffer_{nullptr, &std::free};
    size_t capacity_ = 0;       // bytes of the buffer; whole pages
    uint8_t* bytes_ = nullptr;  // the first buffered byte
    uint64_t base_ = 0;         // its offset in the input
    size_t filled_ = 0;         // buffered bytes
    size_t read_ahead_ = kWindow;
    uint64_t proven_ = 0;  // bytes that the input is known to have; base_ may be beyond the end after a seek
    uint64_t size_ = kNone;
    bool ended_early_ = false;
};

}  // namespace tracelint
