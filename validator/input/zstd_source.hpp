// Decompresses a zstd file (RFC 8878) as a stream and reports what is wrong with the container itself.
#pragma once

#include <optional>
#include <vector>

#include "validator/input/container_source.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint {

// Gives the data of all frames, one after the other, as zstd(1) does; skippable frames have none. Data decompressed
// before a fault is still given; nothing after it is read.
class ZstdSource final : public ContainerSource {
  public:
    // `compressed` is at its start. `largest`: the maximum size of the decompressed data in bytes. `before_charge`: see
    // ZstdDecoder.
    ZstdSource(Source& compressed, Budget& budget, uint64_t largest = kLargestInflated,
               std::function<void()> before_charge = {});

    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override { return compressed_.failure(); }
    bool is_cut() const override { return cut_; }
    const std::optional<Diagnostic>& fault() const override { return fault_; }

  private:
    void begin_frame();
    bool hold(size_t bytes);
    uint64_t offset() const { return input_end_ - held_.size(); }
    void end_with(const Rule& rule, uint64_t offset, uint64_t length);
    void end_at_fault();

    Source& compressed_;
    ZstdDecoder decoder_;
    std::vector<uint8_t> input_;
    Bytes held_;              // of input_, what the decoder has not taken
    uint64_t input_end_ = 0;  // offset in the compressed file of the first byte after held_
    uint64_t frame_ = 0;      // offset of the current frame
    bool over_ = false;
    bool cut_ = false;
    std::optional<Diagnostic> fault_;
};

}  // namespace tracelint
