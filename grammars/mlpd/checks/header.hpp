// mlpd, section 3.1: the file header.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "grammars/mlpd/records.hpp"
#include "validator/format.hpp"

namespace tracelint::mlpd {

// What the arguments of the profiler ask for (section 3.1.1).
enum class Requested : uint8_t { calls, allocations, counters, count_ };

// What the buffers need to know of the header.
struct HeaderFacts {
    uint16_t version = 0;   // of the data
    uint8_t word_size = 8;  // of pointers, in bytes
    uint64_t end = 0;       // offset at which the buffers begin
    bool in_doubt = false;  // a fault in its strings puts `end` in doubt
    // Where the arguments ask for events; empty if they do not, or if another argument explains why there are no such
    // events.
    std::array<std::optional<Place>, static_cast<size_t>(Requested::count_)> requested{};
};

// Checks a header that begins at `offset`. Empty: nothing after it can be read.
std::optional<HeaderFacts> check_header(Window& window, ValidationContext& context, uint64_t offset);

// At the end of a whole file: reports the kinds of events that were requested and do not occur. `has(name)`: whether
// there is a record whose name begins like this.
void check_requested_events(Report& report, const HeaderFacts& header,
                            const std::function<bool(std::string_view)>& has);

// The layout of a header, from its first bytes (at least 6).
uint16_t header_layout_of(Bytes opening);

extern const RuleList kHeaderRules;

}  // namespace tracelint::mlpd
