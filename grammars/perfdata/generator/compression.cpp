// perf.data: a zstd stream of stored blocks (RFC 8878, section 3.1.1).
#include "grammars/perfdata/generator/compression.hpp"

#include <algorithm>
#include <utility>

namespace tracelint::perfdata {
namespace {

// The magic, a descriptor that asks for nothing, and a window of 512 KiB.
constexpr std::string_view kFrameHeader("\x28\xb5\x2f\xfd\x00\x48", 6);
constexpr uint64_t kLargestPayload = 2000;

}  // namespace

std::vector<std::string> StoredStream::payloads(Random& random, std::string_view plain) {
    std::string stream;
    if (!std::exchange(has_begun_, true)) stream += kFrameHeader;
    while (!plain.empty()) {
        const uint64_t size = between(random, 1, std::min<uint64_t>(plain.size(), kLargestPayload));
        for (int shift = 0; shift < 24; shift += 8) stream += static_cast<char>(size << 3 >> shift);
        stream += plain.substr(0, size);
        plain.remove_prefix(size);
    }
    std::vector<std::string> cut;
    for (size_t at = 0; at < stream.size();) {
        const uint64_t left = stream.size() - at;
        const uint64_t least = std::min<uint64_t>(left, at == 0 ? 4 : 1);
        const uint64_t size = between(random, least, std::min(left, kLargestPayload));
        cut.push_back(stream.substr(at, size));
        at += size;
    }
    return cut;
}

}  // namespace tracelint::perfdata
