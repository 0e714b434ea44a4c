// jitdump, section 2.1: recognition.
#include "grammars/jitdump/checks/header.hpp"
#include "grammars/jitdump/jitdump.hpp"
#include "grammars/jitdump/records.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// The magic number is enough; a sane header makes it certain.
int recognise(const Opening& opening) {
    const std::optional<ByteOrder> order = order_of_magic(opening.bytes);
    if (!order) return 0;
    if (opening.bytes.size() < fixed_size(kHeader)) return 80;
    const View<kHeader> header(opening.bytes.data(), 0, *order, kNone);
    const uint64_t size = header.get<"total_size">();
    return header.get<"version">() <= 16 && size >= 40 && size <= 4096 ? 100 : 90;
}

}  // namespace tracelint::jitdump
