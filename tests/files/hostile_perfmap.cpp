// Hostile perf maps.
#include "tests/files/hostile.hpp"
#include "validator/memory/limits.hpp"

namespace tracelint::files {
namespace perfmap_shapes {
namespace {

constexpr uint64_t kBase = 0x100000;

// Begins with what a map is recognised by: functions side by side, in as many bytes as are looked at.
class PerfmapFile : public OutputFile {
  public:
    explicit PerfmapFile(const Target& to) : OutputFile(to) {
        constexpr uint64_t kLine = 14;  // bytes of each of these lines, at least
        for (uint64_t i = 0; i * kLine < kDetectionBytes; ++i) line(0xa0000 + 64 * i, 16, "first");
    }

    void line(uint64_t start, uint64_t size, const std::string& name) {
        char numbers[40];
        const int length = std::snprintf(numbers, sizeof numbers, "%lx %lx ", start, size);
        bytes({numbers, static_cast<size_t>(length)});
        bytes(name);
        bytes("\n");
        flush_if_large();
    }
};

void random_ranges(const Target& to) {
    PerfmapFile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.line(kBase + 64 * shuffled(i), 1 + file.below(64), "f");
}

// Two of three overlap others.
void overlapping_ranges(const Target& to) {
    PerfmapFile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i)
        file.line(kBase + 64 * (shuffled(i) % 4'000'000), 1 + file.below(192), "f");
}

// Each range is inside the one before.
void nested_ranges(const Target& to) {
    PerfmapFile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.line(kBase + i, (uint64_t{1} << 40) - 2 * i, "f");
}

// Each range encloses all before.
void enclosing_ranges(const Target& to) {
    PerfmapFile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.line((uint64_t{1} << 40) - i, 2 * i + 1, "f");
}

void same_range(const Target& to) {
    PerfmapFile file(to);
    while (file.wants_more()) file.line(kBase + 64, 64, "f");
}

void falling_ranges(const Target& to) {
    PerfmapFile file(to);
    for (uint64_t i = 0; file.wants_more(); ++i) file.line((uint64_t{1} << 40) - 64 * i, 32, "f");
}

void huge_line(const Target& to) {
    PerfmapFile file(to);
    file.line(kBase + 64, 16, std::string(file.wanted(), 'f'));
}

void empty_lines(const Target& to) {
    PerfmapFile file(to);
    while (file.wants_more()) file.bytes("\n"), file.flush_if_large();
}

constexpr HostileFile kFiles[] = {
    {"perfmap-random-ranges", "ranges in random order, none of which overlaps another", random_ranges},
    {"perfmap-overlapping-ranges", "ranges in random order that overlap", overlapping_ranges},
    {"perfmap-nested-ranges", "ranges, each in the one before", nested_ranges},
    {"perfmap-enclosing-ranges", "ranges, each around all before", enclosing_ranges},
    {"perfmap-same-range", "the same range again and again", same_range},
    {"perfmap-falling-ranges", "ranges from the highest to the lowest", falling_ranges},
    {"perfmap-huge-line", "a name as long as the file", huge_line},
    {"perfmap-empty-lines", "lines of one byte", empty_lines},
};

}  // namespace
}  // namespace perfmap_shapes

std::span<const HostileFile> hostile_perfmap() { return perfmap_shapes::kFiles; }

}  // namespace tracelint::files
