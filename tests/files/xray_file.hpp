// Writes XRay flight data recorder logs of version 5.
#pragma once

#include <vector>

#include "tests/files/output_file.hpp"

namespace tracelint::files {

inline constexpr uint64_t kBufferBytes = 16384;  // the runtime's default
enum Kind : uint8_t { kNewBuffer = 0, kNewCpu = 2, kWallClock = 4, kCustomEvent = 5, kExtents = 7, kPid = 9 };

// Collects the records of one buffer, then writes BufferExtents and the records.
class XrayFile {
  public:
    explicit XrayFile(const Target& to) : file_(to) { header(); }

    void header() {
        file_.number(5, 2), file_.number(1, 2), file_.number(3, 4), file_.number(3'000'000'000, 8);
        file_.number(kBufferBytes, 8), file_.number(0, 8);
    }

    bool wants_more() const { return file_.wants_more(); }
    uint64_t below(uint64_t limit) { return file_.below(limit); }
    bool is_full() const { return buffer_.size() + 16 > kBufferBytes; }

    void open_buffer(uint32_t thread) { open_buffer(thread, 4242, ++seconds_, time_ += 1'000'000); }
    void open_buffer(uint32_t thread, uint32_t process, uint64_t seconds, uint64_t tsc) {
        buffer_.clear();
        metadata(kNewBuffer, {{thread, 4}});
        metadata(kWallClock, {{seconds, 8}, {5, 4}});
        metadata(kPid, {{process, 4}});
        metadata(kNewCpu, {{0, 2}, {tsc, 8}});
    }
    void function(uint32_t action, uint32_t id) {
        append(action << 1 | id << 4, 4);
        append(below(100), 4);
        time_ += 100;
    }
    void custom_event(uint64_t size) {
        metadata(kCustomEvent, {{size, 4}, {10, 4}});
        buffer_.append(size, 'e');
    }
    void close_buffer() {
        std::string records;
        records.swap(buffer_);
        metadata(kExtents, {{records.size(), 8}});
        file_.bytes(buffer_);
        file_.bytes(records);
        file_.flush_if_large();
    }

  private:
    struct Number {
        uint64_t value;
        unsigned width;
    };
    void append(uint64_t value, unsigned width) {
        uint8_t bytes[8];
        store(bytes, width, ByteOrder::little, value);
        buffer_.append(reinterpret_cast<const char*>(bytes), width);
    }
    void metadata(Kind kind, std::initializer_list<Number> numbers) {
        const size_t end = buffer_.size() + 16;
        append(uint64_t{kind} << 1 | 1, 1);
        for (const Number& number : numbers) append(number.value, number.width);
        buffer_.resize(end);
    }

    OutputFile file_;
    std::string buffer_;
    uint64_t time_ = 1'000'000, seconds_ = 10;
};

}  // namespace tracelint::files
