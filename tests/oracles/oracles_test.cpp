// The oracles over fixed seeds and over the whole corpus: what the fuzz targets ask for hours, asked for seconds,
// so that they never rot. TRACELINT_SEEDS=N asks for more.
#include <doctest/doctest.h>

#include "fuzz/soak.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

// All oracles that any bytes must pass, a few draws each.
void hold_for_bytes(const Format& format, Bytes bytes, uint64_t seed) {
    Random random(seed);
    const Input input{bytes, random() % 2 == 0 ? nullptr : &format};
    hold(never_crash(input));
    hold(chunks_agree(input, random()));
    hold(pushes_agree(input, random()));
    hold(round_trip(format, bytes));
    hold(prefix(format, bytes, random() % (bytes.size() + 1)));
    hold(growing(format, bytes, random() % (bytes.size() + 1)));
    hold(recognition(bytes, random()));
    hold(container(input, random()));
    for (int i = 0; i < 3; ++i) hold(within_limits(input, random()));
}

TEST_CASE("generated files are clean, and read as they were written" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(100); ++seed)
            hold(generated_is_sound(generator_of(*format), nth_file(seed)));
}

TEST_CASE("generated files of both byte orders have the same findings" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(75); ++seed) hold(mirrored(generator_of(*format), nth_file(seed)));
}

TEST_CASE("generated and mutated files pass every oracle" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(75); ++seed) {
            CAPTURE(seed);
            const std::string bytes = generated_bytes(*format, seed);
            hold_for_bytes(*format, as_bytes(bytes), seed);
            hold(mirrored_file(*format, as_bytes(bytes)));
            const std::string broken = mutated(generator_of(*format), as_bytes(bytes), seed);
            hold_for_bytes(*format, as_bytes(broken), seed);
            hold_for_bytes(*format, as_bytes(spliced(*format, as_bytes(broken), as_bytes(bytes), seed)), seed);
        }
}

TEST_CASE("the corpus passes every oracle, whole and mutated" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            hold_for_bytes(*format, as_bytes(bytes), bytes.size());
            hold(mirrored_file(*format, as_bytes(bytes)));
            if (bytes.size() > 20'000) continue;
            for (uint64_t seed = 1; seed <= 2; ++seed)
                hold_for_bytes(*format, as_bytes(mutated(generator_of(*format), as_bytes(bytes), seed)), seed);
        }
}

TEST_CASE("former crashes keep their findings before a cut, wherever it is") {
    for (const Format* format : tested_formats())
        for (const auto& path : corpus_files(*format, "crashes")) {
            CAPTURE(shown(path));
            const std::string bytes = read_file(path).value_or("");
            if (bytes.size() > 1000) continue;
            for (uint64_t cut = 0; cut <= bytes.size(); ++cut) hold(prefix(*format, as_bytes(bytes), cut));
        }
}

#ifdef TRACELINT_AGREEMENT
TEST_CASE("reads by name equal those of the table interpreter") {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            hold(fast_equals_plain({as_bytes(bytes), format}));
        }
}
#endif

}  // namespace
}  // namespace tracelint
