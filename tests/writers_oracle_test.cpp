// The writers' oracle over the corpus and over fixed seeds.
#include "fuzz/writers_oracle.hpp"

#include "tests/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

TEST_CASE("every output of every writer parses") {
    const std::vector<std::string> paths = {"a.dump", "-", "a\n\x1b[31m\xff\"\\.dump", std::string("\0", 1), ""};
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            if (bytes.size() > 20'000) continue;
            CAPTURE(name);
            hold(writers({as_bytes(bytes), nullptr}, paths[number++ % paths.size()]));
        }
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            hold(writers({as_bytes(mutated(generator_of(*format), as_bytes(bytes), seed)), format},
                         paths[seed % paths.size()]));
        }
    }
}

}  // namespace
}  // namespace tracelint
