// Prints how fast tracelint is next to a bare loop and to other readers. scripts/bench starts it.
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/bench/bare_loops.hpp"
#include "tests/bench/comparison.hpp"

namespace tracelint::bench {
namespace {

std::vector<File> all_files() {
    std::vector<File> files;
    for (const std::span<const File> some : {jitdump_files(), samply_files(), xray_files(), gperftools_files(),
                                             pprof_files(), mlpd_files(), perfdata_files(), nettrace_files()})
        files.insert(files.end(), some.begin(), some.end());
    return files;
}

// The files of the table, then the hostile ones that it leaves out.
std::vector<File> files_by_name() {
    std::vector<File> files = all_files();
    for (const files::HostileFile& one : files::all_hostile())
        if (std::ranges::find(files, std::string_view(one.name), &File::name) == files.end())
            files.push_back(hostile(one.name));
    return files;
}

// False: there is no file of this name, or it cannot be written.
bool write_by_name(std::string_view name, const char* path, uint64_t bytes) {
    std::vector<File> files = files_by_name();
    const auto found = std::ranges::find(files, name, &File::name);
    std::FILE* const to = found == files.end() ? nullptr : std::fopen(path, "wb");
    if (to == nullptr) return false;
    found->write({bytes != 0 ? bytes : found->bytes, to});
    return std::fclose(to) == 0;
}

// Three digits, and all that are in front of the point.
std::string digits(double value) {
    char text[32];
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.995 ? 2 : 3;
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string speed(double gigabytes) { return digits(gigabytes) + " GB/s"; }

// For people at a terminal: a row for each file, and one for each reader under it.
class TextTable {
  public:
    void begin() const {
        std::printf(
            "Processor time of whole processes, best of seven runs in turn. share: of the bare loop's speed (and "
            "the median\nof the pairs); lead: over the reader. A reader with a file of its own size is compared "
            "by bytes per second.\n\n");
        std::printf("%-24s %7s  %11s  %11s  %6s %6s  %8s\n", "file", "MB", "bare loop", "tracelint", "share", "median",
                    "memory");
    }
    void file(const File& file, const Comparison& result) const {
        std::printf("%-24s %7s  %11s  %11s  %6.2f %6.2f  %5.1f MB  %s\n", file.name,
                    megabytes(result.tracelint).c_str(), speed(result.bare_loop.gigabytes_per_second()).c_str(),
                    speed(result.tracelint.gigabytes_per_second()).c_str(), result.share(), result.median_share(),
                    result.tracelint.megabytes, file.what);
        for (const ReaderResult& reader : result.readers) {
            if (reader.is_read())
                std::printf("  %-22s %7s  %11s  lead %s, %.1f MB\n", reader.reader->name,
                            megabytes(reader.measured).c_str(), speed(reader.measured.gigabytes_per_second()).c_str(),
                            digits(result.lead_over(reader)).c_str(), reader.measured.megabytes);
            else
                std::printf("  %-22s %s\n", reader.reader->name, reader.reason().c_str());
        }
        std::fflush(stdout);
    }
    void small_files(const SmallFiles& files, const Comparison& result) const {
        std::printf("%-24s %7s  %8s ms  %8s ms  %6.2f %6.2f  %5.1f MB  %u files of a few kilobytes\n", files.name,
                    megabytes(result.tracelint).c_str(), digits(1e3 * result.bare_loop.best()).c_str(),
                    digits(1e3 * result.tracelint.best()).c_str(), result.share(), result.median_share(),
                    result.tracelint.megabytes, files.count);
        std::fflush(stdout);
    }
    void end() const {}

  private:
    static std::string megabytes(const Measured& of) { return digits(static_cast<double>(of.bytes) / 1e6); }
};

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
    utsname system{};
    uname(&system);
    return system.machine;
}

// For tests/bench/README.md.
class MarkdownTable {
  public:
    void begin() const {
        std::printf(
            "| file | tracelint | bare loop | share | memory | fastest reader | lead "
            "|\n|---|---|---|---|---|---|---|\n");
    }
    void file(const File& file, const Comparison& result) {
        const ReaderResult* const fastest = result.fastest();
        const std::string reader = fastest == nullptr ? "none installed"
                                                      : std::string(fastest->reader->name) + ", " +
                                                            speed(fastest->measured.gigabytes_per_second());
        std::printf("| %s | %s | %s | %.2f | %.0f MB | %s | %s |\n", file.name,
                    speed(result.tracelint.gigabytes_per_second()).c_str(),
                    speed(result.bare_loop.gigabytes_per_second()).c_str(), result.share(), result.tracelint.megabytes,
                    reader.c_str(), fastest == nullptr ? "" : digits(result.lead_over(*fastest)).c_str());
        for (const ReaderResult& other : result.readers)
            if (!other.is_read()) absent_.push_back(std::string(other.reader->name) + " (" + other.reason() + ")");
        std::fflush(stdout);
    }
    void small_files(const SmallFiles& files, const Comparison& result) const {
        std::printf("| %s | %s ms | %s ms | %.2f | %.0f MB | | |\n", files.name,
                    digits(1e3 * result.tracelint.best()).c_str(), digits(1e3 * result.bare_loop.best()).c_str(),
                    result.share(), result.tracelint.megabytes);
        std::fflush(stdout);
    }
    void end() {
        const std::time_t now = std::time(nullptr);
        char date[32];
        std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
        std::printf("\nMeasured on %s, %s, one core; best of seven runs in turn.", date, processor().c_str());
        std::ranges::sort(absent_);
        absent_.erase(std::unique(absent_.begin(), absent_.end()), absent_.end());
        for (size_t i = 0; i < absent_.size(); ++i)
            std::printf("%s%s", i == 0 ? " Not compared: " : ", ", absent_[i].c_str());
        std::printf("%s\n", absent_.empty() ? "" : ".");
    }

