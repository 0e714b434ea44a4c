#include "tests/bench/real_files.hpp"

#include <zlib.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "grammars/formats.hpp"

namespace tracelint::bench {

using files::OutputFile;
using files::Target;

void Block::repeat(OutputFile& to) {
    while (to.wants_more()) {
        to.bytes(bytes_);
        to.flush_if_large();
        for (const Growing& number : growing_) {
            uint8_t* const at = reinterpret_cast<uint8_t*>(bytes_.data()) + number.at;
            store(at, number.width, ByteOrder::little, load(at, number.width, ByteOrder::little) + number.step);
        }
    }
}

std::string real_bytes(const char* path) {
    const gzFile file = gzopen(path, "rb");  // reads files that are not compressed, too
    if (file == nullptr) {
        std::fprintf(stderr, "tracelint_bench: %s is missing; start it in the top folder of the sources\n", path);
        std::exit(2);
    }
    std::string bytes;
    std::array<char, 65536> part;
    for (int got = 0; (got = gzread(file, part.data(), part.size())) > 0;)
        bytes.append(part.data(), static_cast<size_t>(got));
    gzclose(file);
    return bytes;
}

RealFile real_file(const Format& format, const char* path) {
    RealFile file;
    file.bytes = real_bytes(path);
    file.records = decode_file(format, as_bytes(file.bytes));
    for (size_t at = 0; const RecordValues& record : file.records) {
        file.offsets.push_back(at);
        std::string encoded;
        encode(record, encoded);
        at += encoded.size();
    }
    file.offsets.push_back(file.bytes.size());
    return file;
}

// The samples of a program with two threads; its mappings follow the last one.
void samples(const Target& to) {
    const RealFile file = real_file(kGperftools, "corpus/gperftools/real/libprofiler-2.10-threads.prof");
    OutputFile out(to);
    out.bytes(std::string(file.bytes_of(0)));
    Block block;
    size_t at = 1;
    for (; file.records[at].record->name == "record"; ++at) block.append(file.bytes_of(at));
    block.repeat(out);
    out.bytes(file.bytes.substr(file.offsets[at]));
}

// The samples of a Go program's heap, with the tables that they refer to in front of them.
void heap_samples(const Target& to) {
    const RealFile file = real_file(kPprof, "corpus/pprof/real/go-1.19.8-heap.pprof");
    OutputFile out(to);
    Block block;
    std::string rest;
    for (size_t at = 0; at < file.records.size(); ++at) {
        const std::string_view name = file.records[at].record->name, bytes = file.bytes_of(at);
        if (name == "sample")
            block.append(bytes);
        else if (name == "string_table" || name == "mapping")
            rest += bytes;
        else
            out.bytes(std::string(bytes));
    }
    block.repeat(out);
    out.bytes(rest);
}

// The records of a short program, as perf wrote them into a pipe. Those of the kernel are repeated, at later times.
void recording(const Target& to) {
    constexpr uint64_t kHour = 3'600'000'000'000;  // ns: longer than the recording
    const RealFile file = real_file(kPerfdata, "corpus/perfdata/real/perf-6.1-pipe.data");
    OutputFile out(to);
    size_t at = 0;
    while (file.records[at].record->name != "FINISHED_INIT") ++at;
    out.bytes(file.bytes.substr(0, file.offsets[++at]));

    Block block;
    for (; at < file.records.size(); ++at) {
        const std::string_view name = file.records[at].record->name, bytes = file.bytes_of(at);
        const size_t begin = block.append(bytes);
        if (name == "SAMPLE")
            block.grow(begin + 24, 8, kHour);  // after the instruction, the process and the thread
        else if (name != "FINISHED_ROUND")
            block.grow(begin + bytes.size() - 16, 8, kHour);  // in the trailer, before the id
        if (name == "EXIT") block.grow(begin + 24, 8, kHour);
    }
    block.repeat(out);
}

// The buffers of a program with three threads. They hold little, as the program is short; their function records are
// repeated until a buffer has the usual size.
void xray_threads(const Target& to) {
    constexpr size_t kBufferSize = 16384;
    constexpr uint64_t kSecond = 1'000'000'000;  // in ticks of its clock
    const RealFile file = real_file(kXray, "corpus/xray/real/fdr-clang-19-threads.xray");
    OutputFile out(to);
    std::string header(file.bytes_of(0));
    store(reinterpret_cast<uint8_t*>(header.data()) + 16, 8, ByteOrder::little, kBufferSize);
    out.bytes(header);

    Block block;
    for (size_t at = 1; at < file.records.size();) {
        std::string extents(file.bytes_of(at++)), start, calls;
        for (; at < file.records.size() && file.records[at].record->name != "BufferExtents"; ++at) {
            const std::string_view name = file.records[at].record->name;
            (name == "Function" || name == "CallArgument" ? calls : start) += file.bytes_of(at);
        }
        std::string buffer = start;
        while (buffer.size() + calls.size() <= kBufferSize) buffer += calls;
        store(reinterpret_cast<uint8_t*>(extents.data()) + 1, 8, ByteOrder::little, buffer.size());
        block.append(extents);
        const size_t begin = block.append(buffer);
        // NewBuffer, WallClock, Pid and NewCPUId of 16 bytes each; seconds and tsc.
        block.grow(begin + 16 + 1, 8, 1);
        block.grow(begin + 48 + 3, 8, kSecond);
    }
    block.repeat(out);
}

}  // namespace tracelint::bench
