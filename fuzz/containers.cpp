#include "fuzz/containers.hpp"

#include <zlib.h>
#ifdef TRACELINT_ZSTD
#include <zstd.h>
#endif

#include <cstdlib>
#include <memory>
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

#ifdef TRACELINT_ZSTD
std::string zstd_frame(std::string_view data, const ZstdPacking& packing) {
    const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, packing.level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, packing.has_checksum ? 1 : 0);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_contentSizeFlag, packing.has_size ? 1 : 0);
    std::string frame(ZSTD_compressBound(data.size()), '\0');
    const size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), data.data(), data.size());
    if (ZSTD_isError(size) != 0) std::abort();
    frame.resize(size);
    return frame;
}
#else
std::string zstd_frame(std::string_view data, const ZstdPacking&) { return std::string(data); }
#endif

std::string skippable_frame(std::string_view content) {
    std::string frame("\x50\x2a\x4d\x18", 4);
    for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(content.size() >> shift);
    return frame.append(content);
}

}  // namespace tracelint
