// perf maps: what no case can hold.
#include <doctest/doctest.h>

#include "fuzz/containers.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

std::vector<std::string> rules_found(std::string_view bytes) {
    MemorySource source(as_bytes(bytes));
    CheckOptions options;
    options.format = find_format("perfmap");
    std::vector<std::string> rules;
    const Outcome outcome = check(source, options);
    for (const Diagnostic& found : outcome.report().diagnostics()) rules.emplace_back(found.rule->id);
    return rules;
}

}  // namespace

// The rest of the line, which was lost with the end of the container, may make it sound.
TEST_CASE("perfmap: where a container is cut, its last line is not judged") {
    const struct {
        const char *line, *rule;
    } kRows[] = {
        {"110", "perfmap/truncated-last-line"},
        {"10000000000000000 10 name", "perfmap/number-too-large"},
        {" 1100 10 name", "perfmap/separator"},
        {"0x1100 10 name", "perfmap/number-prefix"},
        {"0 10 name", "perfmap/zero-address"},
        {"1100 0 name", "perfmap/zero-size"},
        {"1100 10 f", "perfmap/short-name"},
        {"1100 10 na\x01me", "perfmap/name-control"},
        {"1000 20 main", "perfmap/duplicate-line"},
        {"1010 4 name", "perfmap/overlap"},
        {"1100 10 name", "perfmap/missing-final-newline"},
    };
    for (const auto& [line, rule] : kRows) {
        CAPTURE(line);
        const std::string packed = gzip_member(std::string("1000 20 main\n") + line);
        CHECK_MESSAGE(std::ranges::count(rules_found(packed), rule) == 1, rule);
        const std::string_view cut = std::string_view(packed).substr(0, packed.size() - 4);
        CHECK(rules_found(cut) == std::vector<std::string>{"gzip/truncated"});
    }
}

}  // namespace tracelint
