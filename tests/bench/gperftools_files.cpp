// gperftools CPU profiles: realistic chains, and files that are hard on what remembers addresses and mappings.
#include <array>
#include <vector>

#include "tests/bench/output_file.hpp"

namespace tracelint::bench {
namespace {

constexpr uint64_t kProgram = 0x555555000000;
constexpr uint64_t kPage = 4096;

class ProfileFile : public OutputFile {
  public:
    ProfileFile(const std::string& path, uint64_t bytes) : OutputFile(path, bytes) { slots({0, 3, 0, 10'000, 0}); }

    void slots(std::initializer_list<uint64_t> values) {
        for (const uint64_t value : values) number(value, 8);
    }
    void record(uint64_t count, const std::vector<uint64_t>& chain) {
        flush_if_large();
        slots({count, chain.size()});
        for (const uint64_t pc : chain) number(pc, 8);
    }
    void trailer() { slots({0, 1, 0}); }
    void mapping(uint64_t start, uint64_t end, const char* path) {
        std::array<char, 160> line;
        const int length = std::snprintf(line.data(), line.size(), "%08lx-%08lx r-xp 00000000 00:00 %-11u %s\n", start,
                                         end, 1234u, path);
        flush_if_large();
        bytes({line.data(), static_cast<size_t>(length)});
    }
};

// Stacks of a program: every function has a few call sites, so that chains share their roots and a few thousand
// addresses make up all of them.
std::vector<uint64_t> chain_of(ProfileFile& file) {
    constexpr uint64_t kFunctions = 3000, kCallees = 3;
    const uint64_t depth = 5 + file.below(56);
    std::vector<uint64_t> chain(depth);
    uint64_t function = 0;
    for (uint64_t i = depth; i-- > 0;) {
        const uint64_t site = i == 0 ? 0x40 + 4 * file.below(8) : 8 * (1 + file.below(kCallees));
        chain[i] = kProgram + function * 256 + site;
        function = (function * kCallees + site) % kFunctions;
    }
    return chain;
}

void chains(const std::string& path, uint64_t bytes) {
    ProfileFile file(path, bytes);
    while (file.wants_more()) file.record(1 + file.below(3), chain_of(file));
    file.trailer();
    file.mapping(kProgram, kProgram + 1024 * kPage, "/usr/bin/program");
    for (uint64_t i = 0; i < 60; ++i)
        file.mapping(0x7f0000000000 + 2 * i * kPage, 0x7f0000000000 + (2 * i + 1) * kPage, "/usr/lib/libsome.so.1");
}

// As many addresses as fit, each once; nothing is shared.
void addresses(const std::string& path, uint64_t bytes) {
    ProfileFile file(path, bytes);
    uint64_t next = kProgram;
    while (file.wants_more()) {
        std::vector<uint64_t> chain;
        for (int i = 0; i < 50; ++i) chain.push_back(next += 16 + 16 * file.below(200));
        file.record(1, chain);
    }
    file.trailer();
    file.mapping(kProgram, next + 16 - next % 16 + kPage - (next + 16 - next % 16) % kPage, "/usr/bin/program");
}

// Three addresses for every two mappings: 60,000 and 40,000 in 4 MB.
void mappings(const std::string& path, uint64_t bytes) {
    ProfileFile file(path, bytes);
    const uint64_t count = bytes / 100;
    const auto start_of = [](uint64_t i) { return kProgram + 2 * i * kPage; };
    for (uint64_t i = 0; i < count * 3 / 2; ++i) file.record(1, {start_of(file.below(count)) + 8 * file.below(512)});
    file.trailer();
    for (uint64_t i = 0; i < count; ++i) file.mapping(start_of(i), start_of(i) + kPage, "");
}

constexpr const char* kGo = "build/bench/go_pprof";
constexpr const char* kPerl = "google-pprof --text /bin/true";

constexpr File kFiles[] = {
    {"profile-chains",
     "chains of 5 to 60 addresses that share their roots",
     500 * kMegabyte,
     chains,
     {{{kGo, 50 * kMegabyte}, {kPerl, 4 * kMegabyte}}}},
    {"hostile-addresses", "every address once", 64 * kMegabyte, addresses, {{{kGo, 4 * kMegabyte}}}},
    {"hostile-mappings", "three addresses for two mappings", 64 * kMegabyte, mappings, {{{kGo, 4 * kMegabyte}}}},
};

}  // namespace

std::span<const File> gperftools_files() { return kFiles; }

}  // namespace tracelint::bench
