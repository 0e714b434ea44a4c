// The cold half of the window: moving on, reading, and finding the end.
#include "validator/window.hpp"

#include <algorithm>
#include <cassert>

namespace tracelint {
namespace {

Bytes behind(Bytes bytes, uint64_t skipped) {
    return skipped < bytes.size() ? bytes.subspan(static_cast<size_t>(skipped)) : Bytes{};
}

}  // namespace

Bytes Window::refill(uint64_t offset, size_t wanted) {
    assert(offset >= base_);
    if (offset < base_) return {};
    if (size_ == kNone && wanted > 0 && move_to(offset)) fill(offset, wanted);
    return behind({buffer_.data(), filled_}, offset - base_);
}

// Reads until `wanted` bytes from `offset` on are in hand, or the input ends.
void Window::fill(uint64_t offset, size_t wanted) {
    while (true) {
        const size_t dead = static_cast<size_t>(offset - base_), alive = filled_ - dead;
        if (alive >= wanted) return;
        // Moving at most as many bytes as were passed keeps the sum of all moves linear.
        if (dead > 0 && (dead >= alive || wanted > buffer_.size() - dead)) {
            std::copy_n(buffer_.begin() + static_cast<ptrdiff_t>(dead), alive, buffer_.begin());
            if (work_ != nullptr) work_->add(alive);
            base_ = offset;
            filled_ = alive;
        }
        // Grown only when it is full of bytes that are there, whatever `wanted` claims.
        if (filled_ == buffer_.size()) buffer_.resize(std::max(kWindow, 2 * buffer_.size()));
        const size_t useful = std::clamp(wanted - alive, read_ahead_, kWindow);
        const size_t got = source_.read(buffer_.data() + filled_, std::min(useful, buffer_.size() - filled_));
        if (got == 0) return note_end();
        filled_ += got;
        proven_ = base_ + filled_;
        read_ahead_ = std::min(2 * read_ahead_, kWindow);
        if (work_ != nullptr) work_->add(got);
    }
}

// Makes `offset` lie in the buffer or directly behind it. False: the input ended on the way there.
bool Window::move_to(uint64_t offset) {
    if (offset - base_ <= filled_) return true;
    filled_ = 0;
    if (source_.seek(offset)) {
        // A short hop is no sign that the bytes to come are not needed either.
        if (offset - proven_ >= kReadAfterJump) read_ahead_ = kReadAfterJump;
        base_ = offset;
        return true;
    }
    base_ = proven_;
    if (buffer_.empty()) buffer_.resize(kWindow);
    while (base_ < offset) {
        const size_t got = source_.read(buffer_.data(), std::min<uint64_t>(kWindow, offset - base_));
        if (work_ != nullptr) work_->add(got);
        if (got == 0) {
            note_end();
            return false;
        }
        proven_ = base_ += got;
    }
    return true;
}

// A read behind the buffer gave nothing. Where that is right after a jump, the end may be before it.
void Window::note_end() {
    const uint64_t met = base_ + filled_;
    if (filled_ > 0 || met <= proven_) {
        size_ = met;
        return;
    }
    const uint64_t known = source_.size();
    size_ = known == kNone ? proven_ : std::clamp(known, proven_, met);
    base_ = size_;
}

}  // namespace tracelint
