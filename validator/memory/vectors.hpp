// Vectors within a budget. BudgetedVector is the usual one; the others differ in how they grow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "validator/memory/limits.hpp"
#include "validator/memory/pages.hpp"

namespace tracelint {

// A vector that has huge pages where it is large.
#ifdef __wasi__
template <class T>
using PagedVector = std::vector<T>;
#else
template <class T>
using PagedVector = std::vector<T, PageAllocator<T>>;
#endif

// A vector that takes its memory from a budget before it grows, and gives it back when destroyed. `Items`: a
// std::vector, or a PagedVector where files can make it large.
template <class T, class Items = std::vector<T>>
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
        items_ = Items();  // {} would keep the memory
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
    Items items_;
    uint64_t charged_ = 0;
};

// A vector within a budget that grows without moving its elements, so that it never holds much more than they take.

// For plain data. Elements are in chunks, each twice as large as the one before, up to one of several MiB in huge
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

// A vector within a budget for tables of millions, that grows without a second copy of its elements.

// For plain data. Its memory is one block, which Linux moves by its pages: small ones in the C library, and huge ones
// once it is large, since a table that is touched all over spends most of its time on page faults.
template <class T>
class LongVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    explicit LongVector(Budget& budget) : budget_(budget) {}
    ~LongVector() {
        release();
        budget_.give_back(bytes_);
    }
    LongVector(const LongVector&) = delete;
    LongVector& operator=(const LongVector&) = delete;

    // Makes room for `count` elements in all. False: the budget does not allow for it, and nothing has changed.
    [[nodiscard]] bool reserve(uint64_t count) {
        // Small blocks double, as they may be copied; large ones grow by a quarter, near the end of the budget by less.
        const uint64_t usual = bytes_ < kMostDoubled ? room_ : room_ / 4;
        return count <= room_ || grow(std::max(count, room_ + usual)) || grow(std::max(count, room_ + room_ / 64));
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
    static constexpr uint64_t kFewest = 4;                          // elements
    static constexpr uint64_t kMostDoubled = Pages::kHugePage / 8;  // bytes
    // A block takes at most twice the memory that its elements need, also where it has a huge page.
    static constexpr uint64_t kMostSmall = Pages::kHugePage / 2;  // bytes
#ifdef __linux__
    static constexpr bool kIsMoved = true;
#else
    static constexpr bool kIsMoved = false;  // old and new memory may exist side by side
#endif

    bool grow(uint64_t room) {
        const uint64_t wanted = room * sizeof(T), pages = (wanted + Pages::kHugePage - 1) / Pages::kHugePage;
        const bool is_huge = is_huge_ || (kIsMoved && wanted > kMostSmall && budget_.allows(pages * Pages::kHugePage));
        const uint64_t bytes = is_huge ? pages * Pages::kHugePage : wanted;
        const bool is_moved = kIsMoved && is_huge == is_huge_;
        if (!budget_.take(is_moved ? bytes - bytes_ : bytes)) return false;
        T* const items = static_cast<T*>(reallocated(bytes, is_huge));
        if (items == nullptr) {
            budget_.give_back(is_moved ? bytes - bytes_ : bytes);
            throw std::bad_alloc();
        }
        if (!is_moved) budget_.give_back(bytes_);
        items_ = items;
        bytes_ = bytes;
        room_ = bytes / sizeof(T);
        is_huge_ = is_huge;
        return true;
    }
    // Null: there is no memory, and nothing has changed.
    void* reallocated(uint64_t bytes, [[maybe_unused]] bool is_huge) {
#ifdef __linux__
        if (is_huge_) return Pages::try_grow_huge(items_, bytes_, bytes);
        if (is_huge) {
            void* const mapped = Pages::try_map_huge(bytes);
            if (mapped == nullptr) return nullptr;
            if (size_ != 0) std::memcpy(mapped, items_, size_ * sizeof(T));
            std::free(items_);
            return mapped;
        }
#endif
        return std::realloc(items_, bytes);
    }
    void release() {
#ifdef __linux__
        if (is_huge_) return Pages::unmap(items_, bytes_);
#endif
        std::free(items_);
    }

    Budget& budget_;
    T* items_ = nullptr;
    uint64_t size_ = 0, room_ = 0;
    uint64_t bytes_ = 0;  // of the block
    bool is_huge_ = false;
};

