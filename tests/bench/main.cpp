// Measures tracelint and a plain read() loop on the same files, as whole processes in one run. Compare the ratio of the
// two, as absolute times are noisy.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "tests/bench/files.hpp"

extern char** environ;

namespace tracelint::bench {
namespace {

constexpr int kRuns = 7;

// The lower bound: reads everything in pieces as large as those of tracelint, and counts bytes.
int read_loop(const char* path) {
    static char buffer[256 << 10];
    const int file = open(path, O_RDONLY);
    if (file < 0) return 1;
    long total = 0;
    for (ssize_t got = 0; (got = read(file, buffer, sizeof buffer)) > 0;) total += got;
    return total > 0 ? 0 : 1;
}

struct Run {
    double seconds = 0;
    double megabytes = 0;  // maximum resident memory
    int status = 127;      // exit status, 127 if the program is missing
};

Run run(std::vector<const char*> arguments) {
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    const auto start = std::chrono::steady_clock::now();
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char**>(arguments.data()), environ) != 0)
        return {};
    rusage usage{};
    int status = 0;
    wait4(child, &status, 0, &usage);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    posix_spawn_file_actions_destroy(&actions);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return {took.count(), static_cast<double>(usage.ru_maxrss) / 1024, code};
}

void measure(const File& file, const char* self, const char* tracelint, const std::string& path) {
    std::vector<double> plain, checked;
    double memory = 0;
    for (int i = 0; i < kRuns; ++i) {  // alternating, so that other load on the machine affects both
        plain.push_back(run({self, "read-loop", path.c_str()}).seconds);
        const Run result = run({tracelint, "--quiet", path.c_str()});
        checked.push_back(result.seconds);
        memory = std::max(memory, result.megabytes);
    }
    std::sort(plain.begin(), plain.end());
    std::sort(checked.begin(), checked.end());
    const double gigabytes = static_cast<double>(file.bytes) / 1e9;
    std::printf("%-22s %6.0f MB  %6.2f GB/s  %6.2f GB/s  %6.2f  %6.2f  %7.1f MB   %s\n", file.name,
                static_cast<double>(file.bytes) / 1e6, gigabytes / plain.front(), gigabytes / checked.front(),
                plain.front() / checked.front(), plain[kRuns / 2] / checked[kRuns / 2], memory, file.what);
    std::fflush(stdout);
}

std::vector<File> all_files() {
    std::vector<File> files;
    for (const std::span<const File> some :
         {jitdump_files(), samply_files(), xray_files(), gperftools_files(), mlpd_files()})
        files.insert(files.end(), some.begin(), some.end());
    return files;
}

void write_file(const File& file, uint64_t bytes, const std::string& path) {
    std::FILE* to = std::fopen(path.c_str(), "wb");
    if (to == nullptr) return;
    file.write({bytes, to});
    std::fclose(to);
}

// Writes a file of the table, or a hostile one. False: there is none of this name.
bool write_by_name(std::string_view name, const std::string& path) {
    std::vector<File> files = all_files();
    for (const files::HostileFile& file : files::all_hostile()) files.push_back(hostile(file.name));
    const auto found = std::ranges::find(files, name, &File::name);
    if (found != files.end()) write_file(*found, found->bytes, path);
    return found != files.end();
}

// Runs a peer once on a smaller file of the same kind.
void measure_peer(const File& file, const Peer& peer, const std::string& folder) {
    std::vector<std::string> words{"timeout", "60"};
    std::istringstream command(peer.command);
    for (std::string word; command >> word;) words.push_back(word);
    const std::string path = folder + "/" + file.name + "-small.trace";
    write_file(file, peer.bytes, path);
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    arguments.push_back(path.c_str());
    const Run result = run(arguments);
    if (result.status != 0)
        std::printf("    %s: not installed, refuses the file, or takes more than a minute\n", peer.command);
    else
        std::printf("    %-34s %31.3f GB/s %25.1f MB for %.0f MB\n", peer.command,
                    static_cast<double>(peer.bytes) / 1e9 / result.seconds, result.megabytes,
                    static_cast<double>(peer.bytes) / 1e6);
    std::fflush(stdout);
}

}  // namespace

File hostile(std::string_view name, std::array<Peer, 2> peers) {
    for (const files::HostileFile& file : files::all_hostile())
        if (file.name == name) return {file.name, file.stresses, 64 * kMegabyte, file.write, peers};
    std::abort();
}

}  // namespace tracelint::bench

int main(int count, char** arguments) {
    using namespace tracelint::bench;
    // Files are written by a process of its own, whose memory does not count for the processes measured later.
    if (count == 4 && std::strcmp(arguments[1], "write") == 0) return write_by_name(arguments[2], arguments[3]) ? 0 : 2;
    if (count == 3 && std::strcmp(arguments[1], "read-loop") == 0) return read_loop(arguments[2]);
    if (count < 3) {
        std::fprintf(stderr, "usage: bench TRACELINT FOLDER [FILE...]\n");
        return 2;
    }
    std::printf("%-22s %9s  %11s  %11s  %6s  %6s  %10s\n", "file", "size", "read loop", "tracelint", "share", "median",
                "memory");
    for (const File& file : all_files()) {
        const bool wanted = count == 3 || std::any_of(arguments + 3, arguments + count, [&](const char* name) {
                                return std::strcmp(name, file.name) == 0;
                            });
        if (!wanted) continue;
        const std::string path = std::string(arguments[2]) + "/" + file.name + ".trace";
        struct stat status{};
        if (stat(path.c_str(), &status) != 0) run({arguments[0], "write", file.name, path.c_str()});
        measure(file, arguments[0], arguments[1], path);
        for (const Peer& peer : file.peers)
            if (peer.command != nullptr) measure_peer(file, peer, arguments[2]);
    }
    return 0;
}
