// Planted faults of the buffers of a flight data recorder file.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {
namespace {

// Bytes that do not look like the start of a buffer.
std::string garbage(const FileRecords& file, Random& random, uint64_t count) {
    const auto extents = static_cast<char>(introducer(kBufferExtentsKind, layout_of(file).order));
    const auto new_buffer = static_cast<char>(introducer(kNewBufferKind, layout_of(file).order));
    std::string bytes = random_bytes(random, count);
    for (char& byte : bytes)
        while (byte == extents || byte == new_buffer) byte = static_cast<char>(random());
    return bytes;
}

std::optional<Buffer> any_counted(const FileRecords& file, Random& random) {
    return is_counted(file) ? any_buffer(file, random) : std::nullopt;
}

std::optional<Buffer> last_buffer(const FileRecords& file) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return buffers.empty() ? std::nullopt : std::optional(buffers.back());
}

// Ends the file `left` bytes after the start of the record. There are more bytes than that.
void cut_from(FileRecords& file, size_t record, uint64_t left) {
    for (;; ++record) {
        const uint64_t size = bytes_of(file[record]).size();
        if (left < size) return cut(file, record, left);
        left -= size;
    }
}

// Changes the kind of a BufferExtents record, so that its buffer is not recognised.
void damage(FileRecords& file, const Buffer& buffer, Random& random) {
    uint64_t kind = 0;
    do kind = below(random, 128);
    while (kind == kBufferExtentsKind || (kind == kNewBufferKind && layout_of(file).version == 2));
    file[buffer.start].set("kind", kind);
}

constexpr FaultRow kFileRows[] = {
    // Version 1: the file ends in the last buffer, perhaps in a record.
    {"xray/truncated-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = last_buffer(file);
         if (!buffer || is_counted(file)) return std::nullopt;
         const uint64_t left = between(random, 1, size_of(file, *buffer) - 1);
         cut_from(file, buffer->start, left);
         return at_bytes(buffer->start, 0, left);
     }},
    // BufferExtents is missing, or becomes NewBuffer.
    {"xray/buffer-extents-missing",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer || layout_of(file).version != 2) return std::nullopt;
         if (one_in(random, 2))
             file[buffer->start].set("kind", kNewBufferKind);
         else
             erase(file, buffer->start);
         return at_bytes(buffer->start, 0, 1);
     }},
    // Bytes before a buffer.
    {"xray/garbage-before-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_counted(file, random);
         if (!buffer) return std::nullopt;
         const uint64_t count = between(random, 1, 60);
         insert(file, buffer->start, raw_record(garbage(file, random, count)));
         return at_bytes(buffer->start, 0, count);
     }},
    // The BufferExtents of a buffer is damaged.
    {"xray/garbage-before-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_counted(file, random);
         if (!buffer || buffer->end == file.size() || hides_a_buffer(file, *buffer, 0)) return std::nullopt;
         damage(file, *buffer, random);
         return at_bytes(buffer->start, 0, kMetadataSize + size_of(file, *buffer));
     }},
    // Bytes at the end of the file.
    {"xray/trailing-garbage",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!any_counted(file, random)) return std::nullopt;
         const uint64_t count = between(random, 1, 60);
         file.push_back(raw_record(garbage(file, random, count)));
         return at_bytes(file.size() - 1, 0, count);
     }},
    // The BufferExtents of the last buffer is damaged.
    {"xray/trailing-garbage",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = last_buffer(file);
         if (!buffer || !is_counted(file) || hides_a_buffer(file, *buffer, 0)) return std::nullopt;
         damage(file, *buffer, random);
         return at_bytes(buffer->start, 0, kMetadataSize + size_of(file, *buffer));
     }},
    // The count of the last buffer is too large.
    {"xray/extents-exceed-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = last_buffer(file);
         if (!buffer || !is_counted(file)) return std::nullopt;
         const uint64_t size = size_of(file, *buffer);
         file[buffer->start].set("count", one_in(random, 2) ? size + 1 : between(random, size + 1, kMostExtents));
         return at_field(buffer->start, "count");
     }},
    // The file ends in the last buffer, perhaps before its first record.
    {"xray/extents-exceed-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = last_buffer(file);
         if (!buffer || !is_counted(file)) return std::nullopt;
         cut_from(file, buffer->new_buffer, below(random, size_of(file, *buffer)));
         return at_field(buffer->start, "count");
     }},
    // The count of a buffer exceeds any buffer.
    {"xray/extents-exceed-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_counted(file, random);
         if (!buffer) return std::nullopt;
         file[buffer->start].set("count",
                                 one_in(random, 2) ? kMostExtents + 1 : between(random, kMostExtents + 1, kNone));
         return at_field(buffer->start, "count");
     }},
    // The buffer size of the header is too small for the longest buffer.
    {"xray/extents-exceed-buffer-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!any_counted(file, random)) return std::nullopt;
         uint64_t most = 0, next = kLeastBufferSize;
         size_t longest = 0;
         for (const Buffer& buffer : buffers_of(file)) {
             const uint64_t count = file[buffer.start].number("count");
             next = std::max(next, std::min(count, most));
             if (count <= most) continue;
             most = count;
             longest = buffer.start;
         }
         if (most <= next) return std::nullopt;
         file.front().set("buffer_size", between(random, next, most - 1));
         return at_field(longest, "count");
     }},
    // The walk skips the buffer.
    {"xray/extents-too-small",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_counted(file, random);
         const uint64_t count = between(random, 1, kLeastExtents - 1);
         if (!buffer || hides_a_buffer(file, *buffer, count)) return std::nullopt;
         file[buffer->start].set("count", count);
         return at_field(buffer->start, "count");
     }},
    {"xray/truncated-record",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = last_buffer(file);
         if (!buffer || !is_counted(file)) return std::nullopt;
         const uint64_t left = between(random, 1, kMetadataSize - 1);
         cut(file, buffer->start, left);
         return at_bytes(buffer->start, 0, left);
     }},
};

}  // namespace

constinit const FaultList kFileFaults{kFileRows};

}  // namespace tracelint::xray::faults
