// The mappings that perf 6.1 makes of a dump's functions (section 8). It keeps those of a process in a tree, sorted by
// their start. A new one cuts all that it overlaps, one after the other: of what lies before its start it makes a
// mapping again, and adds it after those with the same start. With two of those it never comes to an end.
#pragma once

#include <cstdint>
#include <map>

#include "validator/limits.hpp"

namespace tracelint::jitdump {

class PerfMappings {
  public:
    explicit PerfMappings(Budget& budget) : budget_(budget) {}
    ~PerfMappings() { budget_.give_back(paid_); }
    PerfMappings(const PerfMappings&) = delete;
    PerfMappings& operator=(const PerfMappings&) = delete;

    enum class Added : uint8_t { done, hangs, no_memory };
    Added add(uint64_t start, uint64_t size);

  private:
    // The mappings that begin at one address.
    struct Start {
        uint64_t end = 0;  // of one that has bytes; 0: there is none
        bool has_empty = false;
    };
    static constexpr uint64_t kCost = sizeof(std::pair<const uint64_t, Start>) + 5 * sizeof(void*);

    Budget& budget_;
    uint64_t paid_ = 0;
    std::map<uint64_t, Start> starts_;
};

}  // namespace tracelint::jitdump
