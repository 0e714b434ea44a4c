// Streams frames through libzstd, and bounds what they may ask for.
//
// libzstd does not report how much it consumed and produced in a call that fails. So a call gives it either input or
// room for output, never both, and input by whole blocks, but for those that can have no fault: what was decoded before
// a fault is given, whatever pieces the input comes in.
#include "validator/input/zstd.hpp"

#ifdef TRACELINT_ZSTD
#define ZSTD_STATIC_LINKING_ONLY  // for its allocator; libzstd exports it since 2016
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tracelint {

bool begins_zstd_frame(Bytes opening) {
    constexpr std::array<uint8_t, 3> kSkippable{0x2a, 0x4d, 0x18};  // after a byte from 50 to 5f
    if (opening.size() < kZstdMagic.size()) return false;
    return std::equal(kZstdMagic.begin(), kZstdMagic.end(), opening.begin()) ||
           (opening[0] >> 4 == 5 && std::equal(kSkippable.begin(), kSkippable.end(), opening.begin() + 1));
}

// The size that the data may have by now. The ratio detects a decompression bomb long before it is large.
uint64_t ZstdDecoder::limit() const { return std::min(largest_, inflated_at_most(taken_, kLargestZstdRatio)); }

void ZstdDecoder::fail(Fault fault) { fault_ = fault; }

std::string_view ZstdDecoder::reason() const {
    switch (fault_) {
        case Fault::none: return {};
        case Fault::corrupt: return "the data of a frame cannot be decoded";
        case Fault::checksum: return "the checksum of a frame does not match its data";
        case Fault::dictionary: return "a frame needs a dictionary";
        case Fault::window: return "a frame needs a window of more than 128 MiB";
        case Fault::budget: return "the memory limit does not allow for the window of a frame";
        case Fault::too_large: return "the data are too large, or too large for their compressed size";
        case Fault::missing: break;
    }
    return "this build of tracelint has no zstd";
}

#ifdef TRACELINT_ZSTD

// Allocates for libzstd. Each block has its size in front, which the budget gets back.
class ZstdDecoder::Memory {
  public:
    Memory(Budget& budget, const std::function<void()>& before_charge)
        : budget_(budget), before_charge_(before_charge) {}
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ZSTD_freeDCtx(context); }

    ZSTD_customMem functions() { return {allocate, release, this}; }
    bool was_refused() const { return refused_; }

    ZSTD_DCtx* context = nullptr;

  private:
    static constexpr size_t kFront = alignof(std::max_align_t);

    static void* allocate(void* self, size_t bytes) {
        Memory& memory = *static_cast<Memory*>(self);
        const size_t all = bytes + kFront;
        memory.await_turn();
        if (all < bytes || !memory.budget_.take_lasting(allocation_cost(all))) {
            memory.refused_ = true;
            return nullptr;
        }
        void* const block = std::malloc(all);
        if (block == nullptr) {
            memory.budget_.give_back_lasting(allocation_cost(all));
            return nullptr;
        }
        std::memcpy(block, &all, sizeof all);
        return static_cast<uint8_t*>(block) + kFront;
    }

    static void release(void* self, void* address) {
        if (address == nullptr) return;
        void* const block = static_cast<uint8_t*>(address) - kFront;
        size_t all = 0;
        std::memcpy(&all, block, sizeof all);
        std::free(block);
        Memory& memory = *static_cast<Memory*>(self);
        memory.await_turn();
        memory.budget_.give_back_lasting(allocation_cost(all));
    }

    void await_turn() const {
        if (before_charge_) before_charge_();
    }

    Budget& budget_;
    const std::function<void()>& before_charge_;
    bool refused_ = false;
};

namespace {

constexpr int kLargestWindowLog = 27;  // 128 MiB, what zstd(1) allows without --long

ZstdDecoder::Fault fault_of(size_t result) {
    switch (ZSTD_getErrorCode(result)) {
        case ZSTD_error_checksum_wrong: return ZstdDecoder::Fault::checksum;
        case ZSTD_error_dictionary_wrong: return ZstdDecoder::Fault::dictionary;
        case ZSTD_error_frameParameter_windowTooLarge: return ZstdDecoder::Fault::window;
        case ZSTD_error_memory_allocation: return ZstdDecoder::Fault::budget;
        default: return ZstdDecoder::Fault::corrupt;
    }
}

}  // namespace

bool has_zstd() { return true; }

ZstdDecoder::ZstdDecoder(Budget& budget, uint64_t largest, std::function<void()> before_charge)
    : budget_(budget), before_charge_(std::move(before_charge)), largest_(largest) {}

ZstdDecoder::~ZstdDecoder() = default;

// Makes the context when there is something to decode.
bool ZstdDecoder::open() {
    if (memory_ != nullptr) return true;
    auto memory = std::make_unique<Memory>(budget_, before_charge_);
    memory->context = ZSTD_createDCtx_advanced(memory->functions());
    if (memory->context == nullptr) {
        if (!memory->was_refused()) throw std::bad_alloc();
        fail(Fault::budget);
        return false;
    }
    ZSTD_DCtx_setParameter(memory->context, ZSTD_d_windowLogMax, kLargestWindowLog);
    // Until it has read a header, libzstd has no other state for ZSTD_nextInputType() than what is in the memory.
    ZSTD_decompressBegin(memory->context);
    memory_ = std::move(memory);
    return true;
}

