// Hostile traces of .NET's event pipe.
#include "tests/files/hostile.hpp"
#include "tests/files/nettrace_file.hpp"

namespace tracelint::files {
namespace nettrace_shapes {
namespace {

constexpr auto varint = NettraceFile::varint;
constexpr auto little = NettraceFile::little;

// Events of 2 bytes.
void small_events(const Target& to) {
    NettraceFile file(to);
    file.block("MetadataBlock", NettraceFile::events(NettraceFile::row(1, little(0, 4))));
    while (file.wants_more()) {
        std::string events("\x87\1\0\7\0\7\1\0", 8);
        while (events.size() < file.half() + 16) events += std::string("\0\1", 2);
        file.block("EventBlock", NettraceFile::events(events));
    }
}

// Each event is of another thread.
void many_threads(const Target& to) {
    NettraceFile file(to);
    file.block("MetadataBlock", NettraceFile::events(NettraceFile::row(1, little(0, 4))));
    for (uint64_t thread = 1; file.wants_more();) {
        std::string events("\x81\1\0\0", 4);
        while (events.size() < file.half() + 32)
            events +=
                "\x46" + varint(0xffffffff) + varint(colliding(thread++)) + std::string(1, '\0') + varint(7) + "\1";
        file.block("EventBlock", NettraceFile::events(events));
    }
}

// Each event is of a kind that no row defines.
void undefined_metadata(const Target& to) {
    NettraceFile file(to);
    for (uint64_t id = 1; file.wants_more(); ++id)
        file.block("EventBlock", NettraceFile::events("\x81" + varint(shuffled(id)) + std::string("\0\0", 2)));
}

// Each stack block defines one id, and leaves a gap to the next.
void stack_gaps(const Target& to) {
    NettraceFile file(to);
    for (uint64_t id = 1; file.wants_more(); ++id)
        file.block("StackBlock", little(shuffled(id) | 1, 4) + little(1, 4) + little(0, 4));
}

void many_rows(const Target& to) {
    NettraceFile file(to);
    for (uint64_t id = 1; file.wants_more();) {
        std::string rows;
        while (rows.size() < file.half() + 64)
            rows += NettraceFile::row(
                id++, little(2, 4) + little(9, 4) + std::string(2, '\0') + little(18, 4) + std::string(2, '\0'));
        file.block("MetadataBlock", NettraceFile::events(rows));
    }
}

// Arrays of arrays whose counts are 0.
void empty_arrays(const Target& to) {
    NettraceFile file(to);
    std::string type;
    for (int i = 0; i < 31; ++i) type += little(19, 4);
    const std::string field = std::string(2, '\0') + type + little(6, 4);
    const std::string tag = little(1, 4) + little(4 + field.size(), 4) + field;
    file.block("MetadataBlock",
               NettraceFile::events(NettraceFile::row(1, little(0, 4) + little(tag.size(), 4) + "\2" + tag)));
    while (file.wants_more()) {
        const std::string payload = "\xff\xff" + std::string(file.half() + 64, '\0');
        file.block("EventBlock",
                   NettraceFile::events("\x81\1" + std::string(1, '\0') + varint(payload.size()) + payload));
    }
}

// A row whose tags are all unknown.
void unknown_tags(const Target& to) {
    NettraceFile file(to);
    std::string tags = little(0, 4);
    while (tags.size() + 64 < file.wanted()) tags += little(0, 4) + "\7";
    file.block("MetadataBlock", NettraceFile::events(NettraceFile::row(1, tags)));
}

// Blocks that are left at once, with false headers of objects in them.
void false_headers(const Target& to) {
    NettraceFile file(to);
    while (file.wants_more()) {
        file.block("EventBlock", std::string(20, '\0') + "\5\5\1\2");
        for (int i = 0; i < 100; ++i) file.add("\5\5\1" + little(2, 4) + little(2, 4) + little(10, 4) + "EventBlocK\6");
        file.flush_if_large();
    }
}

// Sizes of 2 GB before a few bytes.
void huge_sizes(const Target& to) {
    NettraceFile file(to);
    while (file.wants_more()) file.block("StackBlock", little(1, 4) + little(1, 4) + little(0x7fffffff, 4), 0x70000000);
}

// A sequence point of many threads, again and again.
void sequence_points(const Target& to) {
    NettraceFile file(to);
    for (uint64_t thread = 1; file.wants_more();) {
        const uint64_t count = file.half() / 12 + 1;
        std::string content = little(0, 8) + little(count, 4);
        for (uint64_t i = 0; i < count; ++i) content += little(colliding(thread++), 8) + little(0, 4);
        file.block("SPBlock", content);
    }
}

// A file of version 6.
class Nettrace6 : public OutputFile {
  public:
    explicit Nettrace6(const Target& to) : OutputFile(to) {
        bytes("Nettrace" + little(0, 4) + little(6, 4) + little(0, 4));
    }
    ~Nettrace6() { bytes(little(0, 4)); }

