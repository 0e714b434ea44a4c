// tracelint_seeds ROOT DIR: writes DIR/<format>.dict and DIR/<format>/ with what a fuzzer starts from: real and
// base files, the bytes of every case, earlier crashes, and generated files.
#include <cstdio>

#include "fuzz/corpus_folder.hpp"
#include "fuzz/dictionary.hpp"
#include "fuzz/soak.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestSeed = 64 << 10;  // larger ones only slow a fuzzer down
constexpr uint64_t kGenerated = 48;

void write(const fs::path& path, std::string_view bytes) {
    if (bytes.size() <= kLargestSeed) std::ofstream(path, std::ios::binary) << bytes;
}

void write_cases(const std::vector<CaseFile>& cases, const fs::path& to) {
    for (const CaseFile& file : cases) {
        size_t number = 0;
        for (const CaseBlock& block : file.blocks) {
            const std::string name = slug_of(file) + '-' + std::to_string(number++);
            if (block.bytes.size() <= kLargestSeed) write(to / name, block.bytes.part(0, block.bytes.size()));
        }
    }
}

void write_corpus_seeds(const CorpusFolder& corpus, const Format& format, const fs::path& to, Errors& errors) {
    fs::create_directories(to);
    for (const fs::path& path : corpus.files(format, "base", ".hex"))
        write(to / (path.parent_path().parent_path().filename().string() + '-' + path.stem().string()),
              read_hex(read_file(path).value_or(""), path.string(), errors).bytes);
    for (const char* kind : {"real", "crashes"})
        for (const fs::path& path : corpus.files(format, kind))
            if (path.extension() != ".findings" && path.extension() != ".md")
                write(to / path.filename(), read_file(path).value_or(""));
    write_cases(corpus.cases(format, errors), to);
    write_cases(corpus.exhibits(format, errors), to);
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
        std::fputs("usage: tracelint_seeds ROOT DIR\n", stderr);
        return 2;
    }
    const CorpusFolder corpus(argv[1]);
    const fs::path to = argv[2];
    Errors errors;
    for (const Format* format : formats()) {
        write_corpus_seeds(corpus, *format, to / format->id, errors);
        write_generated_seeds(*format, to / format->id);
        write(to / (std::string(format->id) + ".dict"), dictionary_of(*format));
    }
    for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
    return errors.empty() ? 0 : 1;
}
