// The common interface of containers: a source of the decompressed data, and the faults of the container itself.
#pragma once

#include <optional>

#include "validator/input/inflation.hpp"
#include "validator/input/source.hpp"
#include "validator/report/report.hpp"

namespace tracelint {

// Gives the decompressed data of a compressed file, in one piece: members or frames that follow each other are one
// file.
class ContainerSource : public Source {
  public:
    // The container's fault, at most one. Its offset counts in the compressed file. Known once read() returned 0.
    virtual const std::optional<Diagnostic>& fault() const = 0;
    // The same for a format whose readers refuse padding after the last part.
    virtual const std::optional<Diagnostic>& fault_with_padding() const { return fault(); }
    // What the data that were read allow to be decompressed once more.
    const Inflation& inflation() const { return inflation_; }

  protected:
    explicit ContainerSource(uint64_t largest_ratio) : inflation_(largest_ratio) {}

    Inflation inflation_;
};

}  // namespace tracelint
