#include "tests/bench/small_files.hpp"

#include <filesystem>

namespace tracelint::bench {

namespace fs = std::filesystem;

uint64_t write_small_files(const std::string& folder, unsigned count) {
    constexpr const char* kSmall[] = {
        "corpus/jitdump/real/php-8.2-stubs.dump",       "corpus/gperftools/real/libprofiler-2.10-static.prof",
        "corpus/xray/real/fdr-clang-19-threads.xray",   "corpus/mlpd/real/mono-6.8-killed-early.mlpd",
        "corpus/jitdump/real/postgresql-15.dump",       "corpus/gperftools/real/libprofiler-2.10-linked.prof",
        "corpus/xray/real/basic-clang-19-threads.xray", "corpus/xray/real/profile-clang-19.xray",
    };
    uint64_t bytes = 0;
    fs::create_directories(folder);
    for (unsigned i = 0; i < count; ++i) {
        const char* const from = kSmall[i % std::size(kSmall)];
        fs::copy_file(from, folder + "/" + std::to_string(i), fs::copy_options::overwrite_existing);
        bytes += fs::file_size(from);
    }
    return bytes;
}

}  // namespace tracelint::bench
