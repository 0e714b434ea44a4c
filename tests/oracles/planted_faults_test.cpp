// Every planted fault is found where it was planted, and every rule of severity error or warning has one.
#include <doctest/doctest.h>

#include <set>

#include "fuzz/soak.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/file_traits.hpp"
#include "validator/generator/mutate.hpp"

namespace tracelint {
namespace {

// Rules that no edit of a generated file breaks, and why.
struct Exception {
    std::string_view rule;
    std::string_view reason;
};
constexpr Exception kExceptions[] = {
    {"jitdump/file-name-pid", "the name of the file is at fault, not its bytes"},
    {"jitdump/load-code-too-large", "needs a record of more than 2 GiB"},
};

constexpr uint64_t kUsual = 60;            // files that each fault is offered, one of which has a place for it
constexpr uint64_t kBrokenFiles = 12'500;  // broken files of each format
constexpr uint64_t kBrokenAtLeast = 100;   // have sound ones and unsound ones among them
constexpr size_t kFaultsOfEach = 4;        // that are planted in each

bool is_exception(std::string_view id) {
    return std::any_of(std::begin(kExceptions), std::end(kExceptions),
                       [&](const Exception& e) { return e.rule == id; });
}

TEST_CASE("every rule of severity error or warning has a planted fault") {
    for (const Format* format : tested_formats()) {
        std::set<std::string_view> planted;
        for (const PlantedFault& fault : faults_of(*format)) planted.insert(fault.rule->id);
        for (const Rule* rule : rules_of(*format)) {
            CAPTURE(rule->id);
            if (rule->severity != Severity::note) CHECK(planted.contains(rule->id) != is_exception(rule->id));
        }
    }
}

TEST_CASE("every planted fault names a rule of its format") {
    for (const Format* format : formats()) {
        const std::vector<const Rule*> rules = rules_of(*format);
        for (const FaultList* list : generator_of(*format).faults)
            for (const FaultRow& row : *list) {
                CAPTURE(row.rule);
                CHECK(std::ranges::find(rules, row.rule, &Rule::id) != rules.end());
            }
    }
}

TEST_CASE("every planted fault is found where it was planted" * doctest::test_suite(kEachFormat)) {
    for (const Format* format : tested_formats()) {
        SoakOptions options;
        options.clean_files = 0;
        options.seeds_per_fault = seeds(kUsual);
        options.salvaged_every = 0;
        const SoakResult result = soak(generator_of(*format), options);
        INFO(table_of(result));
        for (const std::string& complaint : result.complaints) FAIL_CHECK(complaint);
        for (const FaultTally& tally : result.faults) {
            CAPTURE(tally.rule->id);
            if (options.seeds_per_fault >= kUsual) CHECK(tally.planted > 0);
            CHECK(tally.found == tally.planted);
        }
    }
}

TEST_CASE("a fault is planted into a base file and found there, or the file has no place for it") {
    for (const Format* format : formats()) {
        uint64_t planted = 0, left_out = 0;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            for (const PlantedFault& fault : faults_of(*format))
                for (uint64_t seed = 1; seed <= 6; ++seed) {
                    bool fitted = false;
                    const Complaint complaint = planted_fault(*format, fault, as_bytes(bytes), seed, &fitted);
                    if (complaint) FAIL_CHECK(shown(path) << ", seed " << seed << ": " << *complaint);
                    ++(fitted ? planted : left_out);
                }
        }
        CHECK(planted > 0);
        CHECK(left_out > 0);
    }
}

// No model writes a line without an entry.
TEST_CASE("a fault is planted into a perf map with blank lines and found there, or the map has no place for it") {
    const Format& perfmap = *find_format("perfmap");
    for (const char* map : {"\n", " \n\n", "\n1000 10 main\n", "1000 10 main\n \n2000 10 exit\n", "1000 10 main\n\n"}) {
        CAPTURE(map);
        const Bytes bytes = as_bytes(map);
        REQUIRE(sound_records(perfmap, bytes).has_value());
        uint64_t planted = 0;
        for (const PlantedFault& fault : faults_of(perfmap))
            for (uint64_t seed = 1; seed <= 20; ++seed) {
                bool fitted = false;
                hold(planted_fault(perfmap, fault, bytes, seed, &fitted));
                planted += fitted;
            }
        CHECK((planted > 0) == (std::string_view(map).find("main") != std::string_view::npos));
    }
}

// Recorded files have what no model writes, such as a profile after a profile. A place outside of the file would be one
// that was looked for in vain.
TEST_CASE("a fault is planted into a recorded file without errors, or the file has no place for it") {
    constexpr size_t kLargest = size_t{16} << 10;  // planting copies the file
    for (const Format* format : tested_formats()) {
        uint64_t planted = 0;
        for (const auto& path : corpus_files(*format, "real")) {
            if (path.extension() == ".findings" || path.extension() == ".md") continue;
            const std::string stored = read_file(path).value_or("");
            const std::string bytes = path.extension() == ".gz" ? unpacked(stored) : stored;
            if (bytes.size() > kLargest) continue;
            CAPTURE(shown(path));
            MemorySource source(as_bytes(bytes));
            CheckOptions options;
            options.format = format;
            if (check(source, options).report().count(Severity::error) != 0) continue;
            const FileRecords records = decode_file(*format, as_bytes(bytes));
            for (const PlantedFault& fault : faults_of(*format))
                for (uint64_t seed = 1; seed <= 2; ++seed) {
                    CAPTURE(fault.rule->id);
                    const std::optional<PlantedFile> broken = plant(fault, records, seed);
                    if (!broken) continue;
                    ++planted;
                    CHECK(broken->offset + broken->length <= broken->bytes.size());
                }
        }
        CHECK(planted > 0);
    }
}

// The start of a file, or a mutant of it.
std::string broken_file(const Format& format, const std::string& file, uint64_t seed) {
    Random random(seed);
    if (one_in(random, 4)) return file.substr(0, below(random, file.size() + 1));
    return mutated(generator_of(format), as_bytes(file), seed);
}

TEST_CASE("a fault is planted into the mutants and the starts of files that are sound, or they have no place for it") {
    for (const Format* format : tested_formats()) {
        CAPTURE(format->id);
        std::vector<std::string> files;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            files.push_back(read_hex(read_file(path).value_or(""), shown(path), errors).bytes);
        }
        for (uint64_t seed = 1; seed <= 20; ++seed)
            files.push_back(generate_bytes(generator_of(*format), nth_file(seed)));
        const std::vector<PlantedFault> faults = faults_of(*format);
        uint64_t planted = 0, unsound = 0;
        for (uint64_t seed = 1; seed <= std::max(kBrokenAtLeast, seeds(kBrokenFiles)); ++seed) {
            CAPTURE(seed);
            const std::string bytes = broken_file(*format, files[seed % files.size()], seed);
            const std::optional<FileRecords> records = sound_records(*format, as_bytes(bytes));
            if (!records) {
                ++unsound;
                continue;
            }
            for (size_t i = 0; i < kFaultsOfEach; ++i) {
                const PlantedFault& fault = faults[(seed * kFaultsOfEach + i) % faults.size()];
                CAPTURE(fault.rule->id);
                const std::optional<PlantedFile> broken = plant(fault, *records, seed);
                if (!broken) continue;
                ++planted;
                CHECK(broken->offset + broken->length <= broken->bytes.size());
            }
        }
        CHECK(planted > 0);
        CHECK(unsound > 0);
    }
}

