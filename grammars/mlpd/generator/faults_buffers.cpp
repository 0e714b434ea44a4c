// Planted faults of the file header and of buffers.
#include "grammars/mlpd/generator/faults.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::mlpd::faults {

// Planted faults of the file header.

namespace {

struct Text {
    std::string_view size, bytes;
};
constexpr Text kTexts[] = {{"args_size", "args"}, {"arch_size", "arch"}, {"os_size", "os"}};

bool has_texts(const FileRecords& file) { return file.front().find("args") != nullptr; }

// Index of the value in the header.
size_t value_of(const FileRecords& file, std::string_view field) {
    return static_cast<size_t>(file.front().find(field) - file.front().values.data());
}

constexpr FaultRow kHeaderRows[] = {
    // The file ends in or before a field that is not a text.
    {"mlpd/truncated-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const RecordValues& header = file.front();
         const size_t value = below(random, header.values.size());
         if (header.values[value].is_text()) return std::nullopt;
         const uint64_t offset = offset_of(header, value), size = offset_of(header, value + 1) - offset;
         const uint64_t left = below(random, size);
         cut(file, 0, offset + left);
         if (file.empty()) file.push_back(raw_record({}));
         return at_bytes(0, offset, left);
     }},
    {"mlpd/bad-magic",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::optional<Planted> planted = plant_check(file, random, kHeader, "mlpd/bad-magic");
         constexpr uint64_t gzip = 0x8b1f;  // would be opened as a container
         if (file.front().number("id") % 0x10000 == gzip) return std::nullopt;
         return planted;
     }},
    {"mlpd/unsupported-data-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         file.front().set("format", one_in(random, 2) ? 0 : between(random, kNewestVersion + 1, 255));
         return at_field(0, "format");
     }},
    // An unknown version is read with the layout of major version 3.
    {"mlpd/unknown-major-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (layout_of(file).version != kTwoClocks) return std::nullopt;
         return plant_check(file, random, kHeader, "mlpd/unknown-major-version");
     }},
    // An unknown size is read as 8.
    {"mlpd/bad-pointer-size",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (file.front().number("ptrsize") != 8) return std::nullopt;
         return plant_check(file, random, kHeader, "mlpd/bad-pointer-size");
     }},
    // The size of a text is too large.
    {"mlpd/header-string-overruns-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const uint64_t rest =
             tracelint::size_of(file, 0, file.size()) - offset_of(file.front(), value_of(file, text.bytes));
         const uint64_t least = pick<uint64_t>(random, {rest + 1, between(random, rest + 1, kLargestInt)});
         file.front().set(text.size, one_in(random, 2) ? least : between(random, kLargestInt + 1, 2 * kLargestInt + 1));
         return at_field(0, text.size);
     }},
    // The file ends in a text.
    {"mlpd/header-string-overruns-file",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const uint64_t size = offset_of(file.front(), value_of(file, text.size)), start = size + 4;
         cut(file, 0, start + below(random, file.front().number(text.size)));
         return at_bytes(0, size, 4);
     }},
    // The last byte of a text is not a NUL.
    {"mlpd/header-string-not-terminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         std::string& bytes = file.front().find(text.bytes)->text;
         bytes.back() = static_cast<char>(between(random, ' ', '~'));
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bytes.size() - 1, 1);
     }},
    // A text has no bytes.
    {"mlpd/header-string-not-terminated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         file.front().find(text.bytes)->text.clear();
         update_sizes(file.front());
         return at_field(0, text.size);
     }},
    {"mlpd/header-string-embedded-nul",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         std::string& bytes = file.front().find(text.bytes)->text;
         const uint64_t at = below(random, bytes.size());
         bytes.insert(at, between(random, 1, 3), '\0');
         update_sizes(file.front());
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + at, 1);
     }},
    {"mlpd/header-string-utf8",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (!has_texts(file)) return std::nullopt;
         const Text& text = pick_of(random, kTexts);
         const BadText bad = draw_bad_text(random);
         file.front().find(text.bytes)->text = bad.text;
         update_sizes(file.front());
         return at_bytes(0, offset_of(file.front(), value_of(file, text.bytes)) + bad.bad_at, 1);
     }},
};

}  // namespace

constinit const FaultList kHeaderFaults{kHeaderRows};

// Planted faults of buffers and their headers.

