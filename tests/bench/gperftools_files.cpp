// gperftools CPU profiles: realistic call chains, and hostile files.
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/profile_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

// Call stacks of a program. Every function has a few call sites, so chains share their roots and consist of a few
// thousand addresses.
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

void chains(const Target& to) {
    ProfileFile file(to);
    while (file.wants_more()) file.record(1 + file.below(3), chain_of(file));
    file.trailer();
    file.mapping(kProgram, kProgram + 1024 * kPage, "/usr/bin/program");
    for (uint64_t i = 0; i < 60; ++i)
        file.mapping(0x7f0000000000 + 2 * i * kPage, 0x7f0000000000 + (2 * i + 1) * kPage, "/usr/lib/libsome.so.1");
}

const File kFiles[] = {
    {"real-gperftools", "samples of two threads", 256 * kMegabyte, samples, gperftools_readers()},
    {"profile-chains", "chains of 5 to 60 addresses that share their roots", 500 * kMegabyte, chains,
     gperftools_readers()},
    hostile("gperftools-addresses"),
    hostile("gperftools-mappings"),
    hostile("gperftools-scattered"),
};

}  // namespace

std::span<const File> gperftools_files() { return kFiles; }

}  // namespace tracelint::bench