size_t ZstdDecoder::decode(Bytes& from, uint8_t* to, size_t bytes) {
    while (bytes > 0 && fault_ == Fault::none) {
        if (may_hold_data_) {
            if (const size_t got = drain(to, bytes); got > 0) return got;
        } else {
            if ((from.empty() && unit_.size() < needed_) || !open()) return 0;
            feed(from);
        }
        if (!in_frame_) return 0;
    }
    return 0;
}

// Gives what was decoded. At the limit, it tries one more byte: if there is one, the limit is exceeded.
size_t ZstdDecoder::drain(uint8_t* to, size_t bytes) {
    const uint64_t allowed = std::max<uint64_t>(1, saturating_sub(limit(), given_));
    ZSTD_inBuffer nothing{nullptr, 0, 0};
    ZSTD_outBuffer out{to, static_cast<size_t>(std::min<uint64_t>(bytes, allowed)), 0};
    const size_t result = ZSTD_decompressStream(memory_->context, &out, &nothing);
    if (ZSTD_isError(result)) {
        fail(fault_of(result));
        return 0;
    }
    may_hold_data_ = out.pos == out.size;
    in_frame_ = result != 0;
    expect_unit(result);
    if (given_ + out.pos > limit()) {
        fail(Fault::too_large);
        return 0;
    }
    given_ += out.pos;
    return out.pos;
}

// Decodes the next unit of a frame, of which libzstd keeps the data. If a unit is incomplete, it takes the bytes that
// are there; a block that is not compressed, unless it is the last one, is decoded as it comes, as libzstd does.
void ZstdDecoder::feed(Bytes& from) {
    if (is_raw_block_) needed_ = std::min(needed_, from.size());
    const bool is_whole = unit_.empty() && from.size() >= needed_;
    if (!is_whole) {
        const Bytes piece = from.first(std::min(from.size(), needed_ - std::min(needed_, unit_.size())));
        unit_.insert(unit_.end(), piece.begin(), piece.end());
        from = from.subspan(piece.size());
        taken_ += piece.size();
        in_frame_ = true;
        if (unit_.size() < needed_) return;
    }
    const bool begins_block = ZSTD_nextInputType(memory_->context) == ZSTDnit_blockHeader;
    const size_t used = decode_unit(is_whole ? from.first(is_skipping_ ? from.size() : needed_) : Bytes(unit_));
    if (is_whole) {
        from = from.subspan(used);
        taken_ += used;
    } else {
        unit_.erase(unit_.begin(), unit_.begin() + static_cast<std::ptrdiff_t>(used));
    }
    if (begins_block) taken_before_block_ = taken_;
}

// Returns how much libzstd took: all, or all but the last byte of a frame, which it wants when the data were taken.
size_t ZstdDecoder::decode_unit(Bytes unit) {
    const bool is_block_header = ZSTD_nextInputType(memory_->context) == ZSTDnit_blockHeader && !unit.empty();
    uint8_t no_room = 0;
    ZSTD_inBuffer in{unit.data(), unit.size(), 0};
    ZSTD_outBuffer none{&no_room, 0, 0};
    const size_t result = ZSTD_decompressStream(memory_->context, &none, &in);
    if (ZSTD_isError(result)) {
        const Fault fault = fault_of(result);
        if (fault == Fault::budget && !memory_->was_refused()) throw std::bad_alloc();
        fail(fault);
        return 0;
    }
    in_frame_ = result != 0;
    if (is_block_header) is_raw_block_ = (unit[0] >> 1 & 3) == 0;  // its type (RFC 8878, 3.1.1.2)
    expect_unit(result);
    may_hold_data_ = in_frame_ && !is_in_header_;
    return in.pos;
}

// `wanted` is libzstd's wish for the next call, which after the content of a block includes the next header.
void ZstdDecoder::expect_unit(size_t wanted) {
    constexpr size_t kBlockHeader = 3;
    const ZSTD_nextInputType_e next = ZSTD_nextInputType(memory_->context);
    is_skipping_ = in_frame_ && next == ZSTDnit_skippableFrame;
    is_in_header_ = !in_frame_ || (is_in_header_ && next == ZSTDnit_frameHeader);
    is_raw_block_ = is_raw_block_ && in_frame_ && next == ZSTDnit_block;  // with the last one, the frame is checked
    needed_ = in_frame_ ? 1 : kLeastHeader;
    if (!in_frame_ || is_skipping_ || next == ZSTDnit_frameHeader) return;
    needed_ = next == ZSTDnit_block && wanted > kBlockHeader ? wanted - kBlockHeader : wanted;
}

#else

class ZstdDecoder::Memory {};

bool has_zstd() { return false; }

ZstdDecoder::ZstdDecoder(Budget& budget, uint64_t largest, std::function<void()> before_charge)
    : budget_(budget), before_charge_(std::move(before_charge)), largest_(largest) {}

ZstdDecoder::~ZstdDecoder() = default;

size_t ZstdDecoder::decode(Bytes&, uint8_t*, size_t) {
    fail(Fault::missing);
    return 0;
}

#endif

}  // namespace tracelint
