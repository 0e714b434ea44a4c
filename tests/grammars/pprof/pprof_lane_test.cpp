// pprof's lane takes most fields of a file; it must find what the machine and the plain reader of messages find.
#include <doctest/doctest.h>

#include "fuzz/soak.hpp"
#include "grammars/formats.hpp"
#include "grammars/pprof/walk.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/lane_check.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint::pprof {
namespace {

constexpr WalkUnderTest kWalk{validate_file};

// A byte is changed, put in or taken out.
void edit(std::string& bytes, Random& random) {
    const size_t at = below(random, bytes.size());
    const char byte = static_cast<char>(pick<uint64_t>(random, {0, 1, 0x12, 0x80, 0xff, below(random, 256)}));
    if (one_in(random, 3))
        bytes.insert(at, 1, byte);
    else if (one_in(random, 3))
        bytes.erase(at, 1);
    else
        bytes[at] = byte;
}

}  // namespace

TEST_CASE("the lane sees what machine and tables see, in generated profiles with all kinds of faults") {
    size_t findings = 0;
    for (uint64_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        std::string bytes = bytes_of(generate(kPprof, nth_file(seed)));
        for (uint64_t edits = pick<uint64_t>(random, {0, 1, 1, 3}); edits > 0 && !bytes.empty(); --edits)
            edit(bytes, random);
        if (one_in(random, 6)) bytes.resize(below(random, bytes.size() + 1));
        findings += check_lane(kWalk, as_bytes(bytes), seed);
        const uint64_t memory = below(random, 40'000), record = 1 + below(random, 60);
        check_lane(kWalk, as_bytes(bytes), seed, {.memory = memory});
        check_lane(kWalk, as_bytes(bytes), seed, {.record = record});
    }
    CHECK(findings > 400);
}

TEST_CASE("the lane sees what machine and tables see, in real profiles with a byte changed") {
    Random random(5);
    for (const auto& path : corpus_files(kPprof, "real", ".pprof")) {
        CAPTURE(path.filename().string());
        const std::string packed = read_file(path).value_or("");
        MemorySource source(as_bytes(packed));
        Budget budget(Limits{}.memory);
        OpenedInput opened(source, budget);
        Window window(opened.trace());
        std::string bytes(as_text(window.view(0, size_t{1} << 20)));
        REQUIRE_FALSE(bytes.empty());
        check_lane(kWalk, as_bytes(bytes), 1);
        for (uint64_t edits = 0; edits < 20; ++edits) {
            std::string edited = bytes;
            edit(edited, random);
            check_lane(kWalk, as_bytes(edited), edits);
        }
    }
}

#ifdef TRACELINT_AGREEMENT
// Otherwise the tests above would compare the walk with itself.
TEST_CASE("messages and strings without a fault go through the lane, and none does in a plain walk") {
    constexpr uint64_t kSamples = 150;
    std::string bytes;
    for (uint64_t i = 0; i < kSamples; ++i) bytes += std::string("\x12\x04\x08\x01\x10\x01", 6);
    const auto work = [&](WalkMode mode) {
        MemorySource source(as_bytes(bytes));
        ValidationContext context({}, {});
        Window window(source, &context.work);
        validate_file(window, context, mode);
        return context.work.total();
    };
    CHECK(work(WalkMode::plain) > work(WalkMode::fast) + kSamples / 2);
}
#endif

}  // namespace tracelint::pprof
