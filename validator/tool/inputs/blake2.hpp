// BLAKE2b with 256 bits (RFC 7693), which `b2sum -l 256` and Python's hashlib also compute.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracelint {

class Blake2 {
  public:
    Blake2();
    // Takes the message in pieces, however it is divided.
    void take(std::string_view piece);
    // After the last piece, once: the hash in 64 hexadecimal digits.
    std::string finish();

  private:
    static constexpr size_t kBlock = 128;  // bytes

    void compress(const uint8_t* block, bool is_last);

    std::array<uint64_t, 8> state_;
    std::array<uint8_t, kBlock> block_{};
    size_t filled_ = 0;   // bytes of block_
    uint64_t taken_ = 0;  // bytes of the blocks before it
};

}  // namespace tracelint
