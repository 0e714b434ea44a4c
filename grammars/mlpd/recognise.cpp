// mlpd, section 2.1: recognition.
#include "grammars/mlpd/mlpd.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::mlpd {

int recognise(const Opening& opening) {
    const Bytes bytes = opening.bytes;
    const View<kHeader> header(bytes.data(), 0, ByteOrder::little, kNone);
    if (bytes.size() < 4 || header.get<"id">() != kHeaderId) return 0;
    // The magic number is enough to outweigh a gperftools profile with one bad slot, as those have no magic number.
    constexpr int kDamaged = 80;
    if (bytes.size() < 8) return kDamaged;
    const uint64_t version = header.get<"format">(), pointers = header.get<"ptrsize">();
    const bool sound = kOldestVersion <= version && version <= kNewestVersion && (pointers == 4 || pointers == 8);
    return sound ? 100 : kDamaged;
}

}  // namespace tracelint::mlpd
