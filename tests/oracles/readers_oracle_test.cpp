// What is said of readers, for the files of the corpus, generated ones and mutants. The fuzz target `readers` begins
// with the same files, under sanitizers.
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/tool/readers_oracle.hpp"
#include "tests/support/oracle_files.hpp"

namespace tracelint {
namespace {

TEST_CASE("the verdict of a reader does not depend on the other readers, for each file of the corpus") {
    uint64_t compared = 0;
    const auto hold_of = [&](const std::string& name, std::string_view bytes) {
        if (bytes.size() <= (uint64_t{64} << 10))
            if (const Complaint complaint = verdicts_alone(as_bytes(bytes), &compared))
                FAIL_CHECK(name << ": " << *complaint);
    };
    for (const Format* format : formats())
        for (const NamedBytes& file : corpus_bytes(*format)) hold_of(file.name, file.bytes);
    for (const auto& path : std::filesystem::recursive_directory_iterator(kRoot / "corpus/museum")) {
        const auto extension = path.path().extension();
        if (!path.is_regular_file() || extension == ".case" || extension == ".pair") continue;
        hold_of(path.path().string(), read_file(path.path()).value_or(""));
    }
    CHECK(compared > 5000);
}

TEST_CASE("verdicts do not depend on the other readers, and agree with findings, for generated files and mutants") {
    uint64_t compared = 0;
    for (const Format* format : formats())
        for (uint64_t seed = 0; seed < seeds(20); ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            std::string broken = bytes;
            Random random(seed);
            for (int i = 0; i < 3 && !broken.empty(); ++i)
                broken[below(random, broken.size())] = static_cast<char>(below(random, 256));
            for (const std::string& one : {bytes, broken}) {
                Complaint complaint = verdicts_alone(as_bytes(one), &compared);
                if (!complaint) complaint = sentences_agree(as_bytes(one));
                if (complaint) FAIL_CHECK(format->id << " with seed " << seed << ": " << *complaint);
            }
        }
    CHECK(compared > 400);
}

TEST_CASE("sentence, outcome and findings of a reader agree, for each file of the corpus") {
    for (const Format* format : formats())
        for (const NamedBytes& file : corpus_bytes(*format))
            if (file.bytes.size() <= (uint64_t{16} << 10))
                if (const Complaint complaint = sentences_agree(as_bytes(file.bytes)))
                    FAIL_CHECK(file.name << ": " << *complaint);
}

TEST_CASE("the outcome of each reader is predicted for any file of the corpus") {
    for (const Format* format : formats())
        for (const NamedBytes& file : corpus_bytes(*format)) {
            const Complaint complaint = readers_predicted(as_bytes(file.bytes));
            CHECK_MESSAGE(!complaint, file.name << ": " << *complaint);
        }
}

}  // namespace
}  // namespace tracelint
