// Hostile zstd containers: a jitdump that is only a header, and compressed records of perf.
#include "tests/files/hostile.hpp"
#include "tests/files/jitdump_file.hpp"
#include "tests/files/perfdata_file.hpp"
#include "validator/input/zstd.hpp"

namespace tracelint::files {
namespace zstd_shapes {
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

std::string start_of_a_stream() {
    std::string stream;
    {
        PerfdataFile file({0, nullptr, &stream});
        file.attr(1), file.number(1, 8);
    }
    return stream;
}

// Compressed records of 65,528 bytes, most of which is a skippable frame of zeros that the container shrinks to 4
// bytes. For it, the frame after it may hold 60 MiB, as blocks of 128 KiB that repeat a byte.
class NestedFile : public OutputFile {
  public:
    explicit NestedFile(const Target& to) : OutputFile(to) {
        open_frame(*this);
        raw(start_of_a_stream());
        record(0, 1);
    }
    void record(uint64_t ballast, uint64_t blocks) {
        std::string text;
        {
            PerfdataFile front({0, nullptr, &text});
            front.prefix(81, 8 + (ballast != 0 ? 8 + ballast : 0) + 6 + 4 * blocks);
            if (ballast != 0) front.number(0x184d2a50, 4), front.number(ballast, 4);
        }
        raw(text.substr(kStreamHeader));
        if (ballast != 0) repeated(ballast, '\0');
        text.clear();
        {
            PerfdataFile frame({0, nullptr, &text});
            open_frame(frame);
            for (uint64_t i = 1; i <= blocks; ++i)
                frame.number(kBlock << 3 | kRepeated << 1 | (i == blocks), 3), frame.number(0x40, 1);
        }
        raw(text.substr(kStreamHeader));
        flush_if_large();
    }
    void end() { number(1, 3); }

  private:
    static constexpr uint64_t kBlock = 128 << 10, kRepeated = 1;
    static constexpr size_t kStreamHeader = 16;

    static void open_frame(OutputFile& file) {
        file.number(0xfd2fb528, 4), file.number(0, 1), file.number(kUsualWindow, 1);
    }
    void raw(const std::string& content) { number(content.size() << 3, 3), bytes(content); }
    void repeated(uint64_t count, char byte) { number(count << 3 | kRepeated << 1, 3), fill(1, byte); }
};

void nested(const Target& to) {
    constexpr uint64_t kBlocks = 480, kBallast = 65'528 - 8 - 8 - 6 - 4 * kBlocks;
    NestedFile file(to);
    while (file.wants_more()) file.record(kBallast, kBlocks);
    file.end();
}

constexpr HostileFile kFiles[] = {
    {"zstd-empty-frames", "frames that decompress to nothing", empty_frames, kUsualMemory},
    {"zstd-empty-blocks", "blocks that decompress to nothing", empty_zstd_blocks, kUsualMemory},
    {"zstd-skippable-frames", "skippable frames without content", skippable_frames, kUsualMemory},
    {"zstd-nested", "compressed records that the container shrinks once more", nested, 3 * kUsualMemory, true},
    {"zstd-windows", "frames with large windows and small ones in turn", windows, kMostMemory},
};

}  // namespace
}  // namespace zstd_shapes

std::span<const HostileFile> hostile_zstd() {
    return has_zstd() ? std::span(zstd_shapes::kFiles) : std::span<const HostileFile>();
}

}  // namespace tracelint::files
