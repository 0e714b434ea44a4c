// The container that an input comes in, recognised by its first bytes.
#pragma once

#include <optional>

#include "validator/gzip.hpp"

namespace tracelint {

enum class Container : uint8_t { none, gzip };

// Gives bytes that were already taken from a source once more, then the rest. Cannot seek.
class ReplayedSource final : public Source {
  public:
    ReplayedSource(Source& rest, Bytes first) : rest_(rest), first_(first) {}
    size_t read(uint8_t* to, size_t bytes) override;
    std::string failure() const override { return rest_.failure(); }

  private:
    Source& rest_;
    Bytes first_;
};

// An input, and the trace in it: the input itself, or what its container decompresses to.
class OpenedInput {
  public:
    // `input` stands at its start and must outlive this. Reads its first bytes.
    explicit OpenedInput(Source& input);
    OpenedInput(const OpenedInput&) = delete;
    OpenedInput& operator=(const OpenedInput&) = delete;

    Container container() const { return gzip_ ? Container::gzip : Container::none; }
    // Stands at its start.
    Source& trace() { return gzip_ ? static_cast<Source&>(*gzip_) : plain_; }
    // The container's fault, or null. Known once the trace was read to its end.
    const Diagnostic* container_fault() const { return gzip_ && gzip_->fault() ? &*gzip_->fault() : nullptr; }

  private:
    std::array<uint8_t, kGzipMagic.size()> buffer_{};
    Bytes first_;
    ReplayedSource replayed_;
    Source& plain_;
    std::optional<GzipSource> gzip_;
};

}  // namespace tracelint
