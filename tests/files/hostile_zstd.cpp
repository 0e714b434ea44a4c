// Hostile zstd containers of a jitdump that consists of its header.
#include "tests/files/hostile.hpp"
#include "tests/files/jitdump_file.hpp"
#include "validator/zstd.hpp"

namespace tracelint::files {
namespace {

constexpr uint64_t kUsualMemory = uint64_t{3} << 20, kMostMemory = uint64_t{130} << 20;
constexpr uint64_t kLargestWindow = 0x88, kUsualWindow = 0x58;  // 128 MiB, 2 MiB

std::string header_of_a_trace() {
    std::string trace;
    {
        const JitdumpFile written_when_destroyed({0, nullptr, &trace});
    }
    return trace;
}

// RFC 8878, section 3.1.1.
class ZstdFile : public OutputFile {
  public:
    explicit ZstdFile(const Target& to) : OutputFile(to) {
        open_frame(kUsualWindow);
        block(header_of_a_trace(), true);
    }

    void open_frame(uint64_t window) { number(0xfd2fb528, 4), number(0, 1), number(window, 1); }
    void block(const std::string& content, bool last) {
        number(content.size() << 3 | (last ? 1 : 0), 3);
        bytes(content);
        flush_if_large();
    }
    void skippable(const std::string& content) {
        number(0x184d2a50, 4), number(content.size(), 4);
        bytes(content);
        flush_if_large();
    }
};

void empty_frames(const Target& to) {
    ZstdFile file(to);
    while (file.wants_more()) file.open_frame(kUsualWindow), file.block("", true);
}

void empty_zstd_blocks(const Target& to) {
    ZstdFile file(to);
    file.open_frame(kUsualWindow);
    while (file.wants_more()) file.block("", false);
    file.block("", true);
}

void skippable_frames(const Target& to) {
    ZstdFile file(to);
    while (file.wants_more()) file.skippable("");
}

// Each frame asks for another window, and uses none of it.
void windows(const Target& to) {
    ZstdFile file(to);
    for (bool is_large = true; file.wants_more(); is_large = !is_large)
        file.open_frame(is_large ? kLargestWindow : kUsualWindow), file.block("", true);
}

constexpr HostileFile kZstdFiles[] = {
    {"zstd-empty-frames", "frames that decompress to nothing", empty_frames, kUsualMemory},
    {"zstd-empty-blocks", "blocks that decompress to nothing", empty_zstd_blocks, kUsualMemory},
    {"zstd-skippable-frames", "skippable frames without content", skippable_frames, kUsualMemory},
    {"zstd-windows", "frames with large windows and small ones in turn", windows, kMostMemory},
};

}  // namespace

std::span<const HostileFile> hostile_zstd() {
    return has_zstd() ? std::span(kZstdFiles) : std::span<const HostileFile>();
}

}  // namespace tracelint::files
