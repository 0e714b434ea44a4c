// A file in memory, for code that takes paths.
#pragma once

#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint {

// A file of these bytes that has no place in a folder. Throws std::bad_alloc if there is no memory for it.
class MemoryFile {
  public:
    explicit MemoryFile(Bytes bytes);
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

  private:
    int descriptor_;
};

}  // namespace tracelint
