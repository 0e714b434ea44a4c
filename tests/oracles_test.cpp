// The oracles over fixed seeds and over the whole corpus: what the fuzz targets ask for hours, asked for seconds,
// so that they never rot. TRACELINT_SEEDS=N asks for more.
#include <doctest/doctest.h>

#include "fuzz/command_line_oracle.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/random.hpp"
#include "fuzz/soak.hpp"
#include "fuzz/writers_oracle.hpp"
#include "tests/corpus.hpp"
#include "validator/gzip.hpp"

namespace tracelint {
namespace {

uint64_t seeds(uint64_t usual) {
    const char* wish = std::getenv("TRACELINT_SEEDS");
    return wish == nullptr ? usual : std::max<uint64_t>(1, std::strtoull(wish, nullptr, 0));
}

void hold(const Complaint& complaint) {
    if (complaint) FAIL_CHECK(*complaint);
}

std::string generated_bytes(const Format& format, uint64_t seed) {
    const Drafts file = generate(format, nth_file(seed));
    return bytes_of(file);
}

struct NamedBytes {
    std::string name;
    std::string bytes;
};

std::string unpacked(std::string_view packed) {
    MemorySource source(as_bytes(packed));
    GzipSource gzip(source);
    std::string bytes;
    uint8_t piece[4096];
    while (const size_t size = gzip.read(piece, sizeof piece)) bytes += as_text({piece, size});
    return bytes;
}

// Every file of the corpus: base files, real ones as they are and unpacked, cases, crashes.
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

// All oracles that any bytes must pass, a few draws each.
void hold_for_bytes(const Format& format, Bytes bytes, uint64_t seed) {
    Random random(seed);
    const Input input{bytes, random() % 2 == 0 ? nullptr : &format};
    hold(never_crash(input));
    hold(chunks_agree(input, random()));
    hold(round_trip(format, bytes));
    hold(prefix(format, bytes, random() % (bytes.size() + 1)));
    hold(recognition(bytes, random()));
    hold(container(input, random()));
}

TEST_CASE("generated files are clean, and read as they were written") {
    for (const Format* format : formats())
        for (uint64_t seed = 1; seed <= seeds(400); ++seed) hold(generated_is_sound(*format, nth_file(seed)));
}

TEST_CASE("generated files of both byte orders have the same findings") {
    for (const Format* format : formats())
        for (uint64_t seed = 1; seed <= seeds(300); ++seed) hold(mirrored(*format, nth_file(seed)));
}

TEST_CASE("generated and mutated files pass every oracle") {
    for (const Format* format : formats())
        for (uint64_t seed = 1; seed <= seeds(300); ++seed) {
            CAPTURE(seed);
            const std::string bytes = generated_bytes(*format, seed);
            hold_for_bytes(*format, as_bytes(bytes), seed);
            hold(mirrored_file(*format, as_bytes(bytes)));
            const std::string broken = mutated(*format, as_bytes(bytes), seed);
            hold_for_bytes(*format, as_bytes(broken), seed);
            hold_for_bytes(*format, as_bytes(spliced(*format, as_bytes(broken), as_bytes(bytes), seed)), seed);
        }
}

TEST_CASE("the corpus passes every oracle, whole and mutated") {
    for (const Format* format : formats())
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            CAPTURE(name);
            hold_for_bytes(*format, as_bytes(bytes), bytes.size());
            hold(mirrored_file(*format, as_bytes(bytes)));
            if (bytes.size() > 20'000) continue;
            for (uint64_t seed = 1; seed <= 2; ++seed)
                hold_for_bytes(*format, as_bytes(mutated(*format, as_bytes(bytes), seed)), seed);
        }
}

TEST_CASE("every output of every writer parses") {
    const std::vector<std::string> paths = {"a.dump", "-", "a\n\x1b[31m\xff\"\\.dump", std::string("\0", 1), ""};
    for (const Format* format : formats()) {
        uint64_t number = 0;
        for (const auto& [name, bytes] : corpus_bytes(*format)) {
            if (bytes.size() > 20'000) continue;
            CAPTURE(name);
            hold(writers({as_bytes(bytes), nullptr}, paths[number++ % paths.size()]));
        }
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            hold(writers({as_bytes(mutated(*format, as_bytes(bytes), seed)), format}, paths[seed % paths.size()]));
        }
    }
}

TEST_CASE("any words give options, an answer or an error") {
    std::vector<std::string> known = {"-",         "--",        "",         "a.dump", "--as", "--output",     "json=x",
                                      "--fail-on", "--select",  "-j",       "0",      "64K",  "--max-record", "--help",
                                      "-o",        "--violate", "\x1b[31m", "\xff"};
    for (const std::string_view command : command_names()) known.emplace_back(command);
    for (const Format* format : formats()) known.emplace_back(format->id);
    for (const Option* option : all_options()) known.push_back("--" + std::string(option->name));
    Random random(1);
    for (uint64_t left = seeds(1000); left > 0; --left) {
        std::vector<std::string> words;
        for (uint64_t count = below(random, 6); count > 0; --count) words.push_back(pick_of(random, known));
        CAPTURE(words);
        hold(command_line(words));
    }
}

#ifdef TRACELINT_AGREEMENT
TEST_CASE("reads by name equal those of the table interpreter") {
    for (const Format* format : formats())
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            const std::string bytes = generated_bytes(*format, seed);
            hold(fast_equals_plain({as_bytes(bytes), format}));
        }
}
#endif

}  // namespace
}  // namespace tracelint
