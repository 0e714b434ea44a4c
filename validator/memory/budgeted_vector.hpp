// A vector within a budget.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "validator/memory/limits.hpp"

namespace tracelint {

// A vector that takes its memory from a budget before it grows, and gives it back when destroyed.
template <class T>
class BudgetedVector {
  public:
    explicit BudgetedVector(Budget& budget) : budget_(budget) {}
    ~BudgetedVector() { budget_.give_back(charged_); }
    BudgetedVector(const BudgetedVector&) = delete;
    BudgetedVector& operator=(const BudgetedVector&) = delete;

    // Makes room for `count` elements in all. False: the budget does not allow for it, and nothing has changed.
    [[nodiscard]] bool reserve(uint64_t count) {
        if (count <= items_.capacity()) return true;
        // Old and new memory exist side by side while the elements move. Doubling keeps the sum of all moves linear.
        const uint64_t room = std::max<uint64_t>({count, 2 * items_.capacity(), kFewest});
        const uint64_t before = charged_, more = room * sizeof(T);
        if (!budget_.take(more)) return false;
        charged_ += more;
        items_.reserve(room);
        budget_.give_back(before);
        charged_ -= before;
        return true;
    }
    // False: the budget does not allow for one more element.
    [[nodiscard]] bool push_back(const T& item) {
        if (!reserve(items_.size() + 1)) return false;
        items_.push_back(item);
        return true;
    }
    void pop_back() { items_.pop_back(); }
    // Keeps the first `count` elements, which are there.
    void keep_first(size_t count) { items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(count), items_.end()); }
    // Removes all elements, but keeps their memory.
    void clear() { items_.clear(); }
    // Removes all elements and gives their memory back.
    void release() {
        items_ = std::vector<T>();  // {} would keep the memory
        budget_.give_back(std::exchange(charged_, 0));
    }
    void swap(BudgetedVector& other) noexcept {
        items_.swap(other.items_);
        std::swap(charged_, other.charged_);
    }

    size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    // Bytes taken from the budget.
    uint64_t charged() const { return charged_; }
    T& operator[](size_t i) { return items_[i]; }
    const T& operator[](size_t i) const { return items_[i]; }
    const T& back() const { return items_.back(); }
    auto begin() { return items_.begin(); }
    auto begin() const { return items_.begin(); }
    auto end() { return items_.end(); }
    auto end() const { return items_.end(); }

  private:
    static constexpr uint64_t kFewest = 4;  // elements

    Budget& budget_;
    std::vector<T> items_;
    uint64_t charged_ = 0;
};

}  // namespace tracelint
