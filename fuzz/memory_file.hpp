// A file in memory, for code that takes paths.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// A file of these bytes that has no place in a folder.
class MemoryFile {
  public:
    explicit MemoryFile(Bytes bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
        for (Bytes rest = bytes; !rest.empty();) {
            const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
            if (written <= 0) throw std::bad_alloc();
            rest = rest.subspan(static_cast<size_t>(written));
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() { close(descriptor_); }

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace tracelint
