// Writes to files.
#include "validator/tool/sink.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

namespace tracelint {

FileSink::FileSink(const std::string& path) : file_(std::fopen(path.c_str(), "wbe")) {
    if (file_ == nullptr) fail();
}

void FileSink::write(std::string_view text) {
    if (failure_ != 0 || text.empty()) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void FileSink::flush() {
    if (failure_ == 0 && file_ != nullptr && std::fflush(file_) != 0) fail();
}

bool FileSink::is_same_file(const FileSink& other) const {
    struct stat mine{}, theirs{};
    if (file_ == nullptr || fstat(fileno(file_), &mine) != 0) return false;
    if (other.file_ == nullptr || fstat(fileno(other.file_), &theirs) != 0) return false;
    return S_ISREG(mine.st_mode) && mine.st_dev == theirs.st_dev && mine.st_ino == theirs.st_ino;
}

void FileSink::close() {
    flush();
    std::FILE* file = std::exchange(file_, nullptr);
    if (file == nullptr || file == stdout) return;
    if (std::fclose(file) != 0 && failure_ == 0) fail();
}

// Some failures do not set errno.
void FileSink::fail() { failure_ = errno != 0 ? errno : EIO; }

}  // namespace tracelint
