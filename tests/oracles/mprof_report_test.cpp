// tracelint against mprof-report, where that is installed: what passes here without an error, it reads to its end.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "fuzz/soak.hpp"
#include "grammars/mlpd/records.hpp"
#include "tests/oracles/peer_run.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMonoSeeds = 400;
// The traces of heapshots, and strings among counters if it is verbose, are known to end it: neither is asked for.
constexpr const char* kReport = "mprof-report \"$0\"";
// What it prints when it cannot continue, sometimes with an exit status of 0.
constexpr const char* kComplaints = "Incorrect buffer id|unhandled profiler event|Not a log profiler|incorrect gc gen";

const Format& mono() { return *find_format("mlpd"); }

bool has_errors(const std::string& bytes) {
    return check_all({as_bytes(bytes), &mono()}).report().count(Severity::error) != 0;
}

bool has_mprof_report() {
    const bool is_there = is_installed("mprof-report");
    if (!is_there) skip("mprof-report is not installed");
    return is_there;
}

// Faults of mprof-report 6.8 itself (see section 6 and what the runs showed).
bool is_misread(const RecordValues& draft) {
    const uint16_t version = draft.layout.version;
    // It reads an mvid at the end of an image's unloading, and all that follows is out of step.
    if (draft.record == &mlpd::kImage && version >= 16 && draft.number("op") == 0x42) return true;
    // It reads the name of a section in versions that have none.
    if (draft.record != &mlpd::kCountersDescription || version >= 7) return false;
    return std::ranges::any_of(draft.values, [](const Value& value) {
        return value.leaf.kind == Leaf::Kind::value && value.leaf.field->name == "section" &&
               value.leaf.number == mlpd::kPerformanceCounters;
    });
}

bool is_misread(const FileRecords& file) {
    return std::ranges::any_of(file, [](const RecordValues& draft) { return is_misread(draft); });
}

// Files that it refuses, crashes on, or complains about.
std::vector<std::string> complained(const PeerRun& run) {
    std::vector<std::string> names = run.refused(kReport);
    const std::string each = "for file in *; do timeout 20 mprof-report \"$file\" 2>&1 | grep -aqE '" +
                             std::string(kComplaints) + "' && echo \"$file\"; done; true";
    for (const std::string& name : run.lines(each)) names.push_back(name);
    return names;
}

}  // namespace

TEST_CASE("mprof-report reads the real files that have no error") {
    if (!has_mprof_report()) return;
    PeerRun run;
    size_t files = 0;
    for (const std::string_view ending : {".mlpd", ".gz"})
        for (const auto& path : corpus_files(mono(), "real", ending)) {
            const std::string bytes = read_file(path).value_or("");
            if (has_errors(bytes) || is_misread(decode_file(mono(), as_bytes(bytes)))) continue;
            run.add(path.filename().string(), bytes);
            ++files;
        }
    CHECK(files > 25);
    for (const std::string& name : complained(run)) FAIL_CHECK(name);
}

TEST_CASE("mprof-report reads generated files of every version") {
    if (!has_mprof_report()) return;
    PeerRun run;
    size_t files = 0;
    for (uint64_t seed = 1; seed <= kMonoSeeds; ++seed) {
        const FileRecords file = generate(mono(), nth_file(seed));
        if (is_misread(file)) continue;
        const std::string bytes = bytes_of(file);
        CHECK(!has_errors(bytes));
        run.add(std::to_string(seed), bytes);
        ++files;
    }
    CHECK(files > kMonoSeeds / 2);
    for (const std::string& seed : complained(run)) FAIL_CHECK("seed " << seed);
}

}  // namespace tracelint
