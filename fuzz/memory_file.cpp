#include "fuzz/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace tracelint {

MemoryFile::MemoryFile(Bytes bytes) : descriptor_(memfd_create("input", MFD_CLOEXEC)) {
    for (Bytes rest = bytes; !rest.empty();) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written <= 0) throw std::bad_alloc();
        rest = rest.subspan(static_cast<size_t>(written));
    }
}

MemoryFile::~MemoryFile() { close(descriptor_); }

}  // namespace tracelint
