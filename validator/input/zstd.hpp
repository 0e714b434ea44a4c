// Decompresses zstd frames (RFC 8878) that arrive in pieces. A build without the library libzstd has the same
// interface; its decoders fail at once.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "validator/memory/limits.hpp"

namespace tracelint {

// The first bytes of a frame that holds data.
inline constexpr std::array<uint8_t, 4> kZstdMagic{0x28, 0xb5, 0x2f, 0xfd};

// Whether this build decompresses zstd.
bool has_zstd();

// Whether a frame begins like this: one that holds data, or a skippable one. Needs 4 bytes.
bool begins_zstd_frame(Bytes opening);

// A stream of frames, one after the other. What libzstd allocates is charged to a budget, most of all the window that a
// frame asks for. Where it stops and why does not depend on the pieces that it gets.
class ZstdDecoder {
  public:
    enum class Fault : uint8_t {
        none,
        corrupt,     // the data cannot be decoded
        checksum,    // the data do not match the checksum of their frame
        dictionary,  // a frame needs a dictionary
        window,      // a frame needs a larger window than zstd(1) allows without --long
        budget,      // the budget does not allow for the window
        too_large,   // the data exceed the engine's caps, of size or of ratio (limits.hpp)
        missing,     // this build has no zstd
    };

    // `budget` must outlive this. `largest`: the maximum size of the decompressed data in bytes. `before_charge` is
    // called before the budget is asked or given something back: a decoder on a thread of its own waits there until the
    // budget's thread does nothing else.
    explicit ZstdDecoder(Budget& budget, uint64_t largest = kLargestInflated, std::function<void()> before_charge = {});
    ZstdDecoder(const ZstdDecoder&) = delete;
    ZstdDecoder& operator=(const ZstdDecoder&) = delete;
    ~ZstdDecoder();

    // Takes bytes from the front of `from` and returns up to `bytes` decompressed ones. Returns when it has some, when
    // a frame ends, when `from` is used up, or at a fault, after which it takes and gives nothing. This gives all that
    // a piece holds:
    //     do got = decode(piece, to, size); while (got > 0 || (fault() == Fault::none && !piece.empty()));
    // Throws std::bad_alloc if the system has no memory.
    size_t decode(Bytes& from, uint8_t* to, size_t bytes);

    Fault fault() const { return fault_; }
    // What is wrong with the data, for the hint of a finding; empty if nothing is.
    std::string_view reason() const;
    // Whether a frame has begun and not ended.
    bool is_in_frame() const { return in_frame_; }
    uint64_t taken() const { return taken_; }  // compressed bytes
    uint64_t given() const { return given_; }  // decompressed bytes
    // Compressed bytes before the content of the block whose data are given. Does not depend on the pieces.
    uint64_t taken_before_block() const { return taken_before_block_; }
    // Lets the data become so large, in bytes, instead of what the constructor said.
    void allow(uint64_t largest) { largest_ = largest; }

  private:
    class Memory;  // libzstd's context, and what it allocates

    size_t drain(uint8_t* to, size_t bytes);
    void feed(Bytes& from);
    size_t decode_unit(Bytes unit);
    void expect_unit(size_t wanted);
    bool open();
    void fail(Fault fault);
    uint64_t limit() const;

    static constexpr size_t kLeastHeader = 5;  // bytes: every frame has more

    Budget& budget_;
    std::function<void()> before_charge_;
    std::unique_ptr<Memory> memory_;  // gives back through both
    uint64_t largest_;
    uint64_t taken_ = 0;
    uint64_t given_ = 0;
    uint64_t taken_before_block_ = 0;
    bool in_frame_ = false;
    bool may_hold_data_ = false;    // of a block that was decoded
    bool is_skipping_ = false;      // the content of a skippable frame
    bool is_raw_block_ = false;     // the content of a block that is not compressed, and not the last one
    std::vector<uint8_t> unit_;     // a unit of a frame that arrived in pieces
    size_t needed_ = kLeastHeader;  // bytes of that unit
    bool is_in_header_ = true;      // of a frame, whose size is not known before
    Fault fault_ = Fault::none;
};

}  // namespace tracelint
