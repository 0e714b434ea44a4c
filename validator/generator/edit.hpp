// Edits of a file that is taken apart or generated, for those who break it in one place.
#pragma once

#include <optional>

#include "validator/format.hpp"
#include "validator/generator/generate.hpp"
#include "validator/generator/random.hpp"

namespace tracelint {

// Where a planted fault is to be found: at a field, or at bytes of a record.
inline PlantedFault::Planted at_field(size_t record, std::string_view field) {
    return {record, field, kNone, 0, 0, {}};
}
inline PlantedFault::Planted at_bytes(size_t record, uint64_t offset, uint64_t length) {
    return {record, {}, kNone, offset, length, {}};
}

inline bool any(size_t) { return true; }

// The number of a record of the kind for which `fits(its number)` holds.
template <class Fits>
std::optional<size_t> choose(const FileRecords& file, Random& random, const Record& record, Fits fits) {
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &record && fits(i)) places.push_back(i);
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

// A value of a record, by their numbers.
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

// Bytes of the record in front of the value.
inline uint64_t offset_of(const RecordValues& draft, size_t value) {
    RecordValues part;
    part.layout = draft.layout;
    part.values.assign(draft.values.begin(), draft.values.begin() + static_cast<std::ptrdiff_t>(value));
    std::string bytes;
    encode(part, bytes);
    return bytes.size();
}

// The finding is at the value, as it stands in the file now.
inline PlantedFault::Planted at_value(const FileRecords& file, const ValuePlace& at) {
    const uint64_t offset = offset_of(file[at.record], at.value);
    return at_bytes(at.record, offset, offset_of(file[at.record], at.value + 1) - offset);
}

inline void insert(FileRecords& file, size_t at, RecordValues draft) {
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), std::move(draft));
}

inline void erase(FileRecords& file, size_t first, size_t last) {
    file.erase(file.begin() + static_cast<std::ptrdiff_t>(first), file.begin() + static_cast<std::ptrdiff_t>(last));
}
inline void erase(FileRecords& file, size_t at) { erase(file, at, at + 1); }

// What the file's header decided; a file is never empty.
inline const Layout& layout_of(const FileRecords& file) { return file.front().layout; }

inline std::string bytes_of(const RecordValues& draft) {
    std::string bytes;
    encode(draft, bytes);
    return bytes;
}

// Bytes of the records from `first` up to `last`.
inline uint64_t size_of(const FileRecords& file, size_t first, size_t last) {
    uint64_t size = 0;
    for (size_t i = first; i < last; ++i) size += bytes_of(file[i]).size();
    return size;
}

// Adds bytes behind the last field.
inline void append_raw(RecordValues& draft, std::string bytes) {
    Value value;
    value.leaf.kind = Leaf::Kind::raw;
    value.text = std::move(bytes);
    draft.values.push_back(std::move(value));
}

// Bytes that need not be a record.
inline RecordValues raw_draft(std::string bytes) {
    RecordValues draft;
    append_raw(draft, std::move(bytes));
    return draft;
}

// Ends the file inside of a record, of which `left` bytes stay.
inline void cut(FileRecords& file, size_t at, uint64_t left) {
    const std::string bytes = bytes_of(file[at]).substr(0, left);
    erase(file, at, file.size());
    if (left != 0) file.push_back(raw_draft(bytes));
}

}  // namespace tracelint
