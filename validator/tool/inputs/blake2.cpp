// The names and steps of RFC 7693, without keys.
#include "validator/tool/inputs/blake2.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "validator/tables/bytes.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kHashBytes = 32;

// Section 2.6.
constexpr std::array<uint64_t, 8> kInitial = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                              0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                              0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

// Section 2.7. Rounds 10 and 11 are 0 and 1 again.
constexpr uint8_t kSchedule[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
constexpr size_t kRounds = 12;

// Section 3.1.
struct Mixer {
    std::array<uint64_t, 16> v;
    void mix(size_t a, size_t b, size_t c, size_t d, uint64_t x, uint64_t y) {
        v[a] += v[b] + x;
        v[d] = std::rotr(v[d] ^ v[a], 32);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 24);
        v[a] += v[b] + y;
        v[d] = std::rotr(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = std::rotr(v[b] ^ v[c], 63);
    }
};

}  // namespace

Blake2::Blake2() : state_(kInitial) { state_[0] ^= 0x01010000 ^ kHashBytes; }

// Section 3.2.
void Blake2::compress(const uint8_t* block, bool is_last) {
    std::array<uint64_t, 16> words;
    for (size_t i = 0; i < words.size(); ++i) words[i] = load(block + 8 * i, 8, ByteOrder::little);
    Mixer mixer{};
    std::ranges::copy(state_, mixer.v.begin());
    std::ranges::copy(kInitial, mixer.v.begin() + 8);
    mixer.v[12] ^= taken_;
    if (is_last) mixer.v[14] = ~mixer.v[14];
    for (size_t round = 0; round < kRounds; ++round) {
        const uint8_t* order = kSchedule[round % std::size(kSchedule)];
        const auto word = [&](size_t i) { return words[order[i]]; };
        mixer.mix(0, 4, 8, 12, word(0), word(1));
        mixer.mix(1, 5, 9, 13, word(2), word(3));
        mixer.mix(2, 6, 10, 14, word(4), word(5));
        mixer.mix(3, 7, 11, 15, word(6), word(7));
        mixer.mix(0, 5, 10, 15, word(8), word(9));
        mixer.mix(1, 6, 11, 12, word(10), word(11));
        mixer.mix(2, 7, 8, 13, word(12), word(13));
        mixer.mix(3, 4, 9, 14, word(14), word(15));
    }
    for (size_t i = 0; i < state_.size(); ++i) state_[i] ^= mixer.v[i] ^ mixer.v[i + 8];
}

// The last block is compressed by finish(), even if it is full.
void Blake2::take(std::string_view piece) {
    while (!piece.empty()) {
        if (filled_ == kBlock) {
            taken_ += kBlock;
            compress(block_.data(), false);
            filled_ = 0;
        }
        const size_t part = std::min(kBlock - filled_, piece.size());
        std::copy_n(piece.begin(), part, block_.begin() + static_cast<ptrdiff_t>(filled_));
        filled_ += part;
        piece.remove_prefix(part);
    }
}

std::string Blake2::finish() {
    std::fill(block_.begin() + static_cast<ptrdiff_t>(filled_), block_.end(), uint8_t{0});
    taken_ += filled_;
    compress(block_.data(), true);
    std::string text;
    for (uint64_t i = 0; i < kHashBytes; ++i) text += fmt::format("{:02x}", (state_[i / 8] >> (8 * (i % 8))) & 0xff);
    return text;
}

}  // namespace tracelint
