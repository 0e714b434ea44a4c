// Profiles of profile.proto: many samples, large tables, samples in front of the tables, and gzip.
#include <zlib.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <vector>

#include "tests/bench/files.hpp"
#include "tests/bench/real_files.hpp"
#include "tests/files/pprof_file.hpp"

namespace tracelint::bench {
namespace {

using namespace files;

constexpr uint64_t kCode = 0x400000, kCodeSize = 0x4000000;

class Profile {
  public:
    explicit Profile(const Target& to) : file_(to) {}

    void types() {
        file_.field(1, PprofFile::number(1, 1) + PprofFile::number(2, 2));
        file_.scalar(9, 1'700'000'000'000'000'000);
        file_.scalar(10, 30'000'000'000);
        file_.field(11, PprofFile::number(1, 1) + PprofFile::number(2, 2));
        file_.scalar(12, 10'000'000);
    }
    // A function for every location.
    void tables(uint64_t locations) {
        file_.field(3, PprofFile::number(1, 1) + PprofFile::number(2, kCode) + PprofFile::number(3, kCode + kCodeSize) +
                           PprofFile::number(5, 3) + PprofFile::number(7, 1));
        for (uint64_t id = 1; id <= locations; ++id) {
            file_.field(4, PprofFile::number(1, id) + PprofFile::number(2, 1) +
                               PprofFile::number(3, kCode + file_.below(kCodeSize)) +
                               PprofFile::nested(4, PprofFile::number(1, id) + PprofFile::number(2, 1 + id % 900)));
            const uint64_t name = kNames + id - 1;
            file_.field(5, PprofFile::number(1, id) + PprofFile::number(2, name) + PprofFile::number(3, name) +
                               PprofFile::number(4, 4));
        }
    }
    void strings(uint64_t functions) {
        for (const char* const text : {"", "cpu", "nanoseconds", "/usr/bin/server", "server.go"}) file_.field(6, text);
        for (uint64_t id = 1; id <= functions; ++id)
            file_.field(6, "example.org/server/internal/storage.(*Table" + std::to_string(shuffled(id) % 9973) +
                               ").lookup" + std::to_string(id));
    }
    // A stack of so many locations, whose last ones are those of few threads.
    void sample(uint64_t depth, uint64_t locations) {
        constexpr uint64_t kRoots = 4, kThreads = 100;
        std::string stack;
        for (uint64_t i = 0; i < depth; ++i)
            stack += PprofFile::varint(1 + file_.below(i + kRoots < depth ? locations : kThreads));
        file_.field(2, PprofFile::nested(1, stack) + PprofFile::nested(2, PprofFile::varint(10'000'000)));
    }
    bool wants_more() const { return file_.wants_more(); }

  private:
    static constexpr uint64_t kNames = 5;  // the string with the name of the first function

    PprofFile file_;
};

constexpr uint64_t kDepth = 40, kLocations = 20'000;

void samples(const Target& to) {
    Profile profile(to);
    profile.types();
    profile.tables(kLocations);
    profile.strings(kLocations);
    while (profile.wants_more()) profile.sample(kDepth, kLocations);
}

void samples_first(const Target& to) {
    Profile profile(to);
    profile.types();
    while (profile.wants_more()) profile.sample(kDepth, kLocations);
    profile.tables(kLocations);
    profile.strings(kLocations);
}

// Tables of a location, a function and a string of each function, and few samples.
void tables(const Target& to) {
    constexpr uint64_t kSizeOfEach = 112;  // bytes
    Profile profile(to);
    const uint64_t functions = 1 + to.bytes / kSizeOfEach;
    profile.types();
    for (uint64_t i = 0; i < functions / 100; ++i) profile.sample(kDepth, functions);
    profile.tables(functions);
    profile.strings(functions);
}

// The same as samples() in a gzip member, as Go compresses profiles.
void compressed(const Target& to) {
    constexpr int kFastest = 1, kWithGzip = 15 + 16;
    std::string plain;
    samples({.bytes = to.bytes, .memory = &plain});
    z_stream stream{};
    deflateInit2(&stream, kFastest, Z_DEFLATED, kWithGzip, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, plain.size()), '\0');
    stream.next_in = reinterpret_cast<uint8_t*>(plain.data());
    stream.avail_in = static_cast<unsigned>(plain.size());
    stream.next_out = reinterpret_cast<uint8_t*>(packed.data());
    stream.avail_out = static_cast<unsigned>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    OutputFile(to).bytes(packed);
}

const File kFiles[] = {
    {"real-pprof-heap", "samples of a Go program's heap, repeated", 40 * kMegabyte, heap_samples, pprof_readers()},
    {"pprof-samples", "400,000 samples of 40 locations", 40 * kMegabyte, samples, pprof_readers()},
    {"pprof-samples-first", "the same in front of the tables", 40 * kMegabyte, samples_first, pprof_readers()},
    {"pprof-tables", "100,000 locations, functions and strings", 11 * kMegabyte, tables, pprof_readers()},
    {"pprof-gzip", "the samples in gzip; the bare loop inflates them", 40 * kMegabyte, compressed, pprof_readers()},
    hostile("pprof-dangling-ids"),
    hostile("pprof-padded-varints"),
    hostile("pprof-nested-faults"),
};

}  // namespace

std::span<const File> pprof_files() { return kFiles; }

}  // namespace tracelint::bench
