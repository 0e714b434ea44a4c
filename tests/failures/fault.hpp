// Lets one call fail: the n-th allocation, or the n-th call of one function of the system. This program replaces
// operator new, and is linked so that its calls of the system come by here (fault.cpp).
#pragma once

#include <cstdint>

namespace tracelint {

enum class Call : uint8_t {
    none,
    allocation,  // operator new, malloc() and its like, what zlib asks for
    open,        // open() and openat()
    list,        // fdopendir() and readdir()
    status,      // fstat(), stat() and fstatat()
    position,    // lseek()
    read,        // read() and pread()
    poll,
    create,  // fopen()
    write,   // fwrite()
    flush,   // fflush()
    close,   // fclose()
    rename,
};

enum class Way : uint8_t {
    fails,        // with EIO; for want of memory where it is an allocation
    interrupted,  // EINTR
    one_byte,     // a read gives no more than that
};

// While it is there, calls are counted in all threads.
class Fault {
  public:
    // `number`: of the call that fails, from 1. `onwards`: and all that follow.
    explicit Fault(Call call, uint64_t number, Way way = Way::fails, bool onwards = false);
    Fault(const Fault&) = delete;
    Fault& operator=(const Fault&) = delete;
    ~Fault();

    // Whether there were as many calls.
    bool struck() const;
};

}  // namespace tracelint