namespace {

constexpr uint64_t kIdSize = 4;

uint64_t size_after(const FileRecords& file, const Buffer& buffer) {
    return tracelint::size_of(file, buffer.header + 1, file.size());
}

bool is_call(const RecordValues& record) {
    return record.record == &kEnter || record.record == &kLeave || record.record == &kExceptionLeave;
}

// Bytes that do not begin a buffer or a file.
std::string draw_garbage(Random& random, uint64_t size) {
    std::string bytes = random_bytes(random, size);
    bytes.front() = static_cast<char>(between(random, 2, 255));
    return bytes;
}

// Two consecutive buffers of a thread.
struct Pair {
    Buffer first, second;
};

// Pairs in which time must not step back: no JIT events, and the thread neither starts nor ends.
std::vector<Pair> steady_pairs(const FileRecords& file) {
    std::vector<Pair> pairs;
    const std::vector<Buffer> buffers = buffers_of(file);
    const auto thread = [&](const Buffer& buffer) { return file[buffer.header].number("thread_id"); };
    const auto compiles = [&](const Buffer& buffer) {
        return std::any_of(&file[buffer.header], &file[buffer.header] + (buffer.end - buffer.header),
                           [](const RecordValues& record) { return record.record == &kJit; });
    };
    for (size_t first = 0; first < buffers.size(); ++first)
        for (size_t second = first + 1; second < buffers.size(); ++second) {
            if (thread(buffers[second]) != thread(buffers[first])) continue;
            const Pair pair{buffers[first], buffers[second]};
            const auto begins_or_ends = [&](const RecordValues& record) {
                return record.record == &kThread && record.number("op") != kName &&
                       record.number("pointer") == thread(pair.first);
            };
            const RecordValues* start = &file[pair.first.header];
            const bool lives = std::none_of(start, start + (pair.second.end - pair.first.header), begins_or_ends);
            if (lives && !compiles(pair.first) && !compiles(pair.second)) pairs.push_back(pair);
            break;
        }
    return pairs;
}

constexpr FaultRow kBufferRows[] = {
    // The buffer is read nevertheless, as its length leads to the next one.
    {"mlpd/bad-buffer-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBuffer, any);
         if (!at) return std::nullopt;
         file[*at].set("id", one_in(random, 2) ? kBufferId + 1 : random() >> 32 | 1 << 2);
         if (file[*at].number("id") == kBufferId) return std::nullopt;
         return at_field(*at, "id");
     }},
    // Garbage between buffers.
    {"mlpd/bad-buffer-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer) return std::nullopt;
         const size_t at = one_in(random, 2) ? buffer->header : buffer->end;
         insert(file, at, raw_record(draw_garbage(random, between(random, kIdSize, 60))));
         return at_bytes(at, 0, kIdSize);
     }},
    // The length ends the buffer after an event, so events follow it.
    {"mlpd/bad-buffer-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer || buffer->header + 1 == buffer->end) return std::nullopt;
         const size_t at = between(random, buffer->header + 1, buffer->end - 1);
         if (tracelint::size_of(file, at, file.size()) < kIdSize) return std::nullopt;
         file[buffer->header].set("len", tracelint::size_of(file, buffer->header + 1, at));
         return at_bytes(at, 0, kIdSize);
     }},
    // A copy of the file after its end.
    {"mlpd/bad-buffer-id",
     [](FileRecords& file, Random&) -> std::optional<Planted> {
         const size_t size = file.size();
         file.reserve(2 * size);
         for (size_t i = 0; i < size; ++i) file.push_back(file[i]);
         return at_bytes(size, 0, kIdSize);
     }},
    // The file ends in a buffer header.
    {"mlpd/truncated-buffer-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBuffer, any);
         if (!at) return std::nullopt;
         const uint64_t left = between(random, 1, kBufferHeaderSize - 1);
         cut(file, *at, left);
         return at_bytes(*at, 0, left);
     }},
    // A few bytes after the last buffer.
    {"mlpd/truncated-buffer-header",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint64_t size = between(random, 1, kIdSize - 1);
         file.push_back(raw_record(random_bytes(random, size)));
         return at_bytes(file.size() - 1, 0, size);
     }},
    // The file ends in the buffer, in or between events.
    {"mlpd/truncated-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer || buffer->header + 1 == buffer->end) return std::nullopt;
         const size_t at = between(random, buffer->header + 1, buffer->end - 1);
         cut(file, at, below(random, bytes_of(file[at]).size()));
         return at_field(buffer->header, "len");
     }},
    // The length of the last buffer is too large.
    {"mlpd/truncated-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Buffer> buffers = buffers_of(file);
         if (buffers.empty()) return std::nullopt;
         const Buffer buffer = buffers.back();
         const uint64_t rest = size_after(file, buffer);
         file[buffer.header].set("len", one_in(random, 2) ? rest + 1 : between(random, rest + 1, kLargestInt));
         return at_field(buffer.header, "len");
     }},
    // The length of any buffer is too large. The walk finds the next buffer where reading this one fails.
    {"mlpd/truncated-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer) return std::nullopt;
         file[buffer->header].set("len", between(random, size_after(file, *buffer) + 1, kLargestInt));
         return at_field(buffer->header, "len");
     }},
    {"mlpd/buffer-length-negative",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose(file, random, kBuffer, any);
         if (!at) return std::nullopt;
         file[*at].set("len",
                       one_in(random, 2) ? kLargestInt + 1 : between(random, kLargestInt + 1, 2 * kLargestInt + 1));
         return at_field(*at, "len");
     }},
    // Not in a buffer with calls, which would no longer match those of the thread.
    {"mlpd/zero-thread-id",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer) return std::nullopt;
         for (size_t i = buffer->header; i < buffer->end; ++i)
             if (is_call(file[i])) return std::nullopt;
         file[buffer->header].set("thread_id", 0);
         return at_field(buffer->header, "thread_id");
     }},
    {"mlpd/buffer-time-regression",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const std::vector<Pair> pairs = steady_pairs(file);
         if (pairs.empty()) return std::nullopt;
         const Pair pair = pick_of(random, pairs);
         const uint64_t before = file[pair.first.header].number("time_base");
         file[pair.second.header].set("time_base", before - (one_in(random, 2) ? 1 : between(random, 1, before - 1)));
         return at_field(pair.second.header, "time_base");
     }},
};

}  // namespace

constinit const FaultList kBufferFaults{kBufferRows};

}  // namespace tracelint::mlpd::faults