// The last event of a version 3 block may end without it.
TEST_CASE("a fault is not planted into padding that is not there") {
    const Format& nettrace = *find_format("nettrace");
    for (const auto& path : corpus_files(nettrace, "base", ".hex")) {
        Errors errors;
        FileRecords records =
            decode_file(nettrace, as_bytes(read_hex(read_file(path).value_or(""), shown(path), errors).bytes));
        for (RecordValues& record : records)
            std::erase_if(record.values, [](const Value& value) {
                return value.leaf.field != nullptr && value.leaf.field->name == "padding";
            });
        for (const PlantedFault& fault : faults_of(nettrace))
            if (fault.rule->id == "nettrace/padding-nonzero") CHECK(!plant(fault, records, 1));
    }
}

TEST_CASE("a Trace that is not there is not repeated") {
    const Format& nettrace = *find_format("nettrace");
    for (const auto& path : corpus_files(nettrace, "base", ".hex")) {
        Errors errors;
        const FileRecords records =
            decode_file(nettrace, as_bytes(read_hex(read_file(path).value_or(""), shown(path), errors).bytes));
        for (const PlantedFault& fault : faults_of(nettrace))
            if (fault.rule->id == "nettrace/duplicate-trace")
                CHECK(!plant(fault, {records.front(), records.back()}, 1));
    }
}

