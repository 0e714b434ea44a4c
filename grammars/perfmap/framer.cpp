// perf map, section 3.1: finds the lines of a file without judging them.
#include "grammars/perfmap/perfmap.hpp"

#include "grammars/perfmap/records.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::perfmap {
namespace {

class PerfmapFramer final : public Framer {
  public:
    Frame next(Bytes bytes) override {
        if (bytes.empty()) return {};
        const uint64_t length = length_to('\n', bytes);
        if (length != kNone) return {&kLine, length + 1};
        return {&kLine, bytes.size(), 2 * uint64_t{bytes.size()}};
    }
};

}  // namespace

std::unique_ptr<Framer> make_framer(const Settings&) { return std::make_unique<PerfmapFramer>(); }

}  // namespace tracelint::perfmap
