// What salvage makes of generated files, of the corpus, of planted faults, and of anything else.
#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/salvage_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

TEST_CASE("salvage copies generated files, and writes none of the mutated ones with an error" *
          doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CAPTURE(seed);
            const std::string bytes = generated_bytes(*format, seed);
            SalvageOutcome salvaged;
            hold(salvages({as_bytes(bytes), format}, &salvaged));
            CHECK(salvaged.verdict == SalvageVerdict::clean);
            const std::string broken = mutated(generator_of(*format), as_bytes(bytes), seed);
            hold(salvages({as_bytes(broken), format}));
            hold(salvages({as_bytes(broken)}));
            hold(salvages({as_bytes(bytes).first(bytes.size() * (seed % 16) / 16), format}));
        }
}

TEST_CASE("salvage writes no file of the corpus with an error" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            hold(salvages({as_bytes(bytes), format}));
            hold(salvages({as_bytes(bytes)}));
        }
}

// What a fault that breaks one rule in one place costs, in thousandths of the bytes. A format whose files have few
// blocks loses more.
struct Bound {
    std::string_view format;
    uint64_t median;
    uint64_t impossible;  // of a hundred files
};
constexpr Bound kBounds[] = {
    {"jitdump", 60, 10}, {"xray", 60, 20},     {"gperftools", 20, 30}, {"mlpd", 60, 20},
    {"perfmap", 60, 0},  {"perfdata", 60, 40}, {"pprof", 20, 20},      {"nettrace", 60, 30},
};

TEST_CASE("salvage loses little to a planted fault" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        const auto bound = std::ranges::find(kBounds, format->id, &Bound::format);
        REQUIRE(bound != std::end(kBounds));
        std::vector<uint64_t> lost;
        size_t errors = 0;
        for (const PlantedFault& fault : faults_of(*format)) {
            if (fault.rule->severity != Severity::error) continue;
            for (uint64_t seed = 1; seed <= seeds(2); ++seed) {
                Complaint complaint;
                GenerateOptions options;
                options.seed = seed;
                options.size = 6000;
                const std::optional<SalvageOutcome> salvaged =
                    salvage_planted(generator_of(*format), fault, options, complaint);
                if (complaint) FAIL_CHECK(fault.rule->id << ", seed " << seed << ": " << *complaint);
                if (!salvaged || salvaged->verdict == SalvageVerdict::clean) continue;
                ++errors;
                if (salvaged->verdict == SalvageVerdict::salvaged && salvaged->size != 0)
                    lost.push_back(1000 - std::min<uint64_t>(1000, salvaged->new_size * 1000 / salvaged->size));
            }
        }
        CAPTURE(format->id);
        REQUIRE(!lost.empty());
        std::ranges::sort(lost);
        CHECK(lost[lost.size() / 2] <= bound->median);
        CHECK((errors - lost.size()) * 100 <= errors * bound->impossible);
    }
}

// What is written of the bytes; empty if nothing is.
std::string salvaged_of(const std::string& bytes, std::string_view format) {
    MemorySource source(as_bytes(bytes));
    SalvageOptions options;
    options.format = find_format(format);
    Salvage salvage(source, options);
    std::string written;
    const SalvageVerdict verdict = salvage.run();
    if (verdict != SalvageVerdict::clean && verdict != SalvageVerdict::salvaged) return written;
    const std::string failure = salvage.copy([&](Bytes piece) {
        written += as_text(piece);
        return true;
    });
    CHECK(failure.empty());
    return written;
}

std::string words(std::initializer_list<uint64_t> values) {
    std::string text;
    for (const uint64_t value : values) {
        uint8_t bytes[8];
        store(bytes, 8, ByteOrder::little, value);
        text += as_text(bytes);
    }
    return text;
}

TEST_CASE("salvage leaves the lines out that are malformed") {
    CHECK(salvaged_of("1000 10 main\nno line\n2000 10 exit\n3000 1", "perfmap") == "1000 10 main\n2000 10 exit\n");
    CHECK(salvaged_of("no line\n", "perfmap").empty());
}

TEST_CASE("salvage gives a profile the trailer that it lacks, and its header the numbers that it must have") {
    const std::string header = words({0, 3, 0, 10000, 0}), sample = words({2, 2, 0x401000, 0x402000});
    const std::string trailer = words({0, 1, 0}), map = "00400000-00410000 r-xp 00000000 00:00 1 /bin/a\n";
    const std::string whole = header + sample + sample + trailer;
    CHECK(salvaged_of(whole, "gperftools") == whole);
    CHECK(salvaged_of(header + sample + sample, "gperftools") == whole);
    CHECK(salvaged_of(header + sample + sample + sample.substr(0, 24), "gperftools") == whole);
    CHECK(salvaged_of(header + sample + sample + map, "gperftools") == whole + map);
    CHECK(salvaged_of(words({0, 3, 0, 10000, 7}) + sample + sample + trailer, "gperftools") == whole);
    CHECK(salvaged_of(words({0, 3, 0, 0, 0}) + sample + sample + trailer, "gperftools").empty());
}

TEST_CASE("a LOAD with a damaged size costs itself and what describes it") {
    const std::string bytes = read_file(kRoot / "corpus/jitdump/real/node-18.dump").value_or("");
    REQUIRE(bytes.size() > 5000);
    const std::unique_ptr<Framer> framer = find_format("jitdump")->framer({});
    std::vector<uint64_t> loads, starts;
    for (uint64_t at = 0; at < bytes.size();) {
        const Framer::Frame frame = framer->next(as_bytes(bytes).subspan(at));
        REQUIRE(frame.length != 0);
        starts.push_back(at);
        if (frame.record->name == "JIT_CODE_LOAD") loads.push_back(at);
        at += frame.length;
    }
    REQUIRE(loads.size() > 5);
    const uint64_t damaged = loads[3];
    const auto next = std::ranges::upper_bound(starts, damaged);
    const uint64_t first = *(std::ranges::upper_bound(starts, loads[2]));
    for (const uint64_t size : {uint64_t{0}, uint64_t{20}, uint64_t{100'000'000}}) {
        CAPTURE(size);
        std::string broken = bytes;
        uint8_t number[4];
        store(number, 4, ByteOrder::little, size);
        broken.replace(damaged + 4, 4, as_text(number));
        CHECK(salvaged_of(broken, "jitdump") == bytes.substr(0, first) + bytes.substr(*next));
    }
}

}  // namespace
}  // namespace tracelint
