// nettrace, section 7: what is not tracked for want of memory.
#pragma once

#include "grammars/nettrace/checks/findings.hpp"
#include "validator/format.hpp"

namespace tracelint::nettrace {

// What takes memory. Each is reported once.
enum class Tracked : uint8_t { metadata, stacks, labels, threads, records, count_ };

// Ends a tracking when the budget is spent, or a record is larger than the limit.
class Tracking {
  public:
    explicit Tracking(ValidationContext& context) : context_(context) {}

    bool has_ended(Tracked what) const { return ended_[static_cast<size_t>(what)]; }
    void end(Tracked what, uint64_t offset);

  private:
    ValidationContext& context_;
    std::array<bool, static_cast<size_t>(Tracked::count_)> ended_{};
};

extern const RuleList kLimitRules;

}  // namespace tracelint::nettrace
