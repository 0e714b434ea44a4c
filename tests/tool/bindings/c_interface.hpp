// What the tests of the C interface share.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "fuzz/c_interface_oracle.hpp"
#include "tests/support/oracle_files.hpp"

namespace tracelint {

inline const std::string kTrace = (kRoot / "corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump").string();

inline std::vector<std::string> real_files() {
    std::vector<std::string> files;
    for (const Format* format : formats())
        for (const auto& path : CorpusFolder(kRoot).files(*format, "real", {}))
            if (path.extension() != ".findings" && path.extension() != ".md") files.push_back(path.string());
    return files;
}

template <class Struct>
Struct sized() {
    Struct value{};
    value.size = sizeof value;
    return value;
}

// Frees its report at the end.
struct Held {
    ~Held() { tracelint_report_free(report); }
    tracelint_report* report = nullptr;
};

inline std::string json_of(const tracelint_report* report, const char* path = nullptr) {
    const char* json = nullptr;
    size_t length = 0;
    REQUIRE(tracelint_report_json(report, path, &json, &length) == TRACELINT_OK);
    CHECK(std::strlen(json) == length);
    return json;
}

}  // namespace tracelint