    void trace(const std::string& pairs, uint64_t count) {
        std::string content;
        for (const unsigned part : {2024u, 2u, 4u, 29u, 1u, 2u, 3u, 4u}) content += little(part, 2);
        block(1, content + little(0, 8) + little(1'000'000'000, 8) + little(8, 4) + little(count, 4) + pairs);
    }
    void block(uint64_t kind, const std::string& content) {
        bytes(little(content.size() | kind << 24, 4) + content);
        flush_if_large();
    }
    static constexpr size_t kLargest = size_t{1} << 20;  // bytes of a content
};

void many_pairs(const Target& to) {
    Nettrace6 file(to);
    std::string pairs;
    uint64_t count = 0;
    for (; pairs.size() + 64 < std::min<uint64_t>(file.wanted(), 0xff0000); ++count)
        pairs += varint(varint(count).size()) + varint(count) + std::string(1, '\0');
    file.trace(pairs, count);
    while (file.wants_more()) file.block(9, std::string(1000, '\1'));
}

void thread_rows(const Target& to) {
    Nettrace6 file(to);
    file.trace({}, 0);
    for (uint64_t index = 1; file.wants_more();) {
        std::string rows;
        while (rows.size() < std::min<uint64_t>(file.wanted(), Nettrace6::kLargest)) {
            const std::string row = varint(colliding(index++));
            rows += little(row.size(), 2) + row;
        }
        file.block(6, rows);
    }
}

void label_lists(const Target& to) {
    Nettrace6 file(to);
    file.trace({}, 0);
    for (uint64_t index = 1; file.wants_more(); index += 2)
        file.block(8, little(shuffled(index) | 1, 4) + little(1, 4) + "\x87\1");
}

constexpr HostileFile kFiles[] = {
    {"nettrace-small-events", "events of 2 bytes", small_events},
    {"nettrace-many-threads", "events of as many threads, whose ids collide in simple tables", many_threads},
    {"nettrace-undefined-metadata", "events of as many kinds that no row defines", undefined_metadata},
    {"nettrace-stack-gaps", "stack blocks that leave gaps between their ids", stack_gaps},
    {"nettrace-many-rows", "metadata rows", many_rows},
    {"nettrace-empty-arrays", "payloads of empty arrays in arrays", empty_arrays},
    {"nettrace-unknown-tags", "a metadata row of unknown tags", unknown_tags},
    {"nettrace-false-headers", "what nearly is an object header, behind blocks that are left", false_headers},
    {"nettrace-huge-sizes", "blocks and stacks that claim gigabytes", huge_sizes},
    {"nettrace-sequence-points", "sequence points of threads that collide in simple tables", sequence_points},
    {"nettrace-many-pairs", "properties in a Trace of version 6", many_pairs},
    {"nettrace-thread-rows", "rows of threads of version 6", thread_rows},
    {"nettrace-label-lists", "label lists of version 6 that leave gaps", label_lists},
};

}  // namespace
}  // namespace nettrace_shapes

std::span<const HostileFile> hostile_nettrace() { return nettrace_shapes::kFiles; }

}  // namespace tracelint::files
