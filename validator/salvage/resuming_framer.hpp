// Finds records again after one whose length cannot be believed.
#pragma once

#include "validator/salvage/composition.hpp"
#include "validator/salvage/damage.hpp"

namespace tracelint {

// Wraps the framer of a format whose records begin at any offset and can be framed without those before them
// (Composition::unsized). Where a damage says that the length of a record is wrong, or the framer finds no length, it
// searches for the next bytes that a few records in a row begin with. What is between is a gap.
class ResumingFramer final : public Framer {
  public:
    // All must outlive this but `inner`. `damages` are sorted by offset.
    ResumingFramer(std::unique_ptr<Framer> inner, const Composition& composition, std::span<const Damage> damages)
        : inner_(std::move(inner)), composition_(composition), damages_(damages) {}

    Frame next(Bytes bytes) override;

  private:
    Frame step(const Frame& frame);
    Frame search(Bytes bytes);
    bool is_unsized(uint64_t length);
    std::optional<bool> begins_records(Bytes bytes, bool is_all);

    const std::unique_ptr<Framer> inner_;
    const Composition& composition_;
    const std::span<const Damage> damages_;
    size_t next_damage_ = 0;
    uint64_t at_ = 0;
    bool is_searching_ = false;
    size_t searched_ = 0;  // bytes of the last search, which asked for more
};

}  // namespace tracelint
