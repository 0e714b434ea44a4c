// The museum: faults that shipped. Each case says what happened, where it was reported and whom it cost something; the
// file beside it has its bytes, so that any reader can be tried on it.
#include <doctest/doctest.h>

#include "tests/support/case_check.hpp"
#include "tests/support/corpus.hpp"
#include "validator/generator/conformance.hpp"

namespace tracelint {
namespace {

constexpr size_t kFewest = 25;

std::vector<CaseFile> exhibits_of(const Format& format, Errors& errors) {
    return CorpusFolder(kRoot).exhibits(format, errors);
}

std::filesystem::path file_beside(const Format& format, const CaseFile& exhibit) {
    return (kRoot / exhibit.path).parent_path() / exhibit_name(format, exhibit);
}

}  // namespace

TEST_CASE("every exhibit can be read, has its story, and gives exactly the findings that it expects") {
    size_t count = 0;
    for (const Format* format : formats()) {
        Errors errors;
        for (const CaseFile& exhibit : exhibits_of(*format, errors)) {
            ++count;
            CHECK_MESSAGE(!exhibit.report.empty(), exhibit.path << ": there is no `# report:` line");
            CHECK_MESSAGE(!exhibit.cost.empty(), exhibit.path << ": there is no `# cost:` line");
            CHECK_MESSAGE(exhibit.blocks[0].is_violation, exhibit.path << ": the exhibit comes first");
            for (const CaseBlock& block : exhibit.blocks) {
                CHECK_MESSAGE((block.is_violation == (&block == &exhibit.blocks[0])), headline(exhibit, block));
                check_findings(exhibit, block);
            }
        }
        for (const std::string& error : errors) FAIL_CHECK(error);
    }
    CHECK(count >= kFewest);
}

TEST_CASE("the file beside an exhibit's case has its bytes") {
    for (const Format* format : formats()) {
        Errors errors;
        for (const CaseFile& exhibit : exhibits_of(*format, errors)) {
            const SparseBytes& bytes = exhibit.blocks[0].bytes;
            REQUIRE(bytes.zeros == 0);
            const auto path = file_beside(*format, exhibit);
            if (is_blessing()) write_file(path, bytes.head);
            CHECK_MESSAGE((read_file(path) == bytes.head), shown(path) << " differs, or is missing: scripts/bless");
        }
    }
}

}  // namespace tracelint
