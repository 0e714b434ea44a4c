// A page followed by one that must not be read.
#pragma once

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// Two pages, of which the second one must not be touched.
class GuardedPage {
  public:
    GuardedPage() : memory_(mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        REQUIRE(memory_ != MAP_FAILED);
        REQUIRE(mprotect(static_cast<uint8_t*>(memory_) + size_, size_, PROT_NONE) == 0);
    }
    GuardedPage(const GuardedPage&) = delete;
    GuardedPage& operator=(const GuardedPage&) = delete;
    ~GuardedPage() { munmap(memory_, 2 * size_); }

    // How much fits.
    size_t size() const { return size_; }
    // The last bytes of the first page.
    uint8_t* last(size_t bytes) { return static_cast<uint8_t*>(memory_) + size_ - bytes; }

  private:
    const size_t size_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* const memory_;
};

}  // namespace tracelint
