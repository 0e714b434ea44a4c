// What perf 6.1 makes of the line table of a big-endian dump.
#include "grammars/jitdump/perf_line_table.hpp"

#include <algorithm>

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kEntry = 16;   // bytes of an entry before its name: its address, its line and its discriminator
constexpr uint64_t kAddress = 8;  // bytes of the address

// The bytes of the copy, as glibc allocates them.
constexpr uint64_t allocated(uint64_t size) { return std::max<uint64_t>(24, (size + 23) / 16 * 16 - 8); }

// The entries after perf has swapped them.
class SwappedTable {
  public:
    SwappedTable(Bytes entries, uint64_t count) : entries_(entries), swapped_(count * kEntry) {}

    // Of the NUL of a name that begins there; the size, if there is none.
    uint64_t end_of_name(uint64_t index) const {
        while (index < entries_.size() && at(index) != 0) ++index;
        return index;
    }

  private:
    uint8_t at(uint64_t index) const {
        if (index >= swapped_) return entries_[index];
        const uint64_t start = index / kEntry * kEntry, offset = index % kEntry;
        if (offset < 8) return entries_[start + 7 - offset];
        return entries_[start + (offset < 12 ? 19 : 27) - offset];
    }

    Bytes entries_;
    uint64_t swapped_;  // bytes at the front
};

}  // namespace

bool overruns_perf_line_table(Bytes entries, uint64_t count) {
    if (count > entries.size() / kEntry) return false;  // jitdump/debug-entry-count-overflow
    const SwappedTable table(entries, count);
    for (uint64_t at = 0; count > 0; --count) {
        if (at >= entries.size() || at + kAddress > allocated(entries.size())) return true;
        at = table.end_of_name(at + kEntry) + 1;
    }
    return false;
}

}  // namespace tracelint::jitdump
