// tracelint_soak [FORMAT|groups|all [FILES-PER-FAULT [CLEAN-FILES [FIRST-SEED [ROOT]]]]]: runs a soak and prints its
// table. It builds as many groups from the pairs in ROOT/corpus as files for each fault, and checks each with and
// without limits. The exit status is 1 if a planted fault was not found, a generated file was not clean, a file with a
// fault was salvaged or shrunk wrongly, or a limit made something up.
#include "fuzz/soak.hpp"

#include <cstdio>
#include <cstdlib>

#include "fuzz/corpus_folder.hpp"

namespace tracelint {
namespace {

// Whether all went well.
bool soak_groups_of(const CorpusFolder& corpus, const SoakOptions& options) {
    Errors errors;
    std::vector<PairFile> pairs = corpus.pairs(errors);
    std::ranges::move(corpus.pair_exhibits(errors), std::back_inserter(pairs));
    std::vector<std::vector<GroupFile>> groups;
    for (const PairFile& pair : pairs)
        for (const PairBlock& block : pair.blocks) {
            groups.emplace_back();
            for (const PairMember& member : block.files) groups.back().push_back({member.name, as_bytes(member.bytes)});
        }
    const GroupSoakResult result = soak_groups(groups, options.seeds_per_fault, options.first_seed);
    std::printf("groups\ngroups of files with a change in one: %llu, not as they must be: %llu\n",
                static_cast<unsigned long long>(result.groups), static_cast<unsigned long long>(result.failed));
    for (const std::string& one : errors) std::printf("%s\n", one.c_str());
    for (const std::string& complaint : result.complaints) std::printf("%s\n", complaint.c_str());
    return errors.empty() && result.failed == 0 && result.groups != 0;
}

}  // namespace
}  // namespace tracelint

int main(int argc, char** argv) {
    using namespace tracelint;
    const auto number = [&](int at, uint64_t otherwise) {
        return argc > at ? std::strtoull(argv[at], nullptr, 0) : otherwise;
    };
    SoakOptions options;
    options.seeds_per_fault = number(2, 4000);
    options.clean_files = number(3, 100'000);
    options.first_seed = number(4, 1);
    bool failed = false;
    const auto is_wanted = [&](std::string_view name) {
        return argc <= 1 || argv[1] == std::string_view("all") || argv[1] == name;
    };
    for (const Format* format : formats()) {
        if (!is_wanted(format->id)) continue;
        const SoakResult result = soak(generator_of(*format), options);
        std::printf("%.*s\n%s", static_cast<int>(format->id.size()), format->id.data(), table_of(result).c_str());
        for (const std::string& complaint : result.complaints) std::printf("%s\n", complaint.c_str());
        failed = failed || result.not_clean != 0 || result.found() != result.planted() || result.repairs.wrong != 0;
    }
    if (is_wanted("groups")) failed |= !soak_groups_of(CorpusFolder(argc > 5 ? argv[5] : "."), options);
    return failed ? 1 : 0;
}
