// A file of .NET's event pipe. Times of events are relative to the first one of their block, so a session is repeated
// at later times by changing the times of its blocks and of their first events.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/bench/real_files.hpp"

namespace tracelint::bench {
namespace {

using files::OutputFile;
using files::Target;

constexpr uint64_t kStep = 10'000'000'000;  // ns: longer than the session

// An object: its header and its content.
struct PipeObject {
    std::string header, content;

    bool is(std::string_view name) const { return header.find(name) != std::string::npos; }
};

uint64_t number_at(const std::string& bytes, size_t at, unsigned width) {
    return load(reinterpret_cast<const uint8_t*>(bytes.data()) + at, width, ByteOrder::little);
}
void add_at(std::string& bytes, size_t at, uint64_t step) {
    store(reinterpret_cast<uint8_t*>(bytes.data()) + at, 8, ByteOrder::little, number_at(bytes, at, 8) + step);
}

// The blocks behind the Trace (3.1 of the specification).
std::vector<PipeObject> blocks_of(const std::string& bytes, size_t at) {
    std::vector<PipeObject> blocks;
    while (bytes[at] != 1) {
        const size_t header = 15 + number_at(bytes, at + 11, 4) + 1, size = number_at(bytes, at + header, 4);
        const size_t content = (at + header + 4 + 3) / 4 * 4;
        blocks.push_back({bytes.substr(at, header), bytes.substr(content, size)});
        at = content + size + 1;
    }
    return blocks;
}

size_t after_number(const std::string& bytes, size_t at) {
    while ((bytes[at++] & 0x80) != 0) {
    }
    return at;
}

// Adds to the time of the block's first event. It is the time since boot, and keeps its length for days.
void add_to_first_time(std::string& content, uint64_t step) {
    const auto flags = static_cast<uint8_t>(content[20]);
    const unsigned numbers = (flags & 1) + 3 * (flags >> 1 & 1) + (flags >> 2 & 1) + (flags >> 3 & 1);
    size_t at = 21;
    for (unsigned i = 0; i < numbers; ++i) at = after_number(content, at);
    for (const size_t end = after_number(content, at); at < end; ++at) {
        const uint64_t sum = (static_cast<uint8_t>(content[at]) & 0x7f) + (step & 0x7f);
        content[at] = static_cast<char>((sum & 0x7f) | (at + 1 < end ? 0x80 : 0));
        step = (step >> 7) + (sum >> 7);
    }
    if (step == 0) return;
    std::fputs("tracelint_bench: the times of the real file do not leave room for so many repetitions\n", stderr);
    std::exit(2);
}

void move_on(PipeObject& block) {
    if (block.is("SPBlock")) add_at(block.content, 0, kStep);
    if (!block.is("EventBlock")) return;
    add_at(block.content, 4, kStep);
    add_at(block.content, 12, kStep);
    add_to_first_time(block.content, kStep);
}

class PipeFile {
  public:
    explicit PipeFile(OutputFile& out) : out_(out) {}

    void write(const std::string& bytes) {
        out_.bytes(bytes);
        offset_ += bytes.size();
    }
    void block(const PipeObject& block) {
        write(block.header);
        out_.number(block.content.size(), 4);
        offset_ += 4;
        write(std::string((0 - offset_) & 3, '\0') + block.content + "\6");
        out_.flush_if_large();
    }

  private:
    OutputFile& out_;
    uint64_t offset_ = 0;
};

}  // namespace

// All events of the runtime of a short program, with the metadata that they refer to in front of them.
void dotnet_events(const Target& to) {
    constexpr size_t kBlocks = 102;  // behind the Trace
    const std::string bytes = real_bytes("corpus/nettrace/real/dotnet-8-all-keywords-dropped.nettrace.gz");
    std::vector<PipeObject> blocks = blocks_of(bytes, kBlocks);
    OutputFile out(to);
    PipeFile file(out);
    file.write(bytes.substr(0, kBlocks));
    for (const PipeObject& block : blocks)
        if (block.is("MetadataBlock")) file.block(block);
    std::erase_if(blocks, [](const PipeObject& block) { return block.is("MetadataBlock"); });
    while (out.wants_more())
        for (PipeObject& block : blocks) {
            file.block(block);
            move_on(block);
        }
    file.write("\1");
}

}  // namespace tracelint::bench
