// perf.data, section 2: whether a file is a perf.data file, and in which byte order.
#include "grammars/perfdata/recognise.hpp"

#include "grammars/perfdata/records.hpp"

namespace tracelint::perfdata {

std::optional<ByteOrder> order_of_magic(Bytes bytes) {
    if (bytes.size() < 8) return std::nullopt;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (load(bytes.data(), 8, order) == kMagic) return order;
    // Version 1 tells its byte order elsewhere.
    if (load(bytes.data(), 8, ByteOrder::little) == kLegacyMagic) return ByteOrder::little;
    return std::nullopt;
}

int recognise(const Opening& opening) { return order_of_magic(opening.bytes) ? 100 : 0; }

}  // namespace tracelint::perfdata
