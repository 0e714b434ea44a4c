// What follows a fault of a nettrace file and is not checked is counted.
#include <doctest/doctest.h>

#include "tests/support/edited_base.hpp"

namespace tracelint::nettrace {
namespace {

uint64_t skipped_bytes(const Outcome& outcome) {
    uint64_t bytes = 0;
    for (const auto& [name, count] : outcome.context.statistics)
        if (name == kSkippedBytes) bytes += count;
    return bytes;
}

TEST_CASE("nettrace: the bytes behind a fault that are not checked are counted") {
    const struct {
        const char *what, *edits;
        uint64_t bytes;
    } files[] = {
        {"a sound file", "base session.hex\n", 0},
        {"an unknown id in the first event: the two events behind it", "base session.hex\nset 0x1e1 05\n", 64},
        {"the same, and the file ends with the second event", "base session.hex\nset 0x1e1 05\ncut 0x204\n", 12},
        {"the file ends in a block without a fault", "base session.hex\ncut 0x200\n", 0},
        {"a wrong count of stacks, all of which were read", "base session.hex\nset 0x190 03\n", 0},
        {"a stack that leaves its block: up to the next object", "base session.hex\nset 0x1a9 09 3d\n", 5},
        {"an object with two wrong tags: all of it", "base session.hex\nset 0x16c 04 04\n", 66},
        {"an object of an unknown type: its block", "base session.hex\nset 0x17a 51\n", 32},
        {"version 6: a block of a kind that is unknown", "base session-v6.hex\nset 0x1ad 09\n", 2},
        {"version 6: an unknown label, and the block behind it", "base session-v6.hex\nset 0x129 0b\n", 24 + 77},
        {"version 1: an event without a size: the rest of the file", "base netperf-v1.hex\nset 0xee 00\n", 89},
    };
    for (const auto& file : files) {
        CAPTURE(file.what);
        const CaseBlock block = edited_base("nettrace", file.edits);
        CHECK(skipped_bytes(outcome_of(block)) == file.bytes);
    }
}

}  // namespace
}  // namespace tracelint::nettrace
