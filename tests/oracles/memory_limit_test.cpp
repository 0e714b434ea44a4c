// Files checked with less memory than they need: fewer findings are reported, a note names the limit, and no finding
// is reported that is not reported with enough memory.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "fuzz/chunked_source.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/cut_source.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/toy_corpus.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMost = kMiB;       // more than any small file takes
constexpr size_t kSmallFile = 20'000;  // larger ones are left out
constexpr std::string_view kNote = "/tracking-limit";

// Severities may differ: mlpd overrides that of a framing fault after an error in the same buffer.
struct Kept {
    uint64_t offset, length;
    const Rule* rule;

    bool operator<(const Kept& other) const {
        if (offset != other.offset) return offset < other.offset;
        return length != other.length ? length < other.length : rule < other.rule;
    }
};

struct Reported {
    std::vector<Kept> findings;  // those kept, but for the notes of limits; sorted
    uint64_t counted = 0;        // all of them, kept or not: kept findings also take memory
    uint64_t not_listed = 0;
    bool names_limit = false;
    bool limit_hit = false;
    uint64_t lacked = 0;  // when more was asked for than there was, for the first time
};

template <class SomeSource = MemorySource>
Reported reported_for(const std::string& bytes, CheckOptions options, uint64_t memory) {
    options.limits.memory = memory;
    SomeSource source(as_bytes(bytes));
    const Outcome outcome = check(source, options);
    Reported reported;
    for (const Diagnostic& d : outcome.report().diagnostics()) {
        if (d.rule->id.ends_with(kNote))
            reported.names_limit = true;
        else
            reported.findings.push_back({d.place.offset, d.place.length, d.rule});
    }
    std::sort(reported.findings.begin(), reported.findings.end());
    for (const auto& [rule, count] : outcome.report().counts())
        if (!rule.ends_with(kNote)) reported.counted += count;
    for (const auto& [rule, count] : outcome.report().not_kept()) reported.not_listed += count;
    reported.limit_hit = outcome.context.limit_hit;
    reported.lacked = outcome.context.budget.lacked();
    return reported;
}

// Whether a file that gives `all`, and `less` with this much memory, gives no other findings then, and names the limit
// where it gives less. Fails otherwise.
bool holds(const std::string& name, const Reported& all, const Reported& less, uint64_t memory) {
    CHECK_MESSAGE((less.limit_hit || !less.names_limit), name << " with " << memory << " bytes of memory");
    const bool made_up =
        !std::includes(all.findings.begin(), all.findings.end(), less.findings.begin(), less.findings.end());
    const bool kept_quiet = (less.counted < all.counted || less.not_listed != 0) && !less.names_limit;
    if (!made_up && !kept_quiet) return true;
    std::string text;
    for (const Kept& finding : less.findings)
        if (!std::binary_search(all.findings.begin(), all.findings.end(), finding))
            text += ' ' + std::string(finding.rule->id) + ' ' + std::to_string(finding.offset) + '+' +
                    std::to_string(finding.length);
    FAIL_CHECK(name << " with " << memory << " bytes of memory"
                    << (made_up ? ": says what is not said with more:" + text : ": says less and not why"));
    return false;
}

// Tries amounts from 0 on: each by what lacked larger than the one before, or a `growth`th where that is not known.
void hold_memory(const std::string& name, const std::string& bytes, const CheckOptions& options, uint64_t growth) {
    const Reported all = reported_for(bytes, options, kNone);
    for (uint64_t memory = 0; memory < kMost;) {
        const Reported less = reported_for(bytes, options, memory);
        if (!holds(name, all, less, memory)) return;
        memory += less.lacked != 0 ? less.lacked : 1 + memory / growth;
    }
}

// Tries every amount that is just too little.
void hold_near_enough(const std::string& name, const std::string& bytes, const CheckOptions& options) {
    constexpr uint64_t kNear = 48;
    const Reported all = reported_for(bytes, options, kNone);
    uint64_t least = 0, most = kMost;  // of what is enough
    while (least < most) {
        const uint64_t middle = (least + most) / 2;
        if (reported_for(bytes, options, middle).names_limit)
            least = middle + 1;
        else
            most = middle;
    }
    for (uint64_t memory = saturating_sub(least, kNear); memory < least; ++memory)
        if (!holds(name, all, reported_for(bytes, options, memory), memory)) return;
}

TEST_CASE("with less memory a base file is said to be no worse" * doctest::test_suite(kEachBase)) {
    for (const Format* format : tested_formats())
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            Errors errors;
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            CheckOptions options;
            options.format = format;
            options.report.kept_per_rule = 0;
            hold_memory(shown(path), bytes, options, 16);
            hold_near_enough(shown(path), bytes, options);
        }
}

TEST_CASE("a limit is also named where the container is cut") {
    for (const Format* format : tested_formats()) {
        size_t named = 0;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            CAPTURE(shown(path));
            Errors errors;
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            CheckOptions options;
            options.format = format;
            if (!reported_for(bytes, options, 0).names_limit) continue;
            CHECK(reported_for<CutSource>(bytes, options, 0).names_limit);
            ++named;
        }
        CHECK_MESSAGE(named > 0, format->id);
    }
}

TEST_CASE("with less memory less is said of a file of the toy, and why") {
    CheckOptions options;
    options.format = &kToy;
    options.report.kept_per_rule = 0;
    for (const auto& [name, bytes] : toy_files()) hold_memory(name, bytes, options, 4);
    const std::string generated = bytes_of(generate(kToyGenerator, {.seed = 1, .size = 20'000, .model = {}}));
    hold_memory("a generated file", generated, options, 16);
    hold_near_enough("a generated file", generated, options);
}

TEST_CASE("with less memory less is said of a case, and why" * doctest::test_suite(kEachCase)) {
    for (const Format* format : tested_formats()) {
        Errors errors;
        uint64_t number = 0;
        for (const CaseFile& file : corpus_cases(*format, errors))
            for (const CaseBlock& block : file.blocks)
                if (is_sampled(number++, 3) && block.bytes.size() < kSmallFile)
                    hold_memory(file.path + ": " + block.title, block.bytes.part(0, block.bytes.size()),
                                options_of(block), 2);
    }
}

TEST_CASE("with less memory less is said of a hostile file, and why") {
    constexpr uint64_t kSize = uint64_t{64} << 10;
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string bytes;
        file.write({kSize, nullptr, &bytes});
        CheckOptions options;
        options.report.kept_per_rule = 0;
        const auto reported_with = [&](uint64_t memory) { return reported_for(bytes, options, memory); };
        const Reported all = reported_with(kNone);
        uint64_t enough = 4096;
        // A bomb meets the limit on what it decompresses to, however much memory there is.
        while (!all.names_limit && reported_with(enough).names_limit) enough *= 2;
        for (const uint64_t eighths : {0u, 1u, 3u, 5u, 7u})
            holds(file.name, all, reported_with(enough / 8 * eighths), enough / 8 * eighths);
    }
}

}  // namespace
}  // namespace tracelint
