// A vector within a budget that grows without moving its elements, so that it never holds much more than they take.
#pragma once

#include <bit>
#include <vector>

#include "validator/memory/limits.hpp"
#include "validator/memory/pages.hpp"

namespace tracelint {

// For plain data. Elements lie in chunks, each twice as large as the one before, up to one of several MiB in huge
// pages; all that follow are as large as that.
template <class T>
class ChunkedVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit ChunkedVector(Budget& budget) : budget_(budget) {}
    ~ChunkedVector() { clear(); }
    ChunkedVector(const ChunkedVector&) = delete;
    ChunkedVector& operator=(const ChunkedVector&) = delete;

    size_t size() const { return size_; }
    // Whether push_back() needs no memory.
    bool has_room() const { return end_ != limit_; }

    // False: the budget does not allow for one more element.
    [[nodiscard]] bool push_back(const T& item) {
        if (!has_room() && !grow()) return false;
        *end_++ = item;
        ++size_;
        return true;
    }
    // Removes the last element. It must be in the first chunk.
    void pop_back() {
        --end_;
        --size_;
    }
    // Removes all elements and gives their memory back.
    void clear() {
        for (size_t chunk = 0; chunk < chunks_.size(); ++chunk) budget_.give_back(cost_of(chunk));
        chunks_ = std::vector<Pages>();  // {} would keep the memory
        end_ = limit_ = nullptr;
        size_ = 0;
    }

    T& operator[](size_t i) {
        if (i >= kInSmall) return data_of(kSmall + (i - kInSmall) / kLarge)[(i - kInSmall) % kLarge];
        const auto chunk = static_cast<size_t>(std::bit_width(i / kFirst + 1)) - 1;
        return data_of(chunk)[i - kFirst * ((size_t{1} << chunk) - 1)];
    }

  private:
    static constexpr size_t kFirst = 256;                                     // elements of the first chunk
    static constexpr size_t kSmall = 9;                                       // chunks that double
    static constexpr size_t kInSmall = kFirst * ((size_t{1} << kSmall) - 1);  // elements in them
    static constexpr size_t kLarge = size_t{1} << 18;                         // elements of each later chunk

    static constexpr size_t count_of(size_t chunk) { return chunk < kSmall ? kFirst << chunk : kLarge; }
    // The list of chunks takes little more than its elements.
    static constexpr uint64_t cost_of(size_t chunk) {
        return allocation_cost(Pages::cost(count_of(chunk) * sizeof(T))) + 3 * sizeof(Pages);
    }
    T* data_of(size_t chunk) { return static_cast<T*>(chunks_[chunk].data()); }

    bool grow() {
        const size_t chunk = chunks_.size();
        if (!budget_.take(cost_of(chunk))) return false;
        chunks_.emplace_back(count_of(chunk) * sizeof(T));
        end_ = data_of(chunk);
        limit_ = end_ + count_of(chunk);
        return true;
    }

    Budget& budget_;
    std::vector<Pages> chunks_;
    T* end_ = nullptr;    // of the elements in the last chunk
    T* limit_ = nullptr;  // of that chunk
    size_t size_ = 0;
};

}  // namespace tracelint
