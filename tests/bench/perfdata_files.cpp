// perf.data.
#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"

namespace tracelint::bench {
namespace {

const File kFiles[] = {
    {"real-perf-data", "samples with call chains, as a stream", 1000 * kMegabyte, recording, perfdata_readers()},
};

}  // namespace

std::span<const File> perfdata_files() { return kFiles; }

}  // namespace tracelint::bench