  private:
    std::vector<std::string> absent_;
};

// `names`: what is wanted; if there are none, everything, or for the short table what has the shape of real files.
template <class Table>
void print(Table table, bool is_short, const std::vector<std::string>& names, const Programs& programs,
           const std::string& folder) {
    const auto is_wanted = [&](const std::string& name, bool by_default) {
        return names.empty() ? by_default : std::ranges::find(names, name) != names.end();
    };
    table.begin();
    for (const File& file : names.empty() ? all_files() : files_by_name())
        if (is_wanted(file.name, !is_short || file.is_real())) table.file(file, compare(file, programs, folder));
    for (const SmallFiles& files : all_small_files())
        if (is_wanted(files.name, true)) table.small_files(files, compare_small_files(files, programs, folder));
    table.end();
}

bool is_name(const std::string& word) {
    const auto is_named = [&](const SmallFiles& files) { return files.name == word; };
    const std::vector<File> files = files_by_name();
    return std::ranges::find(files, word, &File::name) != files.end() ||
           std::ranges::any_of(all_small_files(), is_named);
}

}  // namespace

File hostile(std::string_view name, std::span<const Reader> readers) {
    for (const files::HostileFile& file : files::all_hostile())
        if (file.name == name) return {file.name, file.stresses, 64 * kMegabyte, file.write, readers};
    std::abort();
}

}  // namespace tracelint::bench

int main(int count, char** arguments) {
    using namespace tracelint::bench;
    std::vector<std::string> words(arguments + 1, arguments + count);
    const std::string what = words.empty() ? "" : words[0];
    // What is measured or does not count runs in a process of its own.
    if (what == "write" && count >= 4)
        return write_by_name(words[1], arguments[3], count > 4 ? std::strtoull(arguments[4], nullptr, 10) : 0) ? 0 : 2;
    if (what == "bare-loop" && count == 3) return bare_loop(arguments[2]);
    if (what == "map" && count == 4) return map_as_code(arguments[2], arguments[3]);
    const bool markdown = std::erase(words, "--markdown") > 0;
    if (words.size() < 2 || words[0].starts_with("-")) {
        std::fprintf(stderr,
                     "usage: tracelint_bench TRACELINT FOLDER [--markdown] [FILE...]\n"
                     "       tracelint_bench write FILE PATH [BYTES]\n");
        return 2;
    }
    const Programs programs{words[0], arguments[0]};
    const std::string folder = words[1];
    words.erase(words.begin(), words.begin() + 2);
    if (const auto unknown = std::ranges::find_if_not(words, is_name); unknown != words.end()) {
        std::fprintf(stderr, "scripts/bench: no file is called %s; CONTRIBUTING says where they are\n",
                     unknown->c_str());
        return 2;
    }
    if (markdown)
        print(MarkdownTable(), true, words, programs, folder);
    else
        print(TextTable(), false, words, programs, folder);
    return 0;
}
