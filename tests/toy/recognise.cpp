// toy, section 2: whether a file is a toy trace, and its byte order.
#include "tests/toy/toy.hpp"

#include "tests/toy/records.hpp"

namespace tracelint::toy {

std::optional<ByteOrder> order_of(Bytes bytes) {
    if (bytes.size() < sizeof(uint32_t)) return std::nullopt;
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big})
        if (load(bytes.data(), sizeof(uint32_t), order) == kMagic) return order;
    return std::nullopt;
}

int recognise(const Opening& opening) { return order_of(opening.bytes) ? 100 : 0; }

}  // namespace tracelint::toy
