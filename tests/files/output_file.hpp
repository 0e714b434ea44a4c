// Writes a large file to disk or memory. Its content depends on nothing but its size.
#pragma once

#include <cstdio>
#include <random>
#include <string>

#include "validator/tables/bytes.hpp"

namespace tracelint::files {

// The wanted size of a file in bytes, and its destination: one of `file` and `memory`.
struct Target {
    uint64_t bytes = 0;
    std::FILE* file = nullptr;
    std::string* memory = nullptr;
};

class OutputFile {
  public:
    explicit OutputFile(const Target& to) : to_(to) {}
    ~OutputFile() { flush(); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    bool wants_more() const { return written() < to_.bytes; }
    // The number of bytes still wanted.
    uint64_t wanted() const { return saturating_sub(to_.bytes, written()); }
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
        if (buffer_.size() > kAtOnce) flush();
    }

  private:
    static constexpr size_t kAtOnce = size_t{8} << 20;

    uint64_t written() const { return flushed_ + buffer_.size(); }
    void flush() {
        if (to_.memory != nullptr)
            *to_.memory += buffer_;
        else
            std::fwrite(buffer_.data(), 1, buffer_.size(), to_.file);
        flushed_ += buffer_.size();
        buffer_.clear();
    }

    Target to_;
    std::string buffer_;
    uint64_t flushed_ = 0;
    std::mt19937_64 random_{7};
};

}  // namespace tracelint::files
