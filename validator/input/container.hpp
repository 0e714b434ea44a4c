// The container that an input comes in, recognised by its first bytes.
#pragma once

#include <array>
#include <optional>

#include "validator/input/container_source.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint {

enum class Container : uint8_t { none, gzip, zstd };

// "gzip" or "zstd"; empty for none.
std::string_view to_string(Container container);

// What decompresses a file, which is at its start and must outlive the result. Memory that the file asks for is
// charged to `budget`. Null for Container::none.
std::unique_ptr<ContainerSource> open_container(Container container, Source& compressed, Budget& budget);

using OpenContainer = decltype(open_container);

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
    // `input` is at its start and must outlive this, as must `budget`. Reads its first bytes.
    OpenedInput(Source& input, Budget& budget, OpenContainer* open = open_container);
    OpenedInput(const OpenedInput&) = delete;
    OpenedInput& operator=(const OpenedInput&) = delete;

    Container container() const { return container_; }
    // It is at its start.
    Source& trace() { return decompressed_ ? static_cast<Source&>(*decompressed_) : plain_; }
    // The container's fault, or null. Known once the trace was read to its end. `refuses_padding`: of the trace's
    // format (Format::refuses_gzip_padding).
    const Diagnostic* container_fault(bool refuses_padding = false) const {
        if (!decompressed_) return nullptr;
        const auto& fault = refuses_padding ? decompressed_->fault_with_padding() : decompressed_->fault();
        return fault ? &*fault : nullptr;
    }

    // See ContainerSource; null without a container.
    const Inflation* inflation() const { return decompressed_ ? &decompressed_->inflation() : nullptr; }

  private:
    std::array<uint8_t, 4> buffer_{};
    Bytes first_;
    ReplayedSource replayed_;
    Source& plain_;
    Container container_;
    std::unique_ptr<ContainerSource> decompressed_;
};

}  // namespace tracelint
