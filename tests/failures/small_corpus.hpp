// Files to let something fail over: all base files, small real ones, and each format in a container.
#pragma once

#include "fuzz/containers.hpp"
#include "tests/support/corpus.hpp"
#include "validator/input/zstd.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

struct SampleFile {
    std::string name;
    std::string bytes;
};

inline std::vector<SampleFile> small_corpus(size_t most_bytes) {
    std::vector<SampleFile> files;
    Errors errors;
    for (const Format* format : formats()) {
        for (const auto& path : corpus_files(*format, "base", ".hex"))
            files.push_back({shown(path), read_hex(read_file(path).value_or(""), shown(path), errors).bytes});
        const SampleFile last = files.back();
        files.push_back({last.name + " in gzip", gzip_member(last.bytes)});
        if (has_zstd()) files.push_back({last.name + " in zstd", zstd_frame(last.bytes)});
        for (const auto& path : corpus_files(*format, "real")) {
            if (path.extension() == ".findings" || file_size(path) > most_bytes) continue;
            files.push_back({shown(path), *read_file(path)});
        }
    }
    REQUIRE(errors.empty());
    return files;
}

}  // namespace tracelint
