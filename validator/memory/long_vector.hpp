// A vector within a budget for tables of millions, that grows without a second copy of its elements.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "validator/memory/limits.hpp"

namespace tracelint {

// For plain data. Its memory is one block, which the C library of Linux moves by its pages.
template <class T>
class LongVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit LongVector(Budget& budget) : budget_(budget) {}
    ~LongVector() {
        std::free(items_);
        budget_.give_back(room_ * sizeof(T));
    }
    LongVector(const LongVector&) = delete;
    LongVector& operator=(const LongVector&) = delete;

    // Makes room for `count` elements in all. False: the budget does not allow for it, and nothing has changed.
    [[nodiscard]] bool reserve(uint64_t count) {
        // By a quarter; near the end of the budget by less.
        return count <= room_ || grow(std::max(count, room_ + room_ / 4)) || grow(std::max(count, room_ + room_ / 64));
    }
    // False: the budget does not allow for one more element.
    [[nodiscard]] bool push_back(const T& item) {
        if (size_ == room_ && !reserve(std::max<uint64_t>(size_ + 1, kFewest))) return false;
        items_[size_++] = item;
        return true;
    }

    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](size_t i) { return items_[i]; }
    const T& operator[](size_t i) const { return items_[i]; }
    T* begin() { return items_; }
    const T* begin() const { return items_; }
    T* end() { return items_ + size_; }
    const T* end() const { return items_ + size_; }

  private:
    static constexpr uint64_t kFewest = 4;  // elements
#ifdef __linux__
    static constexpr bool kIsMoved = true;
#else
    static constexpr bool kIsMoved = false;  // old and new memory may exist side by side
#endif

    bool grow(uint64_t room) {
        const uint64_t before = kIsMoved ? 0 : room_ * sizeof(T);
        const uint64_t more = room * sizeof(T) - (kIsMoved ? room_ * sizeof(T) : 0);
        if (!budget_.take(more)) return false;
        void* const moved = std::realloc(items_, room * sizeof(T));
        if (moved == nullptr) {
            budget_.give_back(more);
            throw std::bad_alloc();
        }
        budget_.give_back(before);
        items_ = static_cast<T*>(moved);
        room_ = room;
        return true;
    }

    Budget& budget_;
    T* items_ = nullptr;
    uint64_t size_ = 0, room_ = 0;
};

}  // namespace tracelint
