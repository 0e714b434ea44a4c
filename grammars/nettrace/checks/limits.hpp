// nettrace, section 7: what is not tracked for want of memory.
#pragma once

#include "grammars/nettrace/checks/findings.hpp"
#include "validator/format.hpp"

namespace tracelint::nettrace {

// What takes memory. Each is reported once.
enum class Tracked : uint8_t { metadata, stacks, labels, threads, keys, records, count_ };

// Ends a tracking when the budget is spent, or a record is larger than the limit. Errors that are not found then do not
// put blocks in doubt, nor what they would have lost: so nothing more is reported from inside of blocks.
class Tracking {
  public:
    Tracking(ValidationContext& context, Findings& findings) : context_(context), findings_(findings) {}

    bool has_ended(Tracked what) const { return ended_[static_cast<size_t>(what)]; }
    void end(Tracked what, uint64_t offset);

  private:
    ValidationContext& context_;
    Findings& findings_;
    std::array<bool, static_cast<size_t>(Tracked::count_)> ended_{};
};

extern const RuleList kLimitRules;

}  // namespace tracelint::nettrace
