// All that can be asked of a file, over the corpus and over hostile files: within one budget of work. The fuzz target
// of the same name begins with all files of the corpus.
#include <doctest/doctest.h>

#include "fuzz/tool/everything_oracle.hpp"
#include "tests/files/hostile.hpp"
#include "tests/support/corpus.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kSmallInput = uint64_t{64} << 10;

void hold_everything(const std::string& name, Bytes bytes) {
    CAPTURE(name);
    hold(everything(bytes));
}

TEST_CASE("all that can be asked of a file of the corpus is answered within one budget of work") {
#ifndef TRACELINT_AGREEMENT
    return skip("work is not counted in this build");
#endif
    for (const Format* format : tested_formats()) {
        uint64_t number = 0;
        for (const char* folder : {"real", "crashes"})
            for (const auto& path : corpus_files(*format, folder)) {
                if (path.extension() == ".findings" || !is_sampled(number++, 4)) continue;
                const std::string bytes = read_file(path).value_or("");
                if (bytes.size() <= kSmallInput) hold_everything(shown(path), as_bytes(bytes));
            }
        Errors errors;
        for (const CaseFile& file : corpus_cases(*format, errors)) {
            const CaseBlock& violation = file.blocks.front();
            if (violation.bytes.size() > kSmallInput || !is_sampled(number++, 4)) continue;
            const std::string bytes = violation.bytes.part(0, violation.bytes.size());
            hold_everything(file.path, as_bytes(bytes));
        }
    }
}

TEST_CASE("all that can be asked of a hostile file is answered within one budget of work") {
#ifndef TRACELINT_AGREEMENT
    return skip("work is not counted in this build");
#endif
    for (const files::HostileFile& file : files::all_hostile()) {
        std::string bytes;
        file.write({kSmallInput / 8, nullptr, &bytes});  // a dump writes hundreds of times as much
        hold_everything(file.name, as_bytes(bytes));
    }
}

}  // namespace
}  // namespace tracelint
