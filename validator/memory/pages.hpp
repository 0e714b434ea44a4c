// Memory for tables that may grow large.
#pragma once

#ifndef __wasi__
#include <sys/mman.h>
#endif

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "validator/memory/limits.hpp"

namespace tracelint {

// Zero-initialised bytes, aligned to a cache line. Large blocks use huge pages: a table that is accessed at random
// spends most of its time on page faults and TLB misses. WebAssembly maps nothing.
class Pages {
  public:
    Pages() = default;
    explicit Pages(size_t bytes) {
        if (kCanMap && bytes >= kFewestMapped)
            map(bytes);
        else
            allocate(bytes);
    }
    Pages(Pages&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), mapped_(std::exchange(other.mapped_, 0)) {}
    Pages& operator=(Pages&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(mapped_, other.mapped_);
        return *this;
    }
    ~Pages() {
        if (mapped_ != 0)
            unmap(data_, mapped_);
        else
            std::free(data_);
    }

    static constexpr size_t kLine = 64;  // bytes of a cache line

    // The bytes that the memory for so many takes.
    static constexpr size_t cost(size_t bytes) { return rounded_up(bytes, bytes >= kFewestMapped ? kPage : kLine); }

    void* data() const { return data_; }

    static constexpr size_t kHugePage = 2 * kMiB;
    static constexpr size_t kFewestMapped = kHugePage;  // bytes; smaller blocks have no huge page
    // Maps cost(bytes) bytes of at least kFewestMapped, aligned to a huge page, for unmap(). What follows the last
    // whole one has small pages.
    static void* map_huge(size_t bytes) {
        void* const mapped = try_map_huge(bytes);
        if (mapped == nullptr) throw std::bad_alloc();
        return mapped;
    }
#ifdef __wasi__
    static constexpr bool kCanMap = false;
    static void* try_map_huge(size_t) { return nullptr; }
    static void unmap(void*, size_t) {}
#else
    static constexpr bool kCanMap = true;
    // Maps memory in huge pages; null if there is no memory.
    static void* try_map_huge(size_t bytes) {
        const size_t size = cost(bytes);
        void* const mapped =
            mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) return nullptr;
        auto* const begin = static_cast<uint8_t*>(mapped);
        const size_t before = (0 - reinterpret_cast<uintptr_t>(begin)) % kHugePage;
        if (before != 0) munmap(begin, before);
        munmap(begin + before + size, kHugePage - before);
#ifdef MADV_HUGEPAGE
        madvise(begin + before, size, MADV_HUGEPAGE);
#endif
        const size_t huge = size / kHugePage * kHugePage;
        if (huge != size) populate(begin + before + huge, size - huge);
        return begin + before;
    }
    static void unmap(void* begin, size_t bytes) { munmap(begin, cost(bytes)); }
#endif
#ifdef __linux__
    // Makes a block of whole huge pages larger, without copying them. Null: there is no memory, and nothing has
    // changed.
    static void* try_grow_huge(void* begin, size_t before, size_t after) {
        void* const grown = try_map_huge(after);
        if (grown == nullptr) return nullptr;
        if (mremap(begin, before, before, MREMAP_MAYMOVE | MREMAP_FIXED, grown) != MAP_FAILED) return grown;
        unmap(grown, after);
        return nullptr;
    }
#endif

  private:
    static constexpr size_t kPage = 4096;
    static constexpr size_t kFewestPopulated = 16 * kPage;

    static constexpr size_t rounded_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

    void allocate(size_t bytes) {
        const size_t size = cost(bytes);
        data_ = std::aligned_alloc(kLine, size);
        if (data_ == nullptr) throw std::bad_alloc();
        if (size >= kFewestPopulated) populate(static_cast<uint8_t*>(data_), size);
        std::memset(data_, 0, size);
    }

    // Asks for all pages inside the block at once: a page fault for each would take longer than to fill it.
    static void populate([[maybe_unused]] uint8_t* begin, [[maybe_unused]] size_t bytes) {
#ifdef MADV_POPULATE_WRITE
        const size_t before = (0 - reinterpret_cast<uintptr_t>(begin)) % kPage;
        madvise(begin + before, (bytes - before) / kPage * kPage, MADV_POPULATE_WRITE);
#endif
    }

    void map(size_t bytes) {
        mapped_ = cost(bytes);
        data_ = map_huge(mapped_);
    }

    void* data_ = nullptr;
    size_t mapped_ = 0;  // 0: allocated
};

#ifndef __wasi__

// For vectors that are made anew for each large record. Huge pages save them most page faults.
template <class T>
struct PageAllocator {
    using value_type = T;

    PageAllocator() = default;
    template <class Other>
    explicit PageAllocator(const PageAllocator<Other>&) {}

    T* allocate(size_t count) {
        const size_t bytes = count * sizeof(T);  // cannot wrap: vectors ask for no more than max_size()
        return static_cast<T*>(is_mapped(bytes) ? Pages::map_huge(bytes) : ::operator new(bytes));
    }
    void deallocate(T* items, size_t count) {
        const size_t bytes = count * sizeof(T);
        is_mapped(bytes) ? Pages::unmap(items, bytes) : ::operator delete(items);
    }
    bool operator==(const PageAllocator&) const = default;

  private:
    static bool is_mapped(size_t bytes) { return bytes >= Pages::kFewestMapped; }
};

#endif

// A zero-initialised array. Its pages are allocated when they are first touched, so that a table sized for large files
// costs little for small ones.
template <class Item>
class Zeros {
  public:
    explicit Zeros(size_t count) : items_(static_cast<Item*>(std::calloc(count, sizeof(Item)))) {
        if (items_ == nullptr) throw std::bad_alloc();
    }

    Item& operator[](size_t number) const { return items_[number]; }
    Item* data() const { return items_.get(); }

  private:
    static_assert(std::is_trivially_copyable_v<Item>);
    struct Free {
        void operator()(Item* items) const { std::free(items); }
    };
    std::unique_ptr<Item[], Free> items_;
};

}  // namespace tracelint
