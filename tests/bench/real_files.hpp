// Large files with the shape of real ones: files of corpus/*/real, repeated with addresses, ids and times that go on.
// The corpus is looked for in the current directory.
#pragma once

#include <string>
#include <vector>

#include "tests/files/output_file.hpp"
#include "validator/generator/generator.hpp"

namespace tracelint::bench {

// An integer of a block, and what it grows by with each repetition.
struct Growing {
    size_t at = 0;
    unsigned width = 8;
    uint64_t step = 0;
};

// Bytes that are written again and again.
class Block {
  public:
    // Appends bytes, and returns where they begin.
    size_t append(std::string_view bytes) {
        bytes_ += bytes;
        return bytes_.size() - bytes.size();
    }
    void grow(size_t at, unsigned width, uint64_t step) { growing_.push_back({at, width, step}); }
    // Writes the block until the file has its wanted size.
    void repeat(files::OutputFile& to);

  private:
    std::string bytes_;
    std::vector<Growing> growing_;
};

// A file of the corpus, decompressed. Ends the program if there is none.
std::string real_bytes(const char* path);
// Its records, and where each of them begins.
struct RealFile {
    std::string bytes;
    FileRecords records;
    std::vector<size_t> offsets;  // one more than records: the last is the size

    std::string_view bytes_of(size_t record) const {
        return std::string_view(bytes).substr(offsets[record], offsets[record + 1] - offsets[record]);
    }
};
RealFile real_file(const Format& format, const char* path);

void erlang(const files::Target& to);        // jitdump: small functions, lines for some
void node(const files::Target& to);          // jitdump: lines and unwinding information for each function
void java(const files::Target& to);          // jitdump: large functions and nothing else
void webkit(const files::Target& to);        // samply: an inline tree for each larger function
void xray_threads(const files::Target& to);  // full buffers of function records
void samples(const files::Target& to);       // gperftools
void heap_samples(const files::Target& to);  // pprof: four values and a label each
void mono_calls(const files::Target& to);    // calls, and what a run has between them
void mono_runs(const files::Target& to);     // allocations, heap snapshots, samples and metadata

void dotnet_events(const files::Target& to);  // nettrace: all events of the runtime
void recording(const files::Target& to);      // perf.data: a stream of samples with call chains

}  // namespace tracelint::bench
