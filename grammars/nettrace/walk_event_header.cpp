#include "grammars/nettrace/walk_event_header.hpp"

namespace tracelint::nettrace {

std::optional<EventExtent> compressed_extent(Bytes bytes, bool is_plain, uint32_t payload_size) {
    if (bytes.empty()) return std::nullopt;
    EventFields fields{.payload_size = payload_size};
    HeaderReader<false> read(bytes.data(), bytes.data() + bytes.size(), fields);
    if (!read.read(is_plain)) return std::nullopt;
    return EventExtent{read.size(), fields.payload_size, 0};
}

std::optional<EventExtent> uncompressed_extent(Bytes bytes, bool is_plain) {
    const uint64_t size = fixed_size(kPlainEvent, is_plain ? kPlainLayout : kNettraceLayout);
    if (bytes.size() < size) return std::nullopt;
    const auto payload = static_cast<uint32_t>(load(bytes.data() + size - 4, 4, ByteOrder::little));
    return EventExtent{size, payload, is_plain ? 0 : (0 - uint64_t{payload}) & 3};
}

}  // namespace tracelint::nettrace
