// A vector within a budget that grows without moving its elements, so that it never holds much more than they take.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "validator/limits.hpp"

namespace tracelint {

// Elements lie in chunks of `PerChunk`, a power of 2.
template <class T, size_t PerChunk>
class ChunkedVector {
    static_assert((PerChunk & (PerChunk - 1)) == 0);

  public:
    explicit ChunkedVector(Budget& budget) : budget_(budget) {}
    ~ChunkedVector() { clear(); }
    ChunkedVector(const ChunkedVector&) = delete;
    ChunkedVector& operator=(const ChunkedVector&) = delete;

    size_t size() const { return size_; }
    // Whether push_back() needs no memory.
    bool has_room() const { return size_ < chunks_.size() * PerChunk; }

    // False: the budget does not allow for one more element.
    [[nodiscard]] bool push_back(const T& item) {
        if (!has_room() && !grow()) return false;
        (*this)[size_++] = item;
        return true;
    }
    // Removes all elements, but keeps their memory.
    void keep_none() { size_ = 0; }
    // Removes all elements and gives their memory back.
    void clear() {
        budget_.give_back(chunks_.size() * kChunkCost);
        chunks_ = std::vector<Chunk>();  // {} would keep the memory
        size_ = 0;
    }

    T& operator[](size_t i) { return (*chunks_[i / PerChunk])[i % PerChunk]; }

  private:
    using Chunk = std::unique_ptr<std::array<T, PerChunk>>;
    // The list of chunks doubles, and its old memory exists beside the new one for a moment.
    static constexpr uint64_t kChunkCost = allocation_cost(sizeof(T) * PerChunk) + 3 * sizeof(Chunk);

    bool grow() {
        if (!budget_.take(kChunkCost)) return false;
        chunks_.push_back(std::make_unique_for_overwrite<std::array<T, PerChunk>>());
        return true;
    }

    Budget& budget_;
    std::vector<Chunk> chunks_;
    size_t size_ = 0;
};

}  // namespace tracelint
