// Files that are still being written, checked with `growing`: whatever the place that the writer has come to, nothing
// is reported for what is not there yet.
#include <doctest/doctest.h>

#include "fuzz/oracles.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/input/input_rules.hpp"

namespace tracelint {
namespace {

constexpr size_t kSmall = 512;
constexpr uint64_t kCuts = 40;  // of a file that is larger

void hold_while_growing(const Format& format, const std::string& name, Bytes bytes) {
    CAPTURE(name);
    const uint64_t step = bytes.size() <= kSmall ? 1 : bytes.size() / kCuts;
    for (uint64_t cut = 0; cut < bytes.size(); cut += step) {
        const Complaint complaint = growing(format, bytes, cut);
        CHECK_MESSAGE(!complaint, *complaint);
    }
}

}  // namespace

TEST_CASE("no file of a real producer has a fault while it grows") {
    for (const Format* format : tested_formats())
        for (const auto& path : corpus_files(*format, "real")) {
            if (path.extension() == ".findings") continue;
            const std::string bytes = read_file(path).value_or("");
            hold_while_growing(*format, shown(path), as_bytes(bytes));
        }
}

TEST_CASE("no base file has a fault while it grows") {
    for (const Format* format : tested_formats()) {
        Errors errors;
        for (const auto& path : corpus_files(*format, "base", ".hex")) {
            const std::string bytes = read_hex(read_file(path).value_or(""), shown(path), errors).bytes;
            hold_while_growing(*format, shown(path), as_bytes(bytes));
        }
        REQUIRE(errors.empty());
    }
}

TEST_CASE("no generated file has a fault while it grows") {
    for (const Format* format : tested_formats())
        for (uint64_t seed = 1; seed <= 10; ++seed)
            hold_while_growing(*format, "seed " + std::to_string(seed), as_bytes(generated_bytes(*format, seed)));
}

}  // namespace tracelint
