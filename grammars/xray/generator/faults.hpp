// Faults to plant in a generated xray file, and what they share. Each changes one thing, in a place where it breaks no
// other rule.
#pragma once

#include "grammars/xray/walk_fdr_buffer.hpp"
#include "validator/format.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::xray::faults {

extern const FaultList kHeaderFaults, kFileFaults, kBufferFaults, kFieldFaults, kBasicFaults, kProfileFaults;

// A buffer, by the indices of its records.
struct Buffer {
    size_t start;       // BufferExtents; in version 1 equal to new_buffer
    size_t new_buffer;  // start of the preamble, which ends with NewCPUId
    size_t body;        // after the preamble
    size_t body_end;    // EndOfBuffer in version 1, otherwise equal to end
    size_t end;         // after the last record
};
std::vector<Buffer> buffers_of(const FileRecords& file);
std::optional<Buffer> any_buffer(const FileRecords& file, Random& random);
// The buffer that contains the record.
Buffer buffer_of(const FileRecords& file, size_t record);
// The size of a buffer without its BufferExtents, and the offset of a record in it, in bytes.
uint64_t size_of(const FileRecords& file, const Buffer& buffer);
uint64_t size_before(const FileRecords& file, const Buffer& buffer, size_t record);

// Whether the walk might find a buffer in this one if it searches from offset `from`.
bool hides_a_buffer(const FileRecords& file, const Buffer& buffer, uint64_t from);

// Whether BufferExtents precede buffers, as from version 2 on.
inline bool is_counted(const FileRecords& file) { return kBufferExtents.exists_in(layout_of(file).version); }
// Adjusts the count of a buffer that is about to grow by `by` bytes, or in version 1 the unused bytes after
// EndOfBuffer. Returns false and changes nothing if the result would break a rule.
bool resize(FileRecords& file, const Buffer& buffer, int64_t by);
// A place for a new record in a buffer: index `at` in the file.
struct Place {
    Buffer buffer;
    size_t at;
};
// All places except those between an entry and its argument.
std::vector<Place> places_in_bodies(const FileRecords& file);
std::vector<Place> places_in_buffers(const FileRecords& file);
// Inserts the record. Returns false and changes nothing if there is no room.
bool insert_at(FileRecords& file, const Place& place, RecordValues record);

// A metadata or function record with these numbers, and zeros elsewhere.
struct Number {
    std::string_view field;
    uint64_t number;
};
RecordValues made(const FileRecords& file, const Record& kind, std::initializer_list<Number> numbers,
                  std::string payload = {});

inline bool is_call(const RecordValues& record, Action action) {
    return record.record == &kFunction && record.number("action") == action;
}
inline bool is_entry(const RecordValues& record) { return is_call(record, kEntry) || is_call(record, kEntryArgs); }
inline bool is_event(const RecordValues& record) {
    return record.record == &kCustomEvent || record.record == &kTypedEvent;
}
inline bool has_kind(const RecordValues& record) { return record.find("kind") != nullptr; }

// The TSC of a thread in a buffer.
struct Clock {
    std::optional<uint64_t> first;
    uint64_t now = 0;

    void pass(const RecordValues& record);
};
// The clock after the records of the buffer before index `before`.
Clock clock_at(const FileRecords& file, const Buffer& buffer, size_t before);

}  // namespace tracelint::xray::faults
