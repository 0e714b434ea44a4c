// Compresses with libzstd.
#include "fuzz/zstd_frame.hpp"

#ifdef TRACELINT_ZSTD
#include <zstd.h>
#endif

#include <cstdlib>
#include <memory>

namespace tracelint {

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
