#include "tests/support/oracle_files.hpp"

#include <algorithm>
#include <cstdlib>

#include "fuzz/soak.hpp"
#include "validator/input/gzip.hpp"

namespace tracelint {

uint64_t seeds(uint64_t usual) {
    const char* value = std::getenv("TRACELINT_SEEDS");
    if (value == nullptr) return usual;
    const bool is_factor = *value == 'x';
    const uint64_t number = std::max<uint64_t>(1, std::strtoull(value + (is_factor ? 1 : 0), nullptr, 0));
    return is_factor ? usual * number : number;
}

bool is_sampled(uint64_t number, uint64_t of) { return number % of < seeds(1); }

uint64_t following(uint64_t number, uint64_t first) { return number + 1 + number / seeds(first); }

void hold(const Complaint& complaint) {
    if (complaint) FAIL_CHECK(*complaint);
}

std::string generated_bytes(const Format& format, uint64_t seed) {
    const FileRecords file = generate(format, nth_file(seed));
    return bytes_of(file);
}

std::string unpacked(std::string_view packed) {
    MemorySource source(as_bytes(packed));
    GzipSource gzip(source);
    std::string bytes;
    uint8_t piece[4096];
    while (const size_t size = gzip.read(piece, sizeof piece)) bytes += as_text({piece, size});
    return bytes;
}

std::vector<NamedBytes> corpus_bytes(const Format& format) {
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
