// perf.data: the lane of samples gives the findings, numbers and statistics that the tables give, whatever the file.
#include <doctest/doctest.h>

#include <random>

#include "fuzz/findings.hpp"
#include "grammars/perfdata/walk.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/input/window.hpp"

namespace tracelint {
namespace {

// Rules, places, numbers and statistics, as text.
std::string told(Bytes file, WalkMode mode) {
    ReportOptions all;
    all.kept_per_rule = 0;
    ValidationContext context(all, {});
    MemorySource source(file);
    Window window(source, &context.work, &context.budget);
    perfdata::validate_file(window, context, mode);
    context.report.finish();
    std::string text;
    for (const Diagnostic& d : context.report.diagnostics()) {
        text += std::string(d.rule->id) + ' ' + std::to_string(d.place.offset) + '+' + std::to_string(d.place.length) +
                ' ' + field_path(d.place) + ' ' + message_of(d) + '\n';
    }
    for (const auto& [name, number] : context.statistics)
        text += std::string(name) + ' ' + std::to_string(number) + '\n';
    return text;
}

}  // namespace

TEST_CASE("perf.data: the lane agrees with the tables on the corpus, and after each byte is changed") {
    for (const auto& [name, bytes] : corpus_bytes(*find_format("perfdata"))) {
        CAPTURE(name);
        CHECK(told(as_bytes(bytes), WalkMode::fast) == told(as_bytes(bytes), WalkMode::plain));
        if (bytes.size() > 2048) continue;
        std::mt19937_64 random(bytes.size());
        for (int round = 0; round < 40; ++round) {
            std::string changed = bytes;
            if (changed.empty()) break;
            const size_t at = random() % changed.size();
            changed[at] = static_cast<char>(random());
            CHECK(told(as_bytes(changed), WalkMode::fast) == told(as_bytes(changed), WalkMode::plain));
        }
    }
}

}  // namespace tracelint
