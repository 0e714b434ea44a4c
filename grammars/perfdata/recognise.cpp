// perf.data, section 2: whether a file is a perf.data file, and in which byte order.
#include "grammars/perfdata/perfdata.hpp"

#include "grammars/perfdata/records.hpp"

namespace tracelint::perfdata {

bool has_legacy_magic(Bytes bytes) {
    return bytes.size() >= 8 && load(bytes.data(), 8, ByteOrder::little) == kLegacyMagic;
}

namespace {

// PERFFILE is the same in both orders. The size of the header decides; if it fits neither, the smaller attr_size
// (section 2).
ByteOrder order_of_sizes(Bytes bytes) {
    constexpr uint64_t kSizeAt = 8, kAttrSizeAt = 16;
    if (bytes.size() < kPipeHeaderSize) return ByteOrder::little;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        const uint64_t size = load(&bytes[kSizeAt], 8, order);
        if (size == kPipeHeaderSize || size == kOldHeaderSize || size == kFileHeaderSize) return order;
    }
    if (bytes.size() < kAttrSizeAt + 8) return ByteOrder::little;
    const auto attr_size = [&](ByteOrder order) { return load(&bytes[kAttrSizeAt], 8, order); };
    return attr_size(ByteOrder::little) <= attr_size(ByteOrder::big) ? ByteOrder::little : ByteOrder::big;
}

}  // namespace

std::optional<ByteOrder> order_of_magic(Bytes bytes) {
    if (bytes.size() < 8) return std::nullopt;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (load(bytes.data(), 8, order) == kMagic) return order;
    if (has_legacy_magic(bytes)) return order_of_sizes(bytes);
    return std::nullopt;
}

int recognise(const Opening& opening) { return order_of_magic(opening.bytes) ? 100 : 0; }

}  // namespace tracelint::perfdata
