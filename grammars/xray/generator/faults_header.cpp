// Planted faults of the file header and of FDR files.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {

// Planted faults of the file header.

namespace {

bool has_type(const FileRecords& file, uint64_t type) {
    return file.front().record == &kHeader && file.front().number("type") == type;
}

uint64_t swapped(uint64_t number) { return number >> 8 | (number & 0xff) << 8; }

// A number of 16 bits, often small, for which `fits(number)` holds.
template <class Fits>
uint64_t draw_number(Random& random, Fits fits) {
    uint64_t number = 0;
    do number = one_in(random, 2) ? below(random, 20) : edge_number(random, 16);
    while (!fits(number));
    return number;
}

constexpr FaultRow kHeaderRows[] = {
    // 8 bytes of magic make the file a profile.
    {"xray/truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t left = below(random, file.front().record == &kProfileHeader ? 8 : kHeaderSize);
         std::string bytes = bytes_of(file.front()).substr(0, left);
         file.assign(1, raw_record(std::move(bytes)));
         return at_bytes(0, 0, left);
     }},
    // The header must not look better in the other byte order.
    {"xray/unsupported-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         const uint64_t newest = has_type(file, kFdrType) ? kNewestFdr : kNewestBasic;
         const auto is_known = [](uint64_t number, uint64_t most) { return 1 <= number && number <= most; };
         file.front().set("version", draw_number(random, [&](uint64_t version) {
                              return !is_known(version, newest) && !is_known(swapped(version), kNewestFdr);
                          }));
         return at_field(0, "version");
     }},
    {"xray/unknown-file-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         file.front().set("type", draw_number(random, [](uint64_t type) { return type > 1 && swapped(type) > 1; }));
         return at_field(0, "type");
     }},
    {"xray/zero-cycle-frequency",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         if (file.front().record != &kHeader) return std::nullopt;
         file.front().set("cycle_frequency", 0);
         return at_field(0, "cycle_frequency");
     }},
    {"xray/empty-trace",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         erase(file, 1, file.size());
         return at_bytes(0, kHeaderSize, 0);
     }},
    {"xray/zero-buffer-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_type(file, kFdrType) || layout_of(file).version != 1) return std::nullopt;
         file.front().set("buffer_size", below(random, kLeastBufferSize));
         return at_field(0, "buffer_size");
     }},
};

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

// Planted faults of the buffers of a flight data recorder file.

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
