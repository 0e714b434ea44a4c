#include "tests/bench/small_files.hpp"

#include <filesystem>

namespace tracelint::bench {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMixed[] = {
    "corpus/jitdump/real/php-8.2-stubs.dump",       "corpus/gperftools/real/libprofiler-2.10-static.prof",
    "corpus/xray/real/fdr-clang-19-threads.xray",   "corpus/mlpd/real/mono-6.8-killed-early.mlpd",
    "corpus/jitdump/real/postgresql-15.dump",       "corpus/gperftools/real/libprofiler-2.10-linked.prof",
    "corpus/xray/real/basic-clang-19-threads.xray", "corpus/xray/real/profile-clang-19.xray",
};
constexpr const char* kProfiles[] = {
    "corpus/pprof/real/go-1.19.8-cpu.pprof",
    "corpus/pprof/real/go-1.19.8-heap.pprof",
    "corpus/pprof/real/go-1.19.8-goroutine.pprof",
    "corpus/pprof/real/pprof-format-2.3.2.pprof",
};

constexpr SmallFiles kSmallFiles[] = {
    {"small-file", 1, kMixed},
    {"small-files-10000", 10'000, kMixed},
    {"small-profiles-10000", 10'000, kProfiles},
};

}  // namespace

std::span<const SmallFiles> all_small_files() { return kSmallFiles; }

uint64_t write_small_files(const std::string& folder, const SmallFiles& files) {
    uint64_t bytes = 0;
    fs::create_directories(folder);
    for (unsigned i = 0; i < files.count; ++i) {
        const char* const from = files.sources[i % files.sources.size()];
        fs::copy_file(from, folder + "/" + std::to_string(i), fs::copy_options::overwrite_existing);
        bytes += fs::file_size(from);
    }
    return bytes;
}

}  // namespace tracelint::bench
