// Edits of a decoded or generated file, for code that breaks it in one place.
#pragma once

#include <optional>

#include "validator/format.hpp"
#include "validator/generator/generator.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// The finding is at a field of the record, or at `length` bytes from `offset` on in it.
inline Planted at_field(size_t record, std::string_view field) { return {record, field, kNone, 0, 0, {}}; }
inline Planted at_bytes(size_t record, uint64_t offset, uint64_t length) {
    return {record, {}, kNone, offset, length, {}};
}

inline bool any(size_t) { return true; }

// The index of a record of the kind for which `fits(index)` holds.
template <class Fits>
std::optional<size_t> choose(const FileRecords& file, Random& random, const Record& kind, Fits fits) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kind && fits(i)) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

// A value, by the index of its record in the file and its own index in the record.
struct ValuePlace {
    size_t record;
    size_t value;
};

// A value for which `fits(its record, the value)` holds.
template <class Fits>
std::optional<ValuePlace> choose_value(const FileRecords& file, Random& random, Fits fits) {
    std::vector<ValuePlace> places;
    for (size_t i = 0; i < file.size(); ++i)
        for (size_t v = 0; v < file[i].values.size(); ++v)
            if (fits(file[i], file[i].values[v])) places.push_back({i, v});
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

inline std::string bytes_of(const RecordValues& record) {
    std::string bytes;
    encode(record, bytes);
    return bytes;
}

// The offset of the value in its record, in bytes.
inline uint64_t offset_of(const RecordValues& record, size_t value) {
    RecordValues part;
    part.layout = record.layout;
    part.values.assign(record.values.begin(), record.values.begin() + static_cast<std::ptrdiff_t>(value));
    return bytes_of(part).size();
}

// The finding is at the value as it is encoded now.
inline Planted at_value(const FileRecords& file, const ValuePlace& at) {
    const uint64_t offset = offset_of(file[at.record], at.value);
    return at_bytes(at.record, offset, offset_of(file[at.record], at.value + 1) - offset);
}

inline void insert(FileRecords& file, size_t at, RecordValues record) {
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), std::move(record));
}

inline void erase(FileRecords& file, size_t first, size_t last) {
    file.erase(file.begin() + static_cast<std::ptrdiff_t>(first), file.begin() + static_cast<std::ptrdiff_t>(last));
}
inline void erase(FileRecords& file, size_t at) { erase(file, at, at + 1); }

// The layout that the file's header sets. A file is never empty.
inline const Layout& layout_of(const FileRecords& file) { return file.front().layout; }

// The size of the records from `first` up to but excluding `last`, in bytes.
inline uint64_t size_of(const FileRecords& file, size_t first, size_t last) {
    uint64_t size = 0;
    for (size_t i = first; i < last; ++i) size += bytes_of(file[i]).size();
    return size;
}

// Appends bytes to the record.
inline void append_raw(RecordValues& record, std::string bytes) {
    Value value;
    value.leaf.kind = Leaf::Kind::raw;
    value.leaf.length = bytes.size();
    value.text = std::move(bytes);
    record.values.push_back(std::move(value));
}

// Bytes that need not form a record.
inline RecordValues raw_record(std::string bytes) {
    RecordValues record;
    append_raw(record, std::move(bytes));
    return record;
}

// Ends the file inside record `at`, keeping its first `left` bytes.
inline void cut(FileRecords& file, size_t at, uint64_t left) {
    const std::string bytes = bytes_of(file[at]).substr(0, left);
    erase(file, at, file.size());
    if (left != 0) file.push_back(raw_record(bytes));
}

}  // namespace tracelint