TEST_CASE("a sample without fields is not made shorter") {
    const Format& perfdata = *find_format("perfdata");
    for (const auto& path : corpus_files(perfdata, "base", ".hex")) {
        CAPTURE(shown(path));
        Errors errors;
        FileRecords records =
            decode_file(perfdata, as_bytes(read_hex(read_file(path).value_or(""), shown(path), errors).bytes));
        for (RecordValues& record : records)
            if (record.find("sample_type") != nullptr) record.set("sample_type", 0);
        for (const PlantedFault& fault : faults_of(perfdata))
            if (fault.rule->id == "perfdata/record-body-too-small")
                for (uint64_t seed = 1; seed <= 5; ++seed) CHECK_NOTHROW((void)plant(fault, records, seed));
    }
}

// Their header is first, and of a CIE with an instruction that is no instruction, the last eight bytes would be a
// header: version 1 and three encodings that are known (jitdump, 3.7).
TEST_CASE("a fault does not make unwinding data look as if their header were last") {
    Errors errors;
    const std::string bytes = read_hex(R"(
44 54 69 4a 01 00 00 00 28 00 00 00 3e 00 00 00 00 00 00 00 41 06 00 00 b8 0b 00*6 00*8    # header
04 00 00 00 48 00 00 00 c2 0b 00*6 20 00*7 08 00*7 20 00*7                                 # UNWINDING_INFO
01 ff ff ff 00 00 00 00                                                                    # .eh_frame_hdr
13 00 00 00 00 00 00 00 03 "zRS" 00 01 78 10 01 1b 0e 81 01 02 00 00                       # .eh_frame: a CIE
00 00 00 00 47 00 00 00 cc 0b 00*6 41 06 00 00 42 06 00 00                                 # LOAD
00 00 08 00*5 00 00 08 00*5 08 00*7 12 00*7 "orc_fn" 00 55 48 89 e5 31 c0 5d c3
)",
                                       "typed", errors)
                                  .bytes;
    REQUIRE(errors.empty());
    const Format& jitdump = *find_format("jitdump");
    for (const PlantedFault& fault : faults_of(jitdump)) {
        if (fault.rule->id != "jitdump/eh-frame-instruction") continue;
        uint64_t planted = 0;
        for (uint64_t seed = 1; seed <= 24; ++seed) {
            bool fitted = false;
            const Complaint complaint = planted_fault(jitdump, fault, as_bytes(bytes), seed, &fitted);
            if (complaint) FAIL_CHECK("seed " << seed << ": " << *complaint);
            planted += fitted ? 1 : 0;
        }
        CHECK((planted > 0 && planted < 24));
    }
}

TEST_CASE("a fault is not planted into nothing") {
    for (const Format* format : formats())
        for (const PlantedFault& fault : faults_of(*format)) CHECK(!plant(fault, {}, 1));
}

TEST_CASE("a fault for a rule is planted on the first file that has a place for it") {
    for (const Format* format : tested_formats())
        for (const PlantedFault& fault : faults_of(*format)) {
            CAPTURE(fault.rule->id);
            const auto broken = plant(generator_of(*format), *fault.rule, {});
            REQUIRE(broken.has_value());
            CHECK(broken->rule == fault.rule);
        }
}

}  // namespace
}  // namespace tracelint
