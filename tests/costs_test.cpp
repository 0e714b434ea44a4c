// What checking costs: work and memory of hostile files, and what is still found with half of that memory, are those
// listed in tests/costs.txt, so that a change shows what it costs. `scripts/bless` writes the list. Only builds with
// agreement checks count.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/corpus.hpp"
#include "tests/files/hostile.hpp"

#ifdef TRACELINT_AGREEMENT
namespace tracelint {
namespace {

constexpr uint64_t kSize = uint64_t{64} << 10;
const std::filesystem::path kList = kRoot / "tests" / "costs.txt";

std::string said_of(Bytes bytes, uint64_t memory, uint64_t* taken) {
    MemorySource source(bytes);
    CheckOptions options;
    options.limits.memory = memory;
    const Outcome outcome = check(source, options);
    const Inspection& inspection = outcome.inspection;
    if (taken != nullptr) *taken = inspection.budget.most_taken();
    std::string text = "work " + std::to_string(inspection.work.total()) + ", memory " +
                       std::to_string(inspection.budget.most_taken()) + ", findings " +
                       std::to_string(outcome.report().count(Severity::error)) + '/' +
                       std::to_string(outcome.report().count(Severity::warning)) + '/' +
                       std::to_string(outcome.report().count(Severity::note));
    return inspection.limit_hit ? text + ", limit hit" : text;
}

std::string costs_of(const files::HostileFile& file) {
    std::string bytes;
    file.write({kSize, nullptr, &bytes});
    uint64_t taken = 0;
    std::string text = std::string(file.name) + ": " + std::to_string(bytes.size()) + " bytes\n";
    text += "    " + said_of(as_bytes(bytes), Limits{}.memory, &taken) + '\n';
    if (taken == 0) return text;
    text += "    with half of the memory: " + said_of(as_bytes(bytes), taken / 2, nullptr) + '\n';
    return text + "    with a byte less: " + said_of(as_bytes(bytes), taken - 1, nullptr) + '\n';
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
