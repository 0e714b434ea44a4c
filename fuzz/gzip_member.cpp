// Compresses with zlib.
#include "fuzz/gzip_member.hpp"

#include <zlib.h>

#include <cstdlib>
#include <new>

namespace tracelint {
namespace {

constexpr size_t kMissingInBound = 16;  // bytes

}  // namespace

std::string gzip_member(std::string_view data, const Packing& packing) {
    std::string input(data);
    z_stream deflater{};
    if (deflateInit2(&deflater, packing.level, Z_DEFLATED, 16 + packing.window, packing.memory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw std::bad_alloc();
    // zlib 1.2.13 bounds stored data too low.
    std::string output(deflateBound(&deflater, input.size()) + kMissingInBound, '\0');
    deflater.next_in = reinterpret_cast<Bytef*>(input.data());
    deflater.avail_in = static_cast<uInt>(input.size());
    deflater.next_out = reinterpret_cast<Bytef*>(output.data());
    deflater.avail_out = static_cast<uInt>(output.size());
    if (deflate(&deflater, Z_FINISH) != Z_STREAM_END) std::abort();
    output.resize(deflater.total_out);
    deflateEnd(&deflater);
    return output;
}

}  // namespace tracelint
