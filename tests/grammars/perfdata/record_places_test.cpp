// Where the samples of a recording stand, kept in little memory; and the table that holds the samples.
#include <doctest/doctest.h>

#include <random>

#include "grammars/perfdata/records.hpp"
#include "validator/group.hpp"

namespace tracelint {
namespace {

TEST_CASE("every place is what was added, however the records lie") {
    Budget budget(64 << 20);
    for (unsigned seed = 0; seed < 50; ++seed) {
        std::mt19937 engine(seed);
        const auto random = [&] { return static_cast<uint32_t>(engine()); };
        RecordPlaces places(budget);
        std::vector<RecordAt> added;
        RecordAt at{104, 3, 40, false};
        while (added.size() < 2000) {
            const unsigned kind = random() % 8, times = 1 + random() % (seed % 2 == 0 ? 200 : 2);
            const uint64_t far = uint64_t{random()} << (random() % 32);
            for (unsigned i = 0; i < times; ++i) {
                if (kind < 3)
                    at = {at.offset + at.length, at.index + 1, at.length, false};
                else if (kind < 5)
                    at = {at.offset + at.length, at.index + 1, 8 + 8 * (random() % 8000), false};
                else if (kind == 6)
                    at = {far, at.index + random() % 4, 70'000, true};
                else if (kind == 7)
                    at = {at.offset + far, at.index + 5, 48, false};
                REQUIRE(places.add(at));
                added.push_back(at);
                const size_t requested = random() % added.size();
                CHECK(places[requested] == added[requested]);
            }
        }
        CHECK(places.size() == added.size());
        for (size_t i = 0; i < added.size(); ++i)
            if (places[i] != added[i]) FAIL_CHECK("seed " << seed << ", place " << i);
    }
    CHECK(budget.is_whole());
}

TEST_CASE("the place of a sample is that of its record, or of the one that it is in") {
    Budget budget(1 << 20);
    Facts facts(budget);
    Recording& recording = facts.recording;
    recording.sample_record = &perfdata::kSample;
    recording.outer_record = &perfdata::kCompressed;
    recording.add_sample({200, 7, 40, false}, 1, 2, 3);
    recording.add_sample({240, 8, 90, true}, 1, 2, 3);
    const Place first = recording.place_of_sample(recording.samples[0]);
    CHECK((first.offset == 200 && first.length == 40 && first.record_index == 7));
    CHECK(first.record == recording.sample_record);
    CHECK(recording.place_of_sample(recording.samples[1]).record == recording.outer_record);
}

// A recording of 1 GB has about 20 million samples in user mode: with a call chain of a few entries each takes 56
// bytes.
TEST_CASE("samples of a large recording fit into the default memory, and one more is no total") {
    const auto fill = [](Recording& recording, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) recording.add_sample({104 + 40 * i, i, 40, false}, 1 + i, i % 4096, 7);
    };
    {
        Budget budget(Limits{}.memory / 10);
        Facts facts(budget);
        fill(facts.recording, 2'100'000);  // a tenth of 21 million
        CHECK(facts.recording.samples.size() == 2'100'000);
        CHECK_FALSE(facts.recording.samples.is_cut());
        CHECK(facts.recording.place_of_sample(facts.recording.samples[1'999'999]).offset == 104 + 40 * 1'999'999);
        fill(facts.recording, 200'000);
        CHECK(facts.recording.samples.is_cut());
        CHECK(facts.recording.samples.size() < 2'300'000);
    }
    static_assert(sizeof(Sample) == 24);
}

TEST_CASE("ten million samples are judged within the default memory") {
#ifdef TRACELINT_AGREEMENT
    constexpr uint64_t kSamples = 1'000'000;  // with sanitizers all of them would take a minute
#else
    constexpr uint64_t kSamples = 10'000'000;
#endif
    constexpr uint64_t kFunctions = 1000, kBase = 0x100000;
    Budget budget(Limits{}.memory);
    Facts recorded(budget), dumped(budget);
    Recording& recording = recorded.recording;
    recording.is_recording = recording.is_present = true;
    recording.events.add(
        {.uses_clock_id = true, .clock_id = 1, .has_time = true, .has_thread = true, .is_sample_id_all = true});
    Mapping marker;
    marker.pid = 7;
    marker.time = 1;
    recording.add_mapping(marker, "/tmp/jit-7.dump");
    recording.see(7, 1);
    for (uint64_t i = 0; i < kSamples; ++i) {
        const uint64_t address = kBase + (i * 0x9e3779b1 >> 7) % (16 * kFunctions);
        recording.add_sample({104 + 40 * i, i, 40, false}, 2000 + i, address, 7);
    }
    recording.see(7, 2000 + kSamples);
    CodeDump& dump = dumped.dump;
    dump.is_dump = dump.is_present = true;
    dump.pid = 7;
    for (uint64_t i = 0; i < kFunctions; ++i)
        dump.functions.add({.at = {40 + 100 * i, i, 100, false},
                            .time = 10 + i,
                            .start = kBase + 16 * i,
                            .index = i,
                            .size = 16,
                            .pid = 7});
    Report reports[2];
    GroupMember members[] = {{"perf.data", &recorded, &reports[0]}, {"jit-7.dump", &dumped, &reports[1]}};
    GroupCheck check(members, budget, Limits{}.memory);
    judge_group(check);
    REQUIRE(check.pairings.size() == 1);
    CHECK_FALSE(check.limit_hit);
    CHECK_FALSE(check.pairings[0].pairing.is_least);
    CHECK(check.pairings[0].pairing.samples == kSamples);
    CHECK(check.pairings[0].pairing.in_functions == kSamples);
}

}  // namespace
}  // namespace tracelint
