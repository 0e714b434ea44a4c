// What the tests of the oracles go through: generated files, and every file of the corpus.
#pragma once

#include <doctest/doctest.h>

#include "fuzz/soak.hpp"
#include "tests/support/corpus.hpp"
#include "validator/input/gzip.hpp"

namespace tracelint {

// TRACELINT_SEEDS=N asks for another number than usual, TRACELINT_SEEDS=xN for N times as many.
inline uint64_t seeds(uint64_t usual) {
    const char* value = std::getenv("TRACELINT_SEEDS");
    if (value == nullptr) return usual;
    const bool is_factor = *value == 'x';
    const uint64_t number = std::max<uint64_t>(1, std::strtoull(value + (is_factor ? 1 : 0), nullptr, 0));
    return is_factor ? usual * number : number;
}

inline void hold(const Complaint& complaint) {
    if (complaint) FAIL_CHECK(*complaint);
}

inline std::string generated_bytes(const Format& format, uint64_t seed) {
    const FileRecords file = generate(format, nth_file(seed));
    return bytes_of(file);
}

struct NamedBytes {
    std::string name;
    std::string bytes;
};

inline std::string unpacked(std::string_view packed) {
    MemorySource source(as_bytes(packed));
    GzipSource gzip(source);
    std::string bytes;
    uint8_t piece[4096];
    while (const size_t size = gzip.read(piece, sizeof piece)) bytes += as_text({piece, size});
    return bytes;
}

// Every file of the corpus: base files, real ones as they are and unpacked, cases, crashes.
inline std::vector<NamedBytes> corpus_bytes(const Format& format) {
    std::vector<NamedBytes> files;
    Errors errors;
    for (const auto& path : corpus_files(format, "base"))
        files.push_back({shown(path), read_hex(read_file(path).value_or(""), shown(path), errors).bytes});
    for (const char* kind : {"real", "crashes"})
        for (const auto& path : corpus_files(format, kind)) {
            if (path.extension() == ".findings" || path.extension() == ".md") continue;
            files.push_back({shown(path), *read_file(path)});
            if (path.extension() == ".gz") files.push_back({shown(path) + " unpacked", unpacked(files.back().bytes)});
        }
    for (const CaseFile& file : corpus_cases(format, errors))
        for (const CaseBlock& block : file.blocks)
            if (block.bytes.size() < kMiB)
                files.push_back({file.path + ": " + block.title, block.bytes.part(0, block.bytes.size())});
    CHECK(errors.empty());
    return files;
}

}  // namespace tracelint
