// UNWINDING_INFO and the LOAD that it waits for (sections 3.7, 4.5 and 5.5).
#pragma once

#include "grammars/jitdump/unwinding_range.hpp"

namespace tracelint::jitdump {

// The UNWINDING_INFO that waits for a LOAD. There is at most one.
class PendingUnwinding {
  public:
    // A record arrives. `mapped`: its mapped_size in bytes, or 0 if that is not plausible. `range`: of its FDEs.
    void replace(State& state, const View<kUnwindingInfo>& record, uint64_t mapped, const UnwindingRange& range);
    // Compares code and mapped data with other live code. Call it when the LOAD has entered its own range.
    void check_extent(State& state, const View<kLoad>& load, uint32_t pid, uint64_t address, uint64_t size) const;
    // Compares the FDEs with the code of the LOAD.
    void check_range(State& state, uint64_t address, uint64_t size) const;
    bool waits() const { return waits_; }
    // Its LOAD has arrived.
    void drop() { waits_ = false; }
    // At CLOSE and at the end of the file: reports the record that still waits.
    void end(State& state);

  private:
    Place place_;
    uint64_t mapped_ = 0;
    UnwindingRange range_;
    bool waits_ = false;
};

// `record`: the whole record, or its first bytes if it exceeds the record limit.
void check_unwinding(State& state, Bytes record, uint64_t offset, uint64_t index, uint64_t total_size,
                     PendingUnwinding& pending);

extern const RuleList kUnwindingRules;

}  // namespace tracelint::jitdump
