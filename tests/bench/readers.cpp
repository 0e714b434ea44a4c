#include "tests/bench/readers.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "tests/bench/files.hpp"

namespace tracelint::bench {
namespace {

constexpr const char* kMinute = "60";

constexpr Reader kJitdump[] = {
    {"perf inject", "perf inject -j -o out -i", 1 * kMegabyte, true},
};
constexpr Reader kXray[] = {
    {"llvm-xray fdr-dump", "llvm-xray-19 fdr-dump", 4 * kMegabyte},
    {"llvm-xray convert", "llvm-xray-19 convert -f yaml -o /dev/null", 2 * kMegabyte},
    {"llvm-xray account", "llvm-xray-19 account -k -o /dev/null", 2 * kMegabyte},
};
constexpr Reader kGperftools[] = {
    {"Go pprof", "build/bench/go_pprof", 32 * kMegabyte},
    {"google-pprof", "google-pprof --text /bin/true", 2 * kMegabyte},
};
constexpr Reader kPprof[] = {
    {"protobuf C++", "build/bench/protobuf_pprof", 40 * kMegabyte},
    {"Go pprof", "build/bench/go_pprof", 40 * kMegabyte},
};
constexpr Reader kMlpd[] = {
    {"mprof-report", "mprof-report --reports=header", 64 * kMegabyte},
};

constexpr Reader kPerfdata[] = {
    {"perf report -D", "perf report -D -i", 8 * kMegabyte},
};

// No package has one: tests/bench/README.md says what it is.
constexpr Reader kNettrace[] = {
    {"Go dotnetdiag", "dotnetdiag-events", 64 * kMegabyte},
};

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

}  // namespace

std::span<const Reader> jitdump_readers() { return kJitdump; }
std::span<const Reader> xray_readers() { return kXray; }
std::span<const Reader> gperftools_readers() { return kGperftools; }
std::span<const Reader> pprof_readers() { return kPprof; }
std::span<const Reader> mlpd_readers() { return kMlpd; }
std::span<const Reader> perfdata_readers() { return kPerfdata; }
std::span<const Reader> nettrace_readers() { return kNettrace; }

Run read_once(const Reader& reader, const std::string& path) {
    namespace fs = std::filesystem;
    std::vector<std::string> words = words_of(std::string("timeout ") + kMinute + " " + reader.command);
    if (!reader.after_perf) {
        words.push_back(path);
        return run(words);
    }
    const std::string folder = fs::absolute(path).string() + ".perf", recording = folder + "/perf.data";
    if (!fs::exists(recording)) {
        fs::create_directories(folder);
        std::vector<std::string> record = words_of("perf record -q -k 1 -e cpu-clock -o");
        for (const std::string& word :
             {recording, fs::read_symlink("/proc/self/exe").string(), std::string("map"), path, folder})
            record.push_back(word);
        if (const Run recorded = run(record); recorded.status != 0) return recorded;
    }
    words.push_back(recording);
    return run(words, folder);
}

int map_as_code(const char* path, const char* folder) {
    const std::string name = std::string(folder) + "/jit-" + std::to_string(getpid()) + ".dump";
    std::filesystem::copy_file(path, name);
    const int file = open(name.c_str(), O_RDONLY);
    return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? 1 : 0;
}

}  // namespace tracelint::bench
