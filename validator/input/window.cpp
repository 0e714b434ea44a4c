// The cold half of the window: moving, reading, and finding the end of the input.
#include "validator/input/window.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

namespace tracelint {
namespace {

constexpr size_t kPage = 4096;

Bytes without_first(uint64_t skipped, Bytes bytes) {
    return skipped < bytes.size() ? bytes.subspan(static_cast<size_t>(skipped)) : Bytes{};
}

// Most inputs of unknown size are small as well, and a pipe gives no more at once.
constexpr uint64_t kOfUnknownSize = uint64_t{60} << 10;

}  // namespace

Bytes Window::refill(uint64_t offset, size_t wanted) {
    assert(offset >= base_);
    if (offset < base_) return {};
    if (size_ == kNone && wanted > 0 && move_to(offset)) fill(offset, wanted);
    return without_first(offset - base_, {bytes_, filled_});
}

// Reads until `wanted` bytes from `offset` on are buffered, or the input ends.
void Window::fill(uint64_t offset, size_t wanted) {
    while (true) {
        const size_t dead = static_cast<size_t>(offset - base_), alive = filled_ - dead;
        if (alive >= wanted) return;
        // Moving at most as many bytes as were consumed keeps the sum of all moves linear.
        if (dead > 0 && (dead >= alive || wanted > room() - dead)) settle_at(offset, alive);
        // Grows only when it is full, so that `wanted`, which the file may claim, does not decide.
        if (filled_ == room()) grow();
        const size_t useful = std::clamp(wanted - alive, read_ahead_, kWindow);
        const size_t got = source_.read(bytes_ + filled_, std::min(useful, room() - filled_));
        if (got == 0) return note_end();
        filled_ += got;
        proven_ = base_ + filled_;
        read_ahead_ = std::min(2 * read_ahead_, kWindow);
        if (work_ != nullptr) work_->add(got);
    }
}

// Drops everything before `offset` and moves the `alive` bytes from there on to the front.
void Window::settle_at(uint64_t offset, size_t alive) {
    if (capacity_ == 0) grow();
    uint8_t* const to = buffer_.get() + offset % kPage;
    std::memmove(to, bytes_ + (filled_ - alive), alive);
    if (work_ != nullptr) work_->add(alive);
    bytes_ = to;
    base_ = offset;
    filled_ = alive;
}

// Starts with room for a small input and one byte more. A wrong size costs no more than kWindow.
void Window::grow() {
    const uint64_t size = source_.size() == kNone ? kOfUnknownSize : source_.size();
    const size_t small = static_cast<size_t>(std::min<uint64_t>(size / kPage + 1, kWindow / kPage)) * kPage;
    const size_t capacity = capacity_ == 0 ? small : capacity_ < kWindow ? kWindow : 2 * capacity_;
    const uint64_t charged_before = charged_;
    charge(capacity);
    decltype(buffer_) larger(static_cast<uint8_t*>(std::aligned_alloc(kPage, capacity)), &std::free);
    if (larger == nullptr) throw std::bad_alloc();
    const size_t lead = static_cast<size_t>(base_ % kPage);
    if (filled_ > 0) std::memcpy(larger.get() + lead, bytes_, filled_);
    buffer_ = std::move(larger);
    capacity_ = capacity;
    bytes_ = buffer_.get() + lead;
    if (budget_ == nullptr) return;
    budget_->give_back_lasting(charged_before);
    charged_ -= charged_before;
}

// Takes a buffer from the budget in addition to the one there is, which is freed later.
void Window::charge(size_t capacity) {
    if (budget_ == nullptr || capacity <= kFreeWindow) return;
    if (!budget_->take_lasting(capacity)) throw std::bad_alloc();
    charged_ += capacity;
}

uint64_t Window::within_budget(uint64_t wanted) const {
    uint64_t capacity = std::max<uint64_t>(capacity_, kFreeWindow), charged = charged_, left = budget_->left();
    // A view may begin anywhere in the buffer's first page. A buffer is freed once its bytes are in a larger one.
    while (capacity - kPage < wanted && left / 2 >= capacity) {
        left = left - 2 * capacity + charged;
        capacity = charged = 2 * capacity;
    }
    return std::min(wanted, capacity - kPage);
}

// Moves the buffer so that `offset` is in it or directly after it. False: the input ends before.
bool Window::move_to(uint64_t offset) {
    if (offset - base_ <= filled_) return true;
    filled_ = 0;
    if (source_.seek(offset)) {
        // After a short skip the bytes that follow are probably needed, so the read-ahead stays.
        if (offset - proven_ >= kReadAfterJump) read_ahead_ = kReadAfterJump;
        settle_at(offset, 0);
        return true;
    }
    base_ = proven_;
    if (capacity_ == 0) grow();
    while (base_ < offset) {
        const size_t got = source_.read(buffer_.get(), std::min<uint64_t>(capacity_, offset - base_));
        if (work_ != nullptr) work_->add(got);
        if (got == 0) {
            note_end();
            return false;
        }
        proven_ = base_ += got;
    }
    settle_at(base_, 0);
    return true;
}

// A read at the end of the buffer gave nothing. After a seek, the end may be before the buffer.
void Window::note_end() {
    ended_early_ = source_.is_cut() || !source_.failure().empty();
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
