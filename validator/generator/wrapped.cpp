#include "validator/generator/wrapped.hpp"

#include <zlib.h>

namespace tracelint {
namespace {

constexpr size_t kLargestStored = 0xffff;    // bytes of a block of deflate
constexpr size_t kLargestRaw = 128 * 1024;   // of a block of zstd
constexpr uint64_t kZstdMemory = 16 * kMiB;  // for the window that a frame asks for

void put_little(std::string& to, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i));
}

// Calls put(block, whether it is the last one). Also an empty trace has a block.
template <class Put>
void for_each_block(std::string_view trace, size_t largest, Put put) {
    do {
        const std::string_view block = trace.substr(0, largest);
        trace.remove_prefix(block.size());
        put(block, trace.empty());
    } while (!trace.empty());
}

// RFC 1952, with stored blocks of RFC 1951.
std::string gzip_of(std::string_view trace) {
    std::string file("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);  // deflate; without time, name and system
    for_each_block(trace, kLargestStored, [&](std::string_view block, bool is_last) {
        put_little(file, is_last ? 1 : 0, 1);
        put_little(file, block.size(), 2);
        put_little(file, ~block.size(), 2);
        file += block;
    });
    put_little(file, crc32_z(0, reinterpret_cast<const Bytef*>(trace.data()), trace.size()), 4);
    put_little(file, trace.size(), 4);
    return file;
}

// RFC 8878, with raw blocks.
std::string zstd_of(std::string_view trace) {
    constexpr char kHasSizeOf4Bytes = '\x80', kWindowOfABlock = 7 << 3;
    std::string file("\x28\xb5\x2f\xfd", 4);
    file += kHasSizeOf4Bytes;
    file += kWindowOfABlock;
    put_little(file, trace.size(), 4);
    for_each_block(trace, kLargestRaw, [&](std::string_view block, bool is_last) {
        put_little(file, (block.size() << 3) | (is_last ? 1 : 0), 3);
        file += block;
    });
    return file;
}

}  // namespace

std::string wrapped(Container container, std::string trace) {
    switch (container) {
        case Container::gzip: return gzip_of(trace);
        case Container::zstd: return zstd_of(trace);
        case Container::none: break;
    }
    return trace;
}

std::optional<Unwrapped> unwrapped(Bytes file, uint64_t most) {
    MemorySource source(file);
    Budget budget(kZstdMemory);
    OpenedInput input(source, budget);
    if (input.container() == Container::none) return std::nullopt;
    std::string trace;
    while (trace.size() <= most) {
        uint8_t piece[4096];
        const size_t got = input.trace().read(piece, sizeof piece);
        if (got == 0) break;
        trace.append(reinterpret_cast<const char*>(piece), got);
    }
    if (trace.empty() || trace.size() > most) return std::nullopt;
    return Unwrapped{input.container(), std::move(trace)};
}

}  // namespace tracelint
