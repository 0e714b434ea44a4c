#include "tests/bench/comparison.hpp"

#include <algorithm>
#include <filesystem>

namespace tracelint::bench {
namespace {

constexpr int kRuns = 7;
constexpr int kTimedOut = 124, kNotFound = 127;  // of timeout(1)

void add(Measured& to, const Run& run) {
    to.seconds.push_back(std::max(run.seconds, 1e-6));
    to.megabytes = std::max(to.megabytes, run.megabytes);
    to.status = run.status;
}

void run_both(Comparison& comparison, const Programs& programs, const std::string& path) {
    add(comparison.bare_loop, run(std::vector<std::string>{programs.bare_loop, "bare-loop", path}));
    add(comparison.tracelint, run(std::vector<std::string>{programs.tracelint, "--quiet", path}));
}

// A file of the kind with about `bytes` bytes. It is written by a process of its own, whose memory does not count for
// the processes that are measured later.
std::string made(const File& file, uint64_t bytes, const Programs& programs, const std::string& folder) {
    std::string path = folder + "/" + file.name + "-" + std::to_string(bytes / kMegabyte) + ".trace";
    if (!std::filesystem::exists(path))
        run(std::vector<std::string>{programs.bare_loop, "write", file.name, path, std::to_string(bytes)});
    return path;
}

}  // namespace

double Measured::best() const { return *std::ranges::min_element(seconds); }

std::string ReaderResult::reason() const {
    switch (measured.status) {
        case kNotFound: return "absent";
        case kTimedOut: return "out of time after a minute";
        default: return reader->after_perf ? "fails, or perf events are not permitted" : "fails";
    }
}

double Comparison::median_share() const {
    std::vector<double> shares;
    for (size_t i = 0; i < tracelint.seconds.size(); ++i) shares.push_back(bare_loop.seconds[i] / tracelint.seconds[i]);
    std::ranges::sort(shares);
    return shares[shares.size() / 2];
}

const ReaderResult* Comparison::fastest() const {
    const ReaderResult* fastest = nullptr;
    for (const ReaderResult& result : readers)
        if (result.is_read() && (fastest == nullptr || lead_over(result) < lead_over(*fastest))) fastest = &result;
    return fastest;
}

Comparison compare(const File& file, const Programs& programs, const std::string& folder) {
    Comparison comparison;
    const std::string path = made(file, file.bytes, programs, folder);
    comparison.tracelint.bytes = comparison.bare_loop.bytes = std::filesystem::file_size(path);
    std::vector<std::string> paths;
    for (const Reader& reader : file.readers) {
        paths.push_back(made(file, std::min(file.bytes, reader.bytes), programs, folder));
        comparison.readers.push_back({&reader, {std::filesystem::file_size(paths.back()), {}, 0, 0}});
    }
    for (int i = 0; i < kRuns; ++i) {
        run_both(comparison, programs, path);
        for (size_t r = 0; r < comparison.readers.size(); ++r)
            if (ReaderResult& result = comparison.readers[r]; result.is_read())
                add(result.measured, read_once(*result.reader, paths[r]));
    }
    return comparison;
}

Comparison compare_small_files(const SmallFiles& files, const Programs& programs, const std::string& folder) {
    Comparison comparison;
    const std::string path = folder + "/" + files.name;
    comparison.tracelint.bytes = comparison.bare_loop.bytes = write_small_files(path, files);
    for (int i = 0; i < kRuns; ++i) run_both(comparison, programs, path);
    return comparison;
}

}  // namespace tracelint::bench
