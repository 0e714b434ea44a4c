// tracelint_seeds CORPUS DIR: writes DIR/<format>.dict and DIR/<format>/ with what a fuzzer starts from: real and
// base files, the bytes of every case, earlier crashes, and generated files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/case_file.hpp"
#include "fuzz/dictionary.hpp"
#include "fuzz/soak.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestSeed = 64 << 10;  // larger ones only slow a fuzzer down
constexpr uint64_t kGenerated = 48;

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void write(const fs::path& path, std::string_view bytes) {
    if (bytes.size() <= kLargestSeed) std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
        if (entry.is_regular_file()) files.push_back(entry.path());
    return files;
}

void write_cases(const fs::path& corpus, const fs::path& to, Errors& errors) {
    const BaseReader base = [&](std::string_view folder, std::string_view file) {
        return read(corpus.parent_path() / folder / "base" / file);
    };
    for (const fs::path& path : files_in(corpus / "rules")) {
        const std::string named = (fs::path(corpus.filename()) / "rules" / path.filename()).string();
        const CaseFile file = read_case(read(path), named, base, errors);
        size_t number = 0;
        for (const CaseBlock& block : file.blocks) {
            const std::string name = path.stem().string() + '-' + std::to_string(number++);
            if (block.bytes.size() <= kLargestSeed) write(to / name, block.bytes.part(0, block.bytes.size()));
        }
    }
}

// `corpus`: the folder of one grammar.
void write_corpus_seeds(const fs::path& corpus, const fs::path& to, Errors& errors) {
    fs::create_directories(to);
    for (const fs::path& path : files_in(corpus / "base"))
        write(to / (corpus.filename().string() + '-' + path.stem().string()),
              read_hex(read(path), path.string(), errors).bytes);
    for (const char* kind : {"real", "crashes"})
        for (const fs::path& path : files_in(corpus / kind))
            if (path.extension() != ".findings" && path.extension() != ".md") write(to / path.filename(), read(path));
    write_cases(corpus, to, errors);
}

void write_generated_seeds(const Format& format, const fs::path& to) {
    fs::create_directories(to);
    for (uint64_t seed = 1; seed <= kGenerated; ++seed) {
        const Drafts file = generate(format, nth_file(seed));
        write(to / ("generated-" + std::to_string(seed)), bytes_of(file));
    }
}

}  // namespace
}  // namespace tracelint

int main(int argc, char** argv) {
    using namespace tracelint;
    if (argc != 3) {
        std::fputs("usage: tracelint_seeds CORPUS DIR\n", stderr);
        return 2;
    }
    const fs::path corpus = argv[1], to = argv[2];
    Errors errors;
    for (const Format* format : formats()) {
        for (const Grammar* grammar : format->grammars)
            write_corpus_seeds(corpus / grammar->id, to / format->id, errors);
        write_generated_seeds(*format, to / format->id);
        write(to / (std::string(format->id) + ".dict"), dictionary_of(*format));
    }
    for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
    return errors.empty() ? 0 : 1;
}
