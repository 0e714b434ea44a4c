// Compares a walk's lane with the plain walk, in which every record goes through its table and machine.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "validator/format.hpp"

namespace tracelint {

struct WalkUnderTest {
    void (*validate)(Window&, ValidationContext&, WalkMode);
    bool gives_facts = false;  // also in its lane
};

// All that a walk found.
struct WalkResult {
    std::vector<std::string> findings;  // in the notation of cases
    std::vector<std::string> messages;  // theirs
    std::vector<std::array<uint64_t, 4>> numbers;
    std::vector<uint64_t> related;  // the offsets that they refer to
    std::vector<std::pair<std::string_view, uint64_t>> statistics;
    std::vector<std::array<uint64_t, 6>> functions;  // facts for the checks between files
    bool operator==(const WalkResult&) const = default;
};

WalkResult result_of(const WalkUnderTest& walk, WalkMode mode, Source& source, const Limits& limits = {});

// Checks that both modes find the same, and that the lane also does so in chunks. Returns the number of findings.
size_t check_lane(const WalkUnderTest& walk, Bytes bytes, uint64_t seed, const Limits& limits = {});

}  // namespace tracelint
