// What checking costs: work and memory of hostile files, and what is found with none of that memory, with one to seven
// eighths of it and with all but a byte, are those listed in tests/costs.txt, so that a change shows what it costs.
// `scripts/bless` writes the list. Only builds with agreement checks count.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/corpus.hpp"
#include "tests/files/hostile.hpp"

#ifdef TRACELINT_AGREEMENT
namespace tracelint {
namespace {

constexpr uint64_t kSize = uint64_t{64} << 10;
const std::filesystem::path kList = kRoot / "tests" / "costs.txt";

Outcome check_with(Bytes bytes, uint64_t memory) {
    MemorySource source(bytes);
    CheckOptions options;
    options.limits.memory = memory;
    Outcome outcome = check(source, options);
    CHECK(outcome.context.budget.is_whole());
    return outcome;
}

std::string findings_of(const Outcome& outcome) {
    std::string text;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note})
        text += (text.empty() ? "" : "/") + std::to_string(outcome.report().count(severity));
    return text;
}

std::string costs_of(const files::HostileFile& file) {
    std::string bytes;
    file.write({kSize, nullptr, &bytes});
    const Outcome outcome = check_with(as_bytes(bytes), Limits{}.memory);
    const uint64_t memory = outcome.context.budget.most_taken();
    std::string text = std::string(file.name) + ": " + std::to_string(bytes.size()) + " bytes, work " +
                       std::to_string(outcome.context.work.total()) + ", memory " + std::to_string(memory) +
                       ", errors/warnings/notes " + findings_of(outcome) + "\n   ";
    if (memory == 0) return text + " takes no memory\n";
    for (uint64_t eighths = 0; eighths < 8; ++eighths)
        text += ' ' + findings_of(check_with(as_bytes(bytes), memory / 8 * eighths));
    return text + ' ' + findings_of(check_with(as_bytes(bytes), memory - 1)) + '\n';
}

// The list's part about a file.
std::string listed(const std::string& list, const std::string& name) {
    const size_t begin = list.find(name + ": ");
    if (begin == std::string::npos) return "(nothing)\n";
    size_t end = list.find('\n', begin) + 1;
    while (list.compare(end, 1, " ") == 0) end = list.find('\n', end) + 1;
    return list.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("hostile files cost what is listed") {
    const std::string list = read_file(kList).value_or("");
    std::string all;
    for (const files::HostileFile& file : files::all_hostile()) {
        if (!is_asked_for("TRACELINT_FILE", file.name)) continue;
        const std::string costs = costs_of(file);
        all += costs;
        if (!is_blessing())
            CHECK_MESSAGE((listed(list, file.name) == costs), "it is\n"
                                                                  << costs << "and not\n"
                                                                  << listed(list, file.name));
    }
    if (is_blessing()) write_file(kList, all);
}

}  // namespace tracelint
#endif
