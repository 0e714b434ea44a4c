// Temporary vectors within a budget.
#pragma once

#include <vector>

#include "validator/memory/limits.hpp"
#include "validator/memory/pages.hpp"

namespace tracelint {

#ifdef __wasi__
template <class T>
using ScratchVector = std::vector<T>;
#else
template <class T>
using ScratchVector = std::vector<T, PageAllocator<T>>;
#endif

// Takes memory for vectors from the file's budget and gives it back when destroyed.
class Scratch {
  public:
    explicit Scratch(Budget& budget) : budget_(budget) {}
    ~Scratch() { budget_.give_back(taken_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Fills `vector` with `count` copies of `value`. False: the budget does not allow for it.
    template <class T, class Memory>
    [[nodiscard]] bool assign(std::vector<T, Memory>& vector, uint64_t count, T value) {
        if (!reserve(vector, count)) return false;
        vector.assign(count, value);
        return true;
    }
    // Reserves room for `count` elements. False: the budget does not allow for it.
    template <class T, class Memory>
    [[nodiscard]] bool reserve(std::vector<T, Memory>& vector, uint64_t count) {
        const uint64_t bytes =
            count * sizeof(T);  // cannot wrap: callers have checked that the file holds `count` elements
        if (!budget_.take(bytes)) return false;
        taken_ += bytes;
        vector.reserve(count);
        return true;
    }

  private:
    Budget& budget_;
    uint64_t taken_ = 0;
};

}  // namespace tracelint