// Temporary vectors within a budget.

class Scratch;

// A sanitizer is to see where each vector ends.
#ifdef __has_feature
#define TRACELINT_SHARES_SCRATCH !__has_feature(address_sanitizer)
#else
#define TRACELINT_SHARES_SCRATCH 1
#endif

// The first bytes of what one file's temporary vectors take, which are asked for once: small records come by the
// thousands, and each has lists.
class ScratchMemory {
  public:
    explicit ScratchMemory(Budget& budget) : budget_(budget) {}
    ScratchMemory(const ScratchMemory&) = delete;
    ScratchMemory& operator=(const ScratchMemory&) = delete;

  private:
    friend class Scratch;
    // Bytes; not charged to the budget as long as no vector is in them.
    static constexpr size_t kShared = TRACELINT_SHARES_SCRATCH ? 32 << 10 : 0;

    Budget& budget_;
    const Scratch* innermost_ = nullptr;
    std::unique_ptr<std::byte[]> shared_;  // null: not asked for yet
    size_t used_ = 0;                      // bytes of it
};

#undef TRACELINT_SHARES_SCRATCH

// Plain data in memory of a Scratch, which gives it its room. It must not be used after the Scratch.
template <class T>
class ScratchVector {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    // There is room.
    void push_back(const T& item) { items_[size_++] = item; }
    void pop_back() { --size_; }
    // What is added is zero.
    void resize(size_t size) {
        if (size > size_) std::fill(items_ + size_, items_ + size, T{});
        size_ = size;
    }

    size_t size() const { return size_; }
    size_t capacity() const { return room_; }
    bool empty() const { return size_ == 0; }
    T* data() { return items_; }
    const T* data() const { return items_; }
    T& operator[](size_t i) { return items_[i]; }
    const T& operator[](size_t i) const { return items_[i]; }
    T& back() { return items_[size_ - 1]; }
    const T& back() const { return items_[size_ - 1]; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }

  private:
    friend class Scratch;

    T* items_ = nullptr;
    size_t size_ = 0, room_ = 0;
    Pages own_;  // where the shared memory is too small
};

// Takes memory for vectors from the file's budget and gives it back when destroyed.
class Scratch {
  public:
    explicit Scratch(ScratchMemory& memory)
        : memory_(memory), outer_(std::exchange(memory.innermost_, this)), used_before_(memory.used_) {}
    ~Scratch() {
        memory_.innermost_ = outer_;
        memory_.used_ = used_before_;
        memory_.budget_.give_back(taken_);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    // For a Scratch that ends before this one.
    ScratchMemory& memory() const { return memory_; }

    // Fills `vector` with `count` copies of `value`. False: the budget does not allow for it.
    template <class T>
    [[nodiscard]] bool assign(ScratchVector<T>& vector, uint64_t count, T value) {
        if (!reserve(vector, count)) return false;
        vector.size_ = count;
        std::fill(vector.begin(), vector.end(), value);
        return true;
    }
    // Makes room for `count` elements in a vector that has none. False: the budget does not allow for it.
    template <class T>
    [[nodiscard]] bool reserve(ScratchVector<T>& vector, uint64_t count) {
        // Cannot wrap: callers have checked that the file holds `count` elements.
        const uint64_t bytes = count * sizeof(T);
        if (!memory_.budget_.take(bytes)) return false;
        taken_ += bytes;
        if (bytes == 0) return true;
        void* const shared = take_shared(bytes);
        if (shared == nullptr) vector.own_ = Pages(bytes);
        vector.items_ = static_cast<T*>(shared == nullptr ? vector.own_.data() : shared);
        vector.room_ = count;
        return true;
    }

  private:
    // Null: there is not enough, or a Scratch that was made later would give it back too early.
    void* take_shared(uint64_t bytes) {
        const uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
        if (memory_.innermost_ != this || rounded > ScratchMemory::kShared - memory_.used_) return nullptr;
        if (memory_.shared_ == nullptr) memory_.shared_.reset(new std::byte[ScratchMemory::kShared]);
        return memory_.shared_.get() + std::exchange(memory_.used_, memory_.used_ + rounded);
    }
    static constexpr uint64_t kAlignment = alignof(std::max_align_t);

    ScratchMemory& memory_;
    const Scratch* const outer_;
    const size_t used_before_;
    uint64_t taken_ = 0;
};

}  // namespace tracelint
