// Merging parts of many files takes no more memory than merging those of few.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

// The most memory that merging a part of so many files takes, in KiB.
long memory_of_merging(const Workplace& run, int files, const std::string& outputs) {
    const std::string name = std::to_string(files);
    if (!fs::exists(run / name)) {
        fs::create_directories(run / "same");
        write(run / "same/0", cut());
        std::string manifest;
        for (int i = 0; i < files; ++i) {
            const std::string path = "same/" + std::to_string(i);
            if (!fs::exists(run / path)) fs::create_hard_link(run / "same/0", run / path);
            manifest += path + '\n';
        }
        write(run / "m", manifest);
        CHECK(run("--manifest m --exit-zero --output ndjson=" + name).status == 0);
    }
    const pid_t child = run.start("exec \"$T\" merge --exit-zero " + name + ' ' + outputs + " >/dev/null");
    struct rusage used{};
    int status = 0;
    REQUIRE(wait4(child, &status, 0, &used) == child);
    CHECK(status == 0);
    return used.ru_maxrss;
}

#if defined(__has_feature)
#define TRACELINT_KEEPS_FREED_MEMORY __has_feature(address_sanitizer)
#else
#define TRACELINT_KEEPS_FREED_MEMORY 0
#endif

TEST_CASE("the memory of merging does not grow with the number of files") {
    if (TRACELINT_KEEPS_FREED_MEMORY) {
        MESSAGE("left out: AddressSanitizer keeps what is freed");
        return;
    }
    const Workplace run;
    for (const char* outputs :
         {"", "--output ndjson=/dev/null", "--output sarif=/dev/null", "--output junit=/dev/null"}) {
        CAPTURE(std::string(outputs));
        // Some writers fill a buffer of megabytes first.
        const long few = memory_of_merging(run, 10'000, outputs), many = memory_of_merging(run, 20'000, outputs);
        CHECK(few > 0);
        CHECK(many < few + 2048);
    }
}

}  // namespace
}  // namespace tracelint
