// Writes jitdump files for the benchmark, 8 MiB at a time.
#pragma once

#include <cstdio>
#include <random>

#include "grammars/jitdump/records.hpp"
#include "tests/bench/files.hpp"
#include "validator/bytes.hpp"

namespace tracelint::bench {

class JitdumpFile {
  public:
    static constexpr uint32_t kPid = 4242;

    JitdumpFile(const std::string& path, uint64_t bytes) : file_(std::fopen(path.c_str(), "wb")), wanted_(bytes) {
        number(jitdump::kMagic, 4), number(1, 4), number(40, 4), number(62, 4), number(0, 4), number(kPid, 4);
        number(time_, 8), number(0, 8);
    }
    ~JitdumpFile() {
        flush();
        std::fclose(file_);
    }
    JitdumpFile(const JitdumpFile&) = delete;
    JitdumpFile& operator=(const JitdumpFile&) = delete;

    bool wants_more() const { return written_ + buffer_.size() < wanted_; }
    uint64_t below(uint64_t limit) { return random_() % limit; }

    void number(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        buffer_.append(reinterpret_cast<const char*>(bytes), width);
    }
    void bytes(const std::string& text) { buffer_ += text; }
    void prefix(uint32_t id, uint64_t total_size) {
        if (buffer_.size() > 8 * kMegabyte) flush();
        number(id, 4), number(total_size, 4), number(time_ += 1000, 8);
    }
    void load_record(uint64_t address, uint64_t size, uint64_t index, const std::string& name) {
        prefix(jitdump::kLoadId, 57 + name.size() + size);
        number(kPid, 4), number(kPid + 1, 4), number(address, 8), number(address, 8), number(size, 8), number(index, 8);
        buffer_ += name;
        buffer_ += '\0';
        buffer_.append(size, '\x90');
    }
    void debug_record(uint64_t address, uint64_t size, unsigned entries, const std::string& name) {
        prefix(jitdump::kDebugInfoId, 32 + entries * (17 + name.size()));
        number(address, 8), number(entries, 8);
        for (unsigned i = 0; i < entries; ++i) {
            number(address + i * size / entries, 8), number(100 + i, 4), number(0, 4);
            buffer_ += name;
            buffer_ += '\0';
        }
    }
    void move_record(uint64_t from, uint64_t to, uint64_t size, uint64_t index) {
        prefix(jitdump::kMoveId, 64);
        number(kPid, 4), number(kPid + 1, 4), number(to, 8), number(from, 8), number(to, 8), number(size, 8),
            number(index, 8);
    }

  private:
    void flush() {
        std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
        written_ += buffer_.size();
        buffer_.clear();
    }

    std::FILE* file_;
    std::string buffer_;
    uint64_t written_ = 0, wanted_, time_ = 1'000'000;
    std::mt19937_64 random_{7};
};

}  // namespace tracelint::bench
