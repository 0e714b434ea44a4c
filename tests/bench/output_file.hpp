// A file of the benchmark that is being written, 8 MiB at a time. Everything in it follows from its name.
#pragma once

#include <cstdio>
#include <random>

#include "tests/bench/files.hpp"
#include "validator/bytes.hpp"

namespace tracelint::bench {

class OutputFile {
  public:
    OutputFile(const std::string& path, uint64_t bytes) : file_(std::fopen(path.c_str(), "wb")), wanted_(bytes) {}
    ~OutputFile() {
        flush();
        std::fclose(file_);
    }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    bool wants_more() const { return written_ + buffer_.size() < wanted_; }
    uint64_t below(uint64_t limit) { return random_() % limit; }

    // Little-endian.
    void number(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        buffer_.append(reinterpret_cast<const char*>(bytes), width);
    }
    void bytes(const std::string& text) { buffer_ += text; }
    void fill(uint64_t count, char byte) { buffer_.append(count, byte); }
    // Call it between records.
    void flush_if_large() {
        if (buffer_.size() > 8 * kMegabyte) flush();
    }

  private:
    void flush() {
        std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
        written_ += buffer_.size();
        buffer_.clear();
    }

    std::FILE* file_;
    std::string buffer_;
    uint64_t written_ = 0, wanted_;
    std::mt19937_64 random_{7};
};

}  // namespace tracelint::bench
