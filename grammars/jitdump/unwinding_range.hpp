// The addresses that unwinding data cover, compared with the code that they are for (sections 3.7.2, 3.7.4 and 5.5).
#pragma once

#include "grammars/jitdump/state.hpp"

namespace tracelint::jitdump {

// An address in unwinding data: absolute, or in bytes from the start of the data (modulo 2^64). Where the data stand
// is known with the LOAD only.
struct UnwindingAddress {
    uint64_t value = 0;
    bool is_absolute = false;
};

// What is remembered of an UNWINDING_INFO until its LOAD arrives. It does not grow with the data.
class UnwindingRange {
  public:
    // An FDE starts at byte `fde` of the .eh_frame, and covers `length` bytes from `start` on.
    void add_fde(uint64_t fde, UnwindingAddress start, uint64_t length, const Place& start_place,
                 const Place& length_place);
    // The FDE at byte `fde` of the .eh_frame starts at `start`, but the table says `table_start`. Neither is absolute.
    void add_mismatch(uint64_t fde, uint64_t start, uint64_t table_start, const Place& place);
    // Compares with the code of the LOAD.
    void check(State& state, uint64_t code_addr, uint64_t code_size) const;

  private:
    // The lowest start and the highest end. A bound that is not absolute has 2^63 added, so that bounds can be
    // compared.
    struct Bounds {
        uint64_t start = kNone, end = 0;
        uint64_t first_fde = 0;
        Place start_place, length_place;
    };
    struct Mismatch {
        uint64_t fde = 0, start = 0, table_start = 0;
        Place place;
    };
    Bounds bounds_;
    bool has_absolute_ = false, has_relative_ = false;
    Mismatch mismatch_;
    bool has_mismatch_ = false;
};

extern const RuleList kUnwindingRangeRules;

}  // namespace tracelint::jitdump
