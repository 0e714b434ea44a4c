// samply: what no case can hold, as it shows only where a record is looked at.
#include <doctest/doctest.h>

#include "grammars/jitdump/samply/records.hpp"
#include "grammars/jitdump/samply/samply.hpp"

namespace tracelint::samply {

// 827346260 has two owners (section 2): the option decides, and without it the room for an address and three counts.
TEST_CASE("which table a record of samply's is looked at with") {
    constexpr size_t kAuto = 0, kAsPositions = 1, kAsTier = 2;
    struct {
        uint32_t id;
        uint64_t total_size;
        size_t choice;
        const Record& expected;
    } const rows[] = {
        {kPositionsId, 47, kAuto, kTier},
        {kPositionsId, 48, kAuto, kPositions},
        {kPositionsId, 49, kAuto, kPositions},
        {kPositionsId, 47, kAsPositions, kPositions},
        {kPositionsId, 48, kAsPositions, kPositions},
        {kPositionsId, 47, kAsTier, kTier},
        {kPositionsId, 48, kAsTier, kTier},
        {kTreeId, 16, kAsTier, kTree},
        {kInlineInfoId, 16, kAuto, kInlineInfo},
        {kSourceFileId, 16, kAuto, kSourceFile},
    };
    for (const auto& row : rows) {
        CAPTURE(row.id);
        CAPTURE(row.total_size);
        CAPTURE(row.choice);
        Settings settings;
        settings.set(*kGrammar.options[0], row.choice);
        CHECK(&record_of(row.id, row.total_size, settings) == &row.expected);
    }
}

}  // namespace tracelint::samply
