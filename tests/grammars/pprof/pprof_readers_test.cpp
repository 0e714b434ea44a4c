// How many samples pyroscope leaves out of a profile that it takes.
#include <doctest/doctest.h>

#include "grammars/formats.hpp"
#include "tests/files/pprof_file.hpp"
#include "validator/readers/reader_check.hpp"

namespace tracelint::pprof {
namespace {

using files::PprofFile;

std::string one(uint64_t member, uint64_t value) { return PprofFile::number(member, value); }
std::string in(uint64_t member, const std::string& payload) { return PprofFile::nested(member, payload); }

// A profile of these locations and samples, with mapping 1 and function 1.
std::string profile(const std::string& samples, const std::string& locations) {
    return in(1, one(1, 1) + one(2, 1)) + samples + in(3, one(1, 1) + one(2, 0x1000) + one(3, 0x2000) + one(5, 1)) +
           locations + in(5, one(1, 1) + one(2, 1) + one(3, 1)) + in(6, "") + in(6, "a") +
           one(9, 1'700'000'000'000'000'000);
}
std::string sample(const std::string& locations, uint64_t value) { return in(2, in(1, locations) + one(2, value)); }

ReaderVerdict verdict_of(const std::string& bytes, const Limits& limits = {}) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.limits = limits;
    std::vector<const TraceReader*> pyroscope;
    for (const TraceReader* reader : all_readers())
        if (reader->name == "pyroscope") pyroscope.push_back(reader);
    ReaderCheck readers(pyroscope, options);
    Outcome outcome = check(source, readers.all_findings());
    readers.judge(outcome, source);
    REQUIRE(readers.verdicts().size() == 1);
    CHECK(readers.is_whole());
    return readers.verdicts().front();
}

// 1 is sound; 2 has a mapping that does not exist, 3 a function; 4 is empty; of the two of id 5 the last is sound.
const std::string kSome = in(4, one(1, 1) + one(2, 1) + one(3, 0x1100)) +
                          in(4, one(1, 2) + one(2, 9) + one(3, 0x1100)) +
                          in(4, one(1, 3) + one(2, 1) + in(4, one(1, 1)) + in(4, one(1, 7))) + in(4, one(1, 4)) +
                          in(4, one(1, 5) + one(2, 9) + one(3, 1)) + in(4, one(1, 5) + in(4, one(1, 1)));

}  // namespace

TEST_CASE("the samples that pyroscope drops are counted") {
    struct Case {
        const char* what;
        std::string samples;
        uint64_t lost;
    };
    const std::string sound = sample("\1", 1);
    const Case cases[] = {
        {"a mapping that does not exist", sound + sample("\1\2", 1), 1},
        {"a function that does not exist, in the second line", sound + sample("\3", 1), 1},
        {"an empty location", sound + sample("\4\1", 1), 1},
        {"a location that does not exist", sound + sample("\6", 1), 1},
        {"of two locations of one id, one is sound", sound + sample("\5", 1), 0},
        {"a negative value", sound + sample("\1", ~uint64_t{0}), 1},
        {"a value of 0", sound + sample("\1", 0), 1},
        {"no location", sound + sample("", 1), 0},
        {"a location that no sample has", sound, 0},
        {"all of them", sample("\1\2", 1) + sample("\3", 1) + sample("\4", 0), 3},
    };
    for (const Case& one : cases) {
        CAPTURE(one.what);
        const ReaderVerdict verdict = verdict_of(profile(one.samples, kSome));
        CHECK(verdict.outcome == ReaderOutcome::drops_record);
        CHECK(verdict.lost == one.lost);
    }
    CHECK(verdict_of(profile(sound, in(4, one(1, 1) + one(2, 1) + one(3, 0x1100)))).outcome <= ReaderOutcome::ignores);
}

TEST_CASE("the sentence says how many samples pyroscope drops") {
    const std::string sound = sample("\1", 1), locations = in(4, one(1, 1) + one(2, 1) + one(3, 0x1100));
    const std::string loads = "pyroscope 2026-08 loads the file, but silently ";
    CHECK(sentence_of(verdict_of(profile(sound + sample("\1\2", 1) + sample("\1", 0), locations))) ==
          loads + "drops 2 of 3 samples because of the bytes in 2 places, the first at 0x12 (by its source)");
    CHECK(sentence_of(verdict_of(profile(sample("\2", 1) + sample("\2", 2), locations))) ==
          loads + "drops all 2 samples because of the bytes at 0xa (by its source)");
    CHECK(sentence_of(verdict_of(profile(sample("\2", 1), locations))) ==
          loads + "drops the sample because of the bytes at 0xa (by its source)");
    CHECK(sentence_of(verdict_of(profile(sound, locations + in(4, one(1, 2))))) ==
          loads + "leaves out a part of it at 0x22 (by its source)");
}

TEST_CASE("without memory for counting, nothing is predicted") {
    const std::string bytes = profile(sample("\1", 0), kSome);
    REQUIRE(verdict_of(bytes).lost == 1);
    size_t predicted = 0;
    for (uint64_t memory = 0; memory < 4000; memory += 50) {
        const ReaderVerdict verdict = verdict_of(bytes, {.memory = memory});
        CHECK((verdict.unpredicted.has_value() || verdict.lost == 1));
        predicted += verdict.unpredicted ? 0 : 1;
    }
    CHECK(predicted != 0);
    CHECK(predicted < 80);
}

}  // namespace tracelint::pprof
