// pprof: messages as bytes, for faults that no table can write.
#pragma once

#include "grammars/pprof/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::pprof {

// Larger than every id that a generated file has.
inline constexpr uint64_t kFreeId = (uint64_t{1} << 40) + 3;

inline std::string varint(uint64_t number) {
    std::string bytes;
    append_leb(bytes, number, false);
    return bytes;
}
inline std::string number_field(uint32_t number, uint64_t value) {
    return varint(uint64_t{number} << 3) + varint(value);
}
inline std::string delimited_field(uint32_t number, const std::string& payload) {
    return varint(uint64_t{number} << 3 | 2) + varint(payload.size()) + payload;
}

// Appends a field to the file. The finding is at `offset` in it.
inline Planted append_field(FileRecords& file, std::string bytes, uint64_t offset, uint64_t length) {
    file.push_back(raw_record(std::move(bytes)));
    return at_bytes(file.size() - 1, offset, length);
}

// A message, and the place in it that a finding is about.
struct MessageBytes {
    std::string payload;
    uint64_t at = 0, length = 0;  // in the payload

    // The value of this field is the place.
    MessageBytes& mark(uint32_t number, uint64_t value) {
        payload += varint(uint64_t{number} << 3);
        at = payload.size();
        payload += varint(value);
        length = payload.size() - at;
        return *this;
    }
    MessageBytes& with(uint32_t number, uint64_t value) {
        payload += number_field(number, value);
        return *this;
    }
    // This field is the place, if it is to be one.
    MessageBytes& nested(uint32_t number, const std::string& fields, bool is_place = false) {
        const uint64_t before = payload.size();
        payload += delimited_field(number, fields);
        if (is_place) at = before, length = payload.size() - before;
        return *this;
    }
};

inline std::string field_of(uint32_t number, const MessageBytes& message) {
    return delimited_field(number, message.payload);
}
// The field with the message, at whose place the finding is.
inline Planted append_message(FileRecords& file, uint32_t number, const MessageBytes& message) {
    const std::string bytes = field_of(number, message);
    return append_field(file, bytes, bytes.size() - message.payload.size() + message.at, message.length);
}
inline Planted append_whole(FileRecords& file, uint32_t number, const MessageBytes& message) {
    const std::string bytes = field_of(number, message);
    return append_field(file, bytes, 0, bytes.size());
}

inline uint64_t count_of(const FileRecords& file, const Record& record) {
    return static_cast<uint64_t>(
        std::count_if(file.begin(), file.end(), [&](const RecordValues& r) { return r.record == &record; }));
}

// The last value of a member of the message that is the record, or of a message in it; 0 if absent.
inline uint64_t member_of(const RecordValues& record, std::string_view name) {
    const auto found = std::find_if(record.values.rbegin(), record.values.rend(), [&](const Value& value) {
        return value.is_number() && value.leaf.field != nullptr && value.leaf.field->name == name;
    });
    return found == record.values.rend() ? 0 : found->leaf.number;
}

// A sample with one location of the file and as many values as there are sample types.
inline std::optional<MessageBytes> plain_sample(const FileRecords& file, uint64_t value = 1) {
    const auto location = std::find_if(file.begin(), file.end(), [](const RecordValues& record) {
        return record.record == &kLocation && member_of(record, "id") != 0;
    });
    const uint64_t types = count_of(file, kSampleType);
    if (location == file.end() || types == 0) return std::nullopt;
    MessageBytes sample;
    sample.with(OfSample::location_id, member_of(*location, "id"));
    for (uint64_t i = 0; i < types; ++i)
        i == 0 ? sample.mark(OfSample::value, value) : sample.with(OfSample::value, value);
    return sample;
}

}  // namespace tracelint::pprof
