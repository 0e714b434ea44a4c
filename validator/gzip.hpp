// Unfolds a gzip container (RFC 1952) on the fly, and says what is wrong with the container itself.
#pragma once

#include <optional>

#include "validator/report.hpp"
#include "validator/source.hpp"

struct z_stream_s;  // zlib's, kept out of the headers

namespace tracelint {

// The first bytes of every gzip file.
inline constexpr std::array<uint8_t, 2> kGzipMagic{0x1f, 0x8b};

// Gives the data of the one member that a trace is. What was unfolded before a fault is still given.
class GzipSource final : public Source {
  public:
    // `compressed` stands at its start. `largest`: bytes that the container may unfold to.
    explicit GzipSource(Source& compressed, uint64_t largest = kLargestInflated);
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override;

    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override { return compressed_.failure(); }
    bool is_cut() const override { return cut_; }

    // The container's fault, at most one; its place counts in the compressed file. Known once read gave 0.
    const std::optional<Diagnostic>& fault() const { return fault_; }

  private:
    enum class Step : uint8_t { member, trailer, over };

    size_t inflate_to(uint8_t* to, size_t bytes);
    void take_result(int result);
    uint64_t limit() const;
    void judge_trailing_bytes();
    bool hold(size_t bytes);
    uint64_t taken() const;
    void end_with(const Rule& rule, uint64_t offset, uint64_t length, std::string_view hint = {});
    void end_corrupt();

    Source& compressed_;
    std::vector<uint8_t> input_;
    uint64_t input_end_ = 0;  // offset in the compressed file of the first byte behind input_
    std::unique_ptr<z_stream_s> inflater_;
    uint64_t largest_;
    uint64_t given_ = 0;  // bytes unfolded so far
    Step step_ = Step::member;
    bool cut_ = false;
    std::optional<Diagnostic> fault_;
};

}  // namespace tracelint
