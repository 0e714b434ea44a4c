// Groups of files within limits: on memory, on records, on the number of pairs. Less is said, never something else, and
// the limit is named.
#include <doctest/doctest.h>

#include <algorithm>

#include "fuzz/containers.hpp"
#include "fuzz/judged_group.hpp"
#include "tests/files/jitdump_file.hpp"
#include "tests/files/perfdata_file.hpp"
#include "tests/support/corpus.hpp"
#include "validator/input/zstd.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {
namespace {

using files::JitdumpFile;
using files::MonotonicFile;

constexpr uint32_t kPid = JitdumpFile::kPid;
const std::string kDump = "jit-" + std::to_string(kPid) + ".dump";

struct OwnedFile {
    std::string name, bytes;
};

std::vector<GroupFile> views_of(const std::vector<OwnedFile>& owned) {
    std::vector<GroupFile> files;
    for (const OwnedFile& one : owned) files.push_back({one.name, as_bytes(one.bytes)});
    return files;
}

// The files of every pair and exhibit of the corpus.
std::vector<PairFile> pairs_and_exhibits() {
    Errors errors;
    std::vector<PairFile> pairs = tested_corpus().pairs(errors);
    std::ranges::move(tested_corpus().pair_exhibits(errors), std::back_inserter(pairs));
    return pairs;
}

std::vector<GroupFile> views_of(const PairBlock& block) {
    std::vector<GroupFile> files;
    for (const PairMember& member : block.files) files.push_back({member.name, as_bytes(member.bytes)});
    return files;
}

void hold(const JudgedGroup& all, const std::vector<GroupFile>& files, const GroupLimits& limits) {
    const Complaint complaint = limits_make_up(all, files, limits);
    CHECK_MESSAGE(!complaint, *complaint);
}

// Limits on the walks, on what is compared, on both, and on records.
void hold_within_limits(const std::vector<GroupFile>& files) {
    const JudgedGroup all = judge_files(files);
    for (const uint64_t eighths : {0u, 1u, 3u, 5u, 7u}) {
        GroupLimits compared, walks, both, records;
        compared.memory = all.most_taken / 8 * eighths;
        walks.walk.memory = all.most_walk / 8 * eighths;
        both.memory = both.walk.memory = std::max(all.most_taken, all.most_walk) / 8 * eighths;
        records.walk.record = 64 * eighths;
        for (const GroupLimits& limits : {compared, walks, both, records}) hold(all, files, limits);
    }
}

TEST_CASE("siblings: within limits less is said of every pair, and why") {
    size_t count = 0;
    for (const PairFile& pair : pairs_and_exhibits()) {
        CAPTURE(pair.path);
        for (const PairBlock& block : pair.blocks) {
            CAPTURE(block.title);
            hold_within_limits(views_of(block));
            ++count;
        }
    }
    CHECK(count >= 68);
}

TEST_CASE("siblings: the oracle for groups holds for mutants of every pair") {
    uint64_t seed = 0;
    for (const PairFile& pair : pairs_and_exhibits()) {
        CAPTURE(pair.path);
        for (const PairBlock& block : pair.blocks) {
            CAPTURE(block.title);
            for (int i = 0; i < 3; ++i) {
                CAPTURE(++seed);
                const MutatedGroup group = mutated(views_of(block), seed);
                const Complaint complaint = group_holds(group.files, seed);
                CHECK_MESSAGE(!complaint, *complaint);
            }
        }
    }
}

std::string small_dump() {
    std::string bytes;
    JitdumpFile({kNone, nullptr, &bytes}).load_record(0x100000, 16, 0, "f");  // written when it is destroyed
    return bytes;
}

// `ids` of its event; `is_mapped`: it maps the dump.
std::string small_recording(uint64_t ids, bool is_mapped) {
    std::string bytes;
    {
        MonotonicFile file(bytes, kPid);
        file.event(1, ids);
        file.comm(500'000, true);
        if (is_mapped) file.mapping("/tmp/" + kDump, 600'000, 0x7000000);
        file.mapping("//anon", 700'000);
        for (uint64_t i = 0; i < 30; ++i) file.sampled(0x100000, 1'100'000 + i);
    }
    return bytes;
}

std::vector<std::string> rules_in(const JudgedGroup& group) {
    std::vector<std::string> rules;
    for (const auto& outcome : group.outcomes)
        for (const Diagnostic& finding : outcome->report().diagnostics())
            if (finding.rule->id.starts_with("siblings/")) rules.emplace_back(finding.rule->id);
    std::ranges::sort(rules);
    return rules;
}

// The ids of the event do not fit into the memory, so the walk cannot decide which records belong to it.
TEST_CASE("siblings: a recording whose attributes do not fit into the memory lacks nothing") {
    struct Row {
        OwnedFile beside;
        std::vector<std::string> without_limit;
    };
    const Row rows[] = {
        {{kDump, small_dump()}, {"siblings/inject-not-done", "siblings/pipe-not-injected"}},
        {{"perf-" + std::to_string(kPid) + ".map", "100000 10 f\n"}, {"siblings/dump-not-given"}},
    };
    for (const Row& row : rows) {
        const std::vector<OwnedFile> owned = {{"perf.data", small_recording(3000, true)}, row.beside};
        const std::vector<GroupFile> files = views_of(owned);
        CHECK((rules_in(judge_files(files)) == row.without_limit));
        GroupLimits limits;
        limits.memory = limits.walk.memory = 60'000;
        const JudgedGroup limited = judge_files(files, limits);
        const std::vector<std::string> found = rules_in(limited);
        CHECK(std::ranges::count(found, "siblings/tracking-limit") == std::ssize(found));
        CHECK_FALSE(found.empty());
        CHECK(limited.limit_hit);
        hold_within_limits(files);
    }
}

// The container's limit cuts the walk short, which sees it as the end of the file.
TEST_CASE("siblings: within limits less is said of pairs in containers, and why") {
    for (const bool is_mapped : {false, true}) {
        const std::string recording = small_recording(1, is_mapped), dump = small_dump();
        std::vector<std::vector<OwnedFile>> groups = {
            {{"perf.data.gz", gzip_member(recording)}, {kDump + ".gz", gzip_member(dump)}, {"perf-9.map", "1 1 a\n"}}};
        if (has_zstd()) {
            const ZstdPacking packing{.has_size = false};
            groups.push_back({{"perf.data.zst", zstd_frame(recording, packing)}, {kDump, dump}});
            groups.push_back({{"perf.data", recording}, {kDump + ".zst", zstd_frame(dump, packing)}});
            groups.push_back(
                {{"perf.data", recording}, {kDump + ".zst", zstd_frame(dump, packing)}, {"perf-9.map", "1 1 a\n"}});
        }
        for (const std::vector<OwnedFile>& group : groups) hold_within_limits(views_of(group));
    }
}

// Whether the recording misses a dump, which is there and says nothing.
struct Missing {
    bool is_reported = false, is_limit_named = false;
};
Missing missing_dump(FactParts lost, bool is_partial) {
    const std::string recording = small_recording(1, true);
    const std::vector<GroupFile> files = {
        {"perf.data", as_bytes(recording)}, {kDump, {}}, {"perf-9.map", as_bytes(std::string_view("1 1 a\n"))}};
    Budget budget(Limits{}.memory);
    std::vector<std::unique_ptr<Facts>> facts;
    std::vector<Report> reports(files.size());
    std::vector<GroupMember> members;
    for (size_t i = 0; i < files.size(); ++i) {
        facts.push_back(std::make_unique<Facts>(budget));
        CheckOptions options;
        options.file_name = files[i].name;
        options.facts = facts[i].get();
        MemorySource source(files[i].bytes);
        (void)check(source, options);
        members.push_back({files[i].name, facts[i].get(), &reports[i]});
    }
    facts[1]->lose(lost);
    GroupCheck group(members, budget, 0);
    group.is_partial = is_partial;
    judge_group(group);
    Missing missing{.is_limit_named = group.limit_hit};
    for (const auto& [rule, count] : reports[0].counts())
        missing.is_reported |= rule == "siblings/dump-not-given" && count != 0;
    return missing;
}

TEST_CASE("siblings: a dump is not missing because a limit hides what it is") {
    const Missing empty = missing_dump(0, false);
    CHECK(empty.is_reported);
    CHECK_FALSE(empty.is_limit_named);
    for (const Missing& one : {missing_dump(kLimitedParts, false), missing_dump(0, true)}) {
        CHECK_FALSE(one.is_reported);
        CHECK(one.is_limit_named);
    }
}

// Recordings and dumps of the same run.
std::vector<OwnedFile> many(size_t recordings, size_t dumps, bool is_mapped) {
    std::vector<OwnedFile> owned;
    const std::string recording = small_recording(1, is_mapped), dump = small_dump();
    for (size_t i = 0; i < recordings; ++i) owned.push_back({"perf-" + std::to_string(i) + ".data", recording});
    for (size_t i = 0; i < dumps; ++i) owned.push_back({std::to_string(i) + "/" + kDump, dump});
    return owned;
}

TEST_CASE("siblings: very many files are compared with those that they belong to") {
    struct Row {
        size_t recordings, dumps;
        bool is_mapped, is_found;
        size_t pairings;
        bool limit_hit;
    };
    constexpr Row kRows[] = {
        {64, 64, false, false, 4096, false},  {65, 64, false, false, 64, true},
        {4200, 1, false, false, 4200, false}, {20, 300, true, true, 4800, true},  // 16 of 20 that fit
        {12, 20, true, true, 240, false},
    };
    for (const Row& row : kRows) {
        CAPTURE(row.recordings);
        CAPTURE(row.dumps);
        const std::vector<OwnedFile> owned = many(row.recordings, row.dumps, row.is_mapped);
        const std::vector<GroupFile> files = views_of(owned);
        GroupLimits limits;
        limits.is_found = row.is_found;
        const JudgedGroup judged = judge_files(files, limits, kShownPerRule);
        const auto compared = std::ranges::count_if(
            judged.pairings, [](const GroupCheck::Paired& one) { return one.pairing.is_compared; });
        CHECK(static_cast<size_t>(compared) == row.pairings);
        CHECK(judged.limit_hit == row.limit_hit);
        CHECK(std::ranges::binary_search(rules_in(judged), "siblings/tracking-limit") == row.limit_hit);
    }
}

TEST_CASE("siblings: every rule about files names the facts that it needs") {
    for (const GroupGrammar* one : group_grammars())
        for (const Rule* rule : rules_of(*one->grammar))
            CHECK_MESSAGE((rule->needs != 0) == !is_tracking_limit(*rule), rule->id);
}

}  // namespace
}  // namespace tracelint
