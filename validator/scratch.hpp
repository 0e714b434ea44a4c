// Vectors under the global budget.
#pragma once

#include <vector>

#include "validator/limits.hpp"

namespace tracelint {

// Memory that is needed for a while, under the budget of the file; given back at the end.
class Scratch {
  public:
    explicit Scratch(Budget& budget) : budget_(budget) {}
    ~Scratch() { budget_.give_back(taken_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // Makes `vector` hold `count` copies of `value`; false if the budget does not allow for it.
    template <class T>
    [[nodiscard]] bool assign(std::vector<T>& vector, uint64_t count, T value) {
        if (!reserve(vector, count)) return false;
        vector.assign(count, value);
        return true;
    }
    // Makes room for `count` elements.
    template <class T>
    [[nodiscard]] bool reserve(std::vector<T>& vector, uint64_t count) {
        const uint64_t bytes = count * sizeof(T);  // counts are proven to fit into the file
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
