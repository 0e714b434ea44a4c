// What scripts/bench measures: its large files are as healthy as the real ones that they repeat, and the bare loops
// find every record of them.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/bench/bare_loops.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kBytes = 3 << 20;  // more than one repetition, and more than one window

struct RealShape {
    const char* name;
    const char* format;
    void (*write)(const files::Target& to);
    uint64_t warnings_of_each = 0;  // in the real file
    const char* counted = "records";
};

constexpr RealShape kShapes[] = {
    {"Erlang", "jitdump", bench::erlang},
    {"Node", "jitdump", bench::node},
    {"Java", "jitdump", bench::java, 1},
    {"WebKit", "jitdump", bench::webkit},
    {"XRay", "xray", bench::xray_threads},
    {"gperftools", "gperftools", bench::samples},
    {"calls of Mono", "mlpd", bench::mono_calls},
    {"runs of Mono", "mlpd", bench::mono_runs},
    {"perf.data", "perfdata", bench::recording},
    {"heap of Go", "pprof", bench::heap_samples},
    {"events of .NET", "nettrace", bench::dotnet_events, 0, "events"},
};

// The corpus is looked for in the current folder.
class InRoot {
  public:
    InRoot() { std::filesystem::current_path(paths::root()); }
    InRoot(const InRoot&) = delete;
    InRoot& operator=(const InRoot&) = delete;
    ~InRoot() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_ = std::filesystem::current_path();
};

std::string content_of(const RealShape& shape) {
    const InRoot in_root;
    std::string content;
    shape.write({kBytes, nullptr, &content});
    return content;
}

uint64_t statistic(const Outcome& outcome, std::string_view name) {
    const auto& all = outcome.context.statistics;
    const auto found = std::ranges::find(all, name, &std::pair<std::string_view, uint64_t>::first);
    return found == all.end() ? 0 : found->second;
}

}  // namespace

TEST_CASE("files that repeat real ones are healthy, and the bare loops find their records") {
    for (const RealShape& shape : kShapes) {
        CAPTURE(shape.name);
        const std::string content = content_of(shape);
        CHECK(content.size() >= kBytes);
        MemorySource source(as_bytes(content));
        const Outcome outcome = check(source, {});
        REQUIRE(outcome.format != nullptr);
        CHECK(outcome.format->id == shape.format);
        CHECK(outcome.report().count(Severity::error) == 0);
        CHECK(outcome.report().count(Severity::warning) <= shape.warnings_of_each * content.size() / 300'000);
        CHECK_FALSE(outcome.context.limit_hit);

        const ScratchFile file(content);
        const uint64_t records = bench::bare_sum(file.path().c_str()).records;
        CHECK(records == statistic(outcome, shape.counted) - statistic(outcome, "buffer"));
    }
}

}  // namespace tracelint
