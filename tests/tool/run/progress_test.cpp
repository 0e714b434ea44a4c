// How far a check has come, in bytes: those that it skips count, those that it reads again do not.
#include "validator/tool/run/progress.hpp"

#include <doctest/doctest.h>

#include <array>

#include "validator/input/source.hpp"

namespace tracelint {
namespace {

TEST_CASE("bytes that are skipped count, and those that are read again do not") {
    const std::array<uint8_t, 200> bytes{};
    MemorySource trace(bytes);
    Progress progress(1, {});
    CountedSource counted(trace, progress);
    std::array<uint8_t, 50> to{};
    struct Step {
        uint64_t seek;  // kNone: none
        size_t read;
        uint64_t counted;
    };
    constexpr Step kSteps[] = {{kNone, 50, 50}, {120, 0, 120},  {kNone, 10, 130},
                               {0, 50, 130},    {110, 50, 160}, {kNone - 1, 1, 200}};
    for (const Step& step : kSteps) {
        CAPTURE(step.counted);
        if (step.seek != kNone) REQUIRE(counted.seek(step.seek));
        if (step.read != 0) counted.read(to.data(), step.read);
        CHECK(progress.bytes() == step.counted);
    }
}

}  // namespace
}  // namespace tracelint
