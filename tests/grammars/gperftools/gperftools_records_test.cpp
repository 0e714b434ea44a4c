// gperftools: the walk compares the call chain of a record with the one before and adds up rows of records. The
// findings must be those of each address and each count by itself.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "grammars/formats.hpp"
#include "tests/support/corpus.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMapped = 0x400000, kUnmapped = 0x900000;
constexpr uint64_t kPeriod = 10'000;                                             // microseconds
constexpr uint64_t kMostSamples = ((uint64_t{1} << 63) - 1) / (kPeriod * 1000);  // whose time still fits

// A profile, and what it is expected to have: of addresses in no mapping and of the sum of samples, the first place.
class Profile {
  public:
    explicit Profile(uint64_t seed) : random_(seed) {
        for (const uint64_t word : {uint64_t{0}, uint64_t{3}, uint64_t{0}, kPeriod, uint64_t{0}}) put(word);
    }

    // A thread that has returned from some calls since the last record, and made others.
    void add_record(uint64_t most_samples) {
        const size_t returned = std::min<size_t>(below(random_, 12), chain_.size());
        chain_.resize(chain_.size() - returned);
        chain_.push_back(address());
        for (uint64_t calls = below(random_, 12); calls > 0; --calls) chain_.push_back(address());
        if (one_in(random_, 3)) chain_[below(random_, chain_.size())] = address();
        if (chain_.size() > 60) chain_.resize(1 + below(random_, 50));
        count(1 + below(random_, most_samples));
        put(chain_.size());
        deepest = std::max<uint64_t>(deepest, chain_.size());
        for (size_t i = 0; i < chain_.size(); ++i) {
            const uint64_t called = chain_[chain_.size() - 1 - i];
            if (called >= kUnmapped) expect(i == 0 ? "gperftools/pc-unmapped-leaf" : "gperftools/pc-unmapped-caller");
            addresses.insert(called);
            put(called);
        }
    }

    std::string finish() {
        for (const uint64_t word : {uint64_t{0}, uint64_t{1}, uint64_t{0}}) put(word);
        return bytes_ + "00400000-00500000 r-xp 00000000 00:00 1 /bin/app\n";
    }

    uint64_t records = 0, samples = 0, deepest = 0;
    std::set<uint64_t> addresses;
    std::map<std::string_view, uint64_t> expected;  // the offset, by rule

  private:
    // Mostly one of a few, so that most records bring no new one.
    uint64_t address() {
        if (one_in(random_, 200)) return kUnmapped + 16 * below(random_, 4);
        return kMapped + 16 * (1 + below(random_, one_in(random_, 100) ? 50'000 : 40));
    }
    void count(uint64_t of_record) {
        if (of_record > kMostSamples - std::min(kMostSamples, samples)) expect("gperftools/sample-total-overflow");
        ++records;
        samples += of_record;
        put(of_record);
    }
    void expect(std::string_view rule) { expected.try_emplace(rule, bytes_.size()); }
    void put(uint64_t word) {
        for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(word >> (8 * i));
    }

    Random random_;
    std::string bytes_;
    std::vector<uint64_t> chain_;  // the outermost call first
};

void check_profile(Profile& profile) {
    const std::string bytes = profile.finish();
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.format = find_format("gperftools");
    const Outcome outcome = check(source, options);
    std::map<std::string_view, uint64_t> found;
    for (const Diagnostic& d : outcome.report().diagnostics())
        CHECK(found.try_emplace(d.rule->id, d.place.offset).second);
    CHECK(found == profile.expected);
    const std::map<std::string_view, uint64_t> numbers(outcome.context.statistics.begin(),
                                                       outcome.context.statistics.end());
    CHECK(numbers.at("records") == profile.records);
    CHECK(numbers.at("samples") == profile.samples);
    CHECK(numbers.at("deepest call chain") == profile.deepest);
    CHECK(numbers.at("distinct addresses") == profile.addresses.size());
}

}  // namespace

TEST_CASE("gperftools: chains that share calls with the record before are checked call by call") {
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Profile profile(seed);
        for (uint64_t record = 0; record < 5 + seed; ++record) profile.add_record(100);
        check_profile(profile);
    }
}

TEST_CASE("gperftools: the sum of samples is exact in rows of records") {
    for (uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        Profile profile(seed);
        for (uint64_t record = 0; record < 80; ++record) profile.add_record(kMostSamples / 40);
        check_profile(profile);
    }
}

}  // namespace tracelint
