// Decompresses a gzip file (RFC 1952) as a stream and reports what is wrong with the container itself.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "validator/input/container_source.hpp"

struct z_stream_s;  // zlib's, kept out of the headers

namespace tracelint {

// The first bytes of every gzip file.
inline constexpr std::array<uint8_t, 2> kGzipMagic{0x1f, 0x8b};

// Whether a file that starts like this is a gzip file.
inline bool is_gzip(Bytes opening) {
    return opening.size() >= kGzipMagic.size() && std::equal(kGzipMagic.begin(), kGzipMagic.end(), opening.begin());
}

// Gives the data of all members, one after the other, as gzip(1) does. Data decompressed before a fault is still given;
// nothing after it is read.
class GzipSource final : public ContainerSource {
  public:
    // `compressed` is at its start. `largest`: the maximum size of the decompressed data in bytes.
    explicit GzipSource(Source& compressed, uint64_t largest = kLargestInflated);
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override;

    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override { return compressed_.failure(); }
    bool is_cut() const override { return cut_; }

    const std::optional<Diagnostic>& fault() const override { return fault_; }
    const std::optional<Diagnostic>& fault_with_padding() const override { return surplus_ ? surplus_ : fault_; }

  private:
    enum class Step : uint8_t { member, after_member, over };

    size_t inflate_to(uint8_t* to, size_t bytes);
    void take_result(int result);
    uint64_t limit() const;
    void go_on_after_member();
    bool begins_member();
    void judge_trailing_bytes();
    Diagnostic trailing_data();
    bool hold(size_t bytes);
    Bytes held() const;
    void pass(size_t bytes);
    uint64_t taken() const;
    void end_with(const Rule& rule, uint64_t offset, uint64_t length, std::string_view hint = {});
    Diagnostic finding(const Rule& rule, uint64_t offset, uint64_t length) const;
    void end_corrupt();

    Source& compressed_;
    std::vector<uint8_t> input_;
    uint64_t input_end_ = 0;  // offset in the compressed file of the first byte after input_
    std::unique_ptr<z_stream_s> inflater_;
    uint64_t largest_;
    uint64_t given_ = 0;  // bytes decompressed so far
    Step step_ = Step::member;
    bool cut_ = false;
    std::optional<Diagnostic> fault_;
    std::optional<Diagnostic> surplus_;  // of all bytes after the last member, padding included
};

}  // namespace tracelint
