// Joins the frames of a zstd file, and names and locates what is wrong with them.
#include "validator/input/zstd_source.hpp"

#include <algorithm>

#include "validator/input/input_rules.hpp"

namespace tracelint {
namespace {

constexpr size_t kCompressedInput = size_t{64} << 10;  // compressed bytes read at a time
constexpr size_t kShownAfterFrames = 16;               // bytes that zstd/trailing-data marks

const Rule& rule_of(ZstdDecoder::Fault fault) {
    switch (fault) {
        case ZstdDecoder::Fault::window: return kZstdWindowTooLarge;
        case ZstdDecoder::Fault::budget: return kZstdTrackingLimit;
        case ZstdDecoder::Fault::too_large: return kZstdTooLarge;
        default: return kZstdCorrupt;
    }
}

}  // namespace

ZstdSource::ZstdSource(Source& compressed, Budget& budget, uint64_t largest, std::function<void()> before_charge)
    : ContainerSource(kLargestZstdRatio),
      compressed_(compressed),
      decoder_(budget, largest, std::move(before_charge)),
      input_(kCompressedInput) {}

size_t ZstdSource::read(uint8_t* to, size_t bytes) {
    while (bytes > 0 && !over_) {
        if (!decoder_.is_in_frame()) begin_frame();
        if (over_) return 0;
        if (const size_t got = decoder_.decode(held_, to, inflation_.at_once(bytes)); got > 0) {
            inflation_.note(decoder_.given(), decoder_.taken_before_block());
            return got;
        }
        if (decoder_.fault() != ZstdDecoder::Fault::none) {
            end_at_fault();
        } else if (decoder_.is_in_frame() && held_.empty() && !hold(1)) {
            over_ = true;
            if (failure().empty()) end_with(kZstdTruncated, offset(), 0);
        }
    }
    return 0;
}

// A frame must begin here, or the file ends. zstd(1) knows no padding.
void ZstdSource::begin_frame() {
    const bool is_held = hold(kZstdMagic.size());
    frame_ = offset();
    if (is_held && begins_zstd_frame(held_)) return;
    over_ = true;
    if (held_.empty() || !failure().empty()) return;
    hold(kShownAfterFrames);
    end_with(kZstdTrailingData, offset(), std::min(held_.size(), kShownAfterFrames));
}

// Buffers at least `bytes` compressed bytes. False: the input ends before.
bool ZstdSource::hold(size_t bytes) {
    while (held_.size() < bytes) {
        std::copy(held_.begin(), held_.end(), input_.begin());
        const size_t kept = held_.size();
        const size_t got = compressed_.read(input_.data() + kept, input_.size() - kept);
        held_ = Bytes(input_).first(kept + got);
        input_end_ += got;
        if (got == 0) return false;
    }
    return true;
}

void ZstdSource::end_with(const Rule& rule, uint64_t offset, uint64_t length) {
    over_ = true;
    cut_ = &rule != &kZstdTrailingData;
    fault_.emplace();
    fault_->rule = &rule;
    fault_->place.offset = offset;
    fault_->place.length = length;
    fault_->numbers = {decoder_.given()};
}

// libzstd does not report which byte is wrong: the frame is marked at its start. Whether all data together are too
// large is no fault of one frame.
void ZstdSource::end_at_fault() {
    const Rule& rule = rule_of(decoder_.fault());
    end_with(rule, &rule == &kZstdTooLarge ? 0 : frame_, kZstdMagic.size());
    if (&rule == &kZstdCorrupt) fault_->hint = decoder_.reason();
}

}  // namespace tracelint
