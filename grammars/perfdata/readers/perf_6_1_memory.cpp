// perf 6.1 and the memory of the machine, the feature MEM_TOPOLOGY.
#include <algorithm>

#include "grammars/perfdata/readers/perf_session.hpp"
#include "validator/readers/follow_context.hpp"

namespace tracelint::perfdata {

// Of each node it allocates a bitmap by the low 32 bits of a number, signed, and fills it by all 64.
bool PerfFeatures::take_memory_nodes(Bytes bytes, uint64_t at) {
    constexpr uint64_t kNumbers = 24;     // bytes of the three before the nodes, and of those before a bitmap
    constexpr uint64_t kFewestWords = 3;  // that an allocation has room for
    if (at > bytes.size()) return false;
    Bytes rest = bytes.subspan(at);
    const auto number = [&](uint64_t offset) { return load(rest.data() + offset, 8, order_); };
    const auto words_of = [](uint64_t bits) { return bits / 64 + (bits % 64 != 0 ? 1 : 0); };
    if (rest.size() < kNumbers || number(0) != 1) return false;
    uint64_t nodes = number(16);
    for (rest = rest.subspan(kNumbers); nodes > 0; --nodes) {
        if (rest.size() < kNumbers || !context_.spend(kNumbers)) return false;
        const uint64_t bits = number(16), words = words_of(bits), low = bits & 0xffff'ffff;
        rest = rest.subspan(kNumbers);
        if (low >> 31 != 0) return false;  // more than it can allocate
        if (std::min<uint64_t>(words, rest.size() / 8) > std::max(words_of(low), kFewestWords)) {
            overrun_ = {ReaderOutcome::may_crash, at};
            return false;
        }
        if (words > rest.size() / 8) return false;
        rest = rest.subspan(8 * words);
    }
    return true;
}

}  // namespace tracelint::perfdata
