// What planted faults share.
#include "grammars/xray/generator/faults.hpp"

namespace tracelint::xray::faults {
namespace {

RecordValues rest_of(const FileRecords& file, std::string bytes) {
    return decode_values(kRest, as_bytes(bytes), layout_of(file), true);
}

}  // namespace

std::vector<Buffer> buffers_of(const FileRecords& file) {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record != &kNewBuffer) continue;
        const bool counted = file[i - 1].record == &kBufferExtents;
        Buffer buffer{counted ? i - 1 : i, i, i, 0, i};
        while (file[buffer.body++].record != &kNewCpuId) continue;
        const auto ends = [&](const RecordValues& record) {
            return record.record == &kBufferExtents || record.record == &kNewBuffer;
        };
        buffer.end = buffer.body;
        while (buffer.end < file.size() && !ends(file[buffer.end])) ++buffer.end;
        buffer.body_end = buffer.end;
        for (size_t last = buffer.body; last < buffer.end; ++last)
            if (file[last].record == &kEndOfBuffer) buffer.body_end = last;
        buffers.push_back(buffer);
    }
    return buffers;
}

std::optional<Buffer> any_buffer(const FileRecords& file, Random& random) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return buffers.empty() ? std::nullopt : std::optional(pick_of(random, buffers));
}

Buffer buffer_of(const FileRecords& file, size_t record) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return *std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& buffer) { return record < buffer.end; });
}

uint64_t size_of(const FileRecords& file, const Buffer& buffer) { return size_before(file, buffer, buffer.end); }

uint64_t size_before(const FileRecords& file, const Buffer& buffer, size_t record) {
    return tracelint::size_of(file, buffer.new_buffer, record);
}

bool hides_a_buffer(const FileRecords& file, const Buffer& buffer, uint64_t from) {
    std::string bytes;
    const size_t end = std::min(buffer.end + 1, file.size());
    for (size_t i = buffer.new_buffer; i < end; ++i) encode(file[i], bytes);
    const auto is = [&](uint64_t at, Kind kind) {
        return at < bytes.size() && static_cast<uint8_t>(bytes[at]) == introducer(kind, layout_of(file).order);
    };
    if (is(from, kBufferExtentsKind)) return true;
    for (uint64_t at = from; at < size_of(file, buffer); ++at)
        if (is(at, kBufferExtentsKind) && is(at + kMetadataSize, kNewBufferKind)) return true;
    return false;
}

bool resize(FileRecords& file, const Buffer& buffer, int64_t by) {
    if (is_counted(file)) {
        const uint64_t count = file[buffer.start].number("count") + static_cast<uint64_t>(by);
        const uint64_t buffer_size = file.front().number("buffer_size");
        if (count < kLeastExtents || (buffer_size >= kLeastBufferSize && count > buffer_size)) return false;
        file[buffer.start].set("count", count);
        return true;
    }
    const bool has_rest = file[buffer.end - 1].record == &kRest;
    const uint64_t rest = has_rest ? bytes_of(file[buffer.end - 1]).size() : 0;
    if (by > static_cast<int64_t>(rest)) return false;
    if (has_rest) erase(file, buffer.end - 1);
    const uint64_t left = rest - static_cast<uint64_t>(by);
    if (left != 0) insert(file, has_rest ? buffer.end - 1 : buffer.end, rest_of(file, std::string(left, '\0')));
    return true;
}

std::vector<Place> places_in_bodies(const FileRecords& file) {
    std::vector<Place> places;
    for (const Buffer& buffer : buffers_of(file))
        for (size_t at = buffer.body; at <= buffer.body_end; ++at)
            if (at == buffer.body_end || file[at].record != &kCallArgument) places.push_back({buffer, at});
    return places;
}

std::vector<Place> places_in_buffers(const FileRecords& file) {
    std::vector<Place> places = places_in_bodies(file);
    for (const Buffer& buffer : buffers_of(file))
        for (size_t at = buffer.new_buffer; at < buffer.body; ++at) places.push_back({buffer, at});
    return places;
}

bool insert_at(FileRecords& file, const Place& place, RecordValues record) {
    const auto size = static_cast<int64_t>(bytes_of(record).size());
    if (!resize(file, place.buffer, size)) return false;
    insert(file, place.at, std::move(record));
    return true;
}

RecordValues made(const FileRecords& file, const Record& kind, std::initializer_list<Number> numbers,
                  std::string payload) {
    const std::string zeros(fixed_size(kind, layout_of(file)), '\0');
    RecordValues record = decode_values(kind, as_bytes(zeros), layout_of(file), true);
    if (has_kind(record)) {
        record.set("discriminant", 1);
        record.set("kind", kind.tag);
    }
    for (const auto& [field, number] : numbers) record.set(field, number);
    if (Value* value = record.find("payload")) value->text = std::move(payload);
    update_sizes(record);
    return record;
}

void Clock::pass(const RecordValues& record) {
    if (record.record == &kNewCpuId || record.record == &kTscWrap) {
        now = record.number("tsc");
        if (!first) first = now;
    } else if (first) {
        now += record.number("tsc_delta") + record.number("delta");
    }
}

Clock clock_at(const FileRecords& file, const Buffer& buffer, size_t before) {
    Clock clock;
    for (size_t i = buffer.new_buffer; i < before; ++i) clock.pass(file[i]);
    return clock;
}

}  // namespace tracelint::xray::faults
