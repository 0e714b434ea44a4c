// Files as sinks.
#include "validator/tool/sink.hpp"

#include <cerrno>
#include <utility>

namespace tracelint {

FileSink::FileSink(const std::string& path) : file_(std::fopen(path.c_str(), "wbe")) {
    if (file_ == nullptr) failure_ = errno;
}

void FileSink::write(std::string_view text) {
    if (failure_ != 0 || text.empty()) return;
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failure_ = errno;
}

void FileSink::flush() {
    if (failure_ == 0 && file_ != nullptr && std::fflush(file_) != 0) failure_ = errno;
}

void FileSink::close() {
    flush();
    std::FILE* file = std::exchange(file_, nullptr);
    if (file == nullptr || file == stdout) return;
    if (std::fclose(file) != 0 && failure_ == 0) failure_ = errno;
}

}  // namespace tracelint
