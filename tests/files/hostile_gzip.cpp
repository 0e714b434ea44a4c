// Hostile gzip containers of a jitdump that consists of its header.
#include "tests/files/hostile.hpp"
#include "tests/files/jitdump_file.hpp"

namespace tracelint::files {
namespace gzip_shapes {
namespace {

std::string empty_trace() {
    std::string trace;
    {
        const JitdumpFile written_when_destroyed({0, nullptr, &trace});
    }
    return trace;
}

// RFC 1952, section 8.
uint32_t crc32(const std::string& text) {
    uint32_t crc = 0xffffffff;
    for (const char c : text) {
        crc ^= static_cast<uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
    }
    return ~crc;
}

class GzipFile : public OutputFile {
  public:
    explicit GzipFile(const Target& to) : OutputFile(to) { open_member(); }

    void open_member() {
        header();
        block(content_, false);
    }
    void empty_member() {
        header();
        block("", true);
        number(0, 4), number(0, 4);
        flush_if_large();
    }
    // A stored block of deflate (RFC 1951, section 3.2.4).
    void block(const std::string& content, bool last) {
        number(last ? 1 : 0, 1), number(content.size(), 2), number(~content.size(), 2);
        bytes(content);
    }
    void close_member() {
        block("", true);
        number(crc32(content_), 4), number(content_.size(), 4);
        flush_if_large();
    }

  private:
    void header() { number(0x8b1f, 2), number(8, 1), number(0, 5), number(0xff00, 2); }

    const std::string content_ = empty_trace();
};

void empty_blocks(const Target& to) {
    GzipFile file(to);
    while (file.wants_more()) file.block("", false);
    file.close_member();
}

void padding(const Target& to) {
    GzipFile file(to);
    file.close_member();
    file.fill(to.bytes, '\0');
}

void members(const Target& to) {
    GzipFile file(to);
    while (file.wants_more()) file.close_member(), file.open_member();
    file.close_member();
}

void empty_members(const Target& to) {
    GzipFile file(to);
    file.close_member();
    while (file.wants_more()) file.empty_member();
}

constexpr HostileFile kFiles[] = {
    {"gzip-empty-blocks", "blocks that decompress to nothing", empty_blocks},
    {"gzip-padding", "only zeros after the compressed data", padding},
    {"gzip-members", "concatenated small containers", members},
    {"gzip-empty-members", "members that decompress to nothing", empty_members},
};

}  // namespace
}  // namespace gzip_shapes

std::span<const HostileFile> hostile_gzip() { return gzip_shapes::kFiles; }

}  // namespace tracelint::files
