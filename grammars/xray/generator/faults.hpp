// Faults that can be planted in a generated xray file, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along (section 5, Consequences).
#pragma once

#include "grammars/xray/fdr_file.hpp"
#include "validator/format.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::xray::faults {

extern const FaultList kHeaderFaults, kFileFaults, kBufferFaults, kFieldFaults, kBasicFaults, kProfileFaults;

// The records of one buffer, by their numbers.
struct Buffer {
    size_t start;       // its BufferExtents; in version 1 the same as the next
    size_t new_buffer;  // begins its preamble, which ends with NewCPUId
    size_t body;        // behind that
    size_t body_end;    // EndOfBuffer in version 1, else the same as the next
    size_t end;
};
std::vector<Buffer> buffers_of(const FileRecords& file);
std::optional<Buffer> any_buffer(const FileRecords& file, Random& random);
// The one that the record is in.
Buffer buffer_of(const FileRecords& file, size_t record);
// Bytes of a buffer without its BufferExtents; those in front of one of its records.
uint64_t size_of(const FileRecords& file, const Buffer& buffer);
uint64_t size_before(const FileRecords& file, const Buffer& buffer, size_t record);

// Whether the walk, in search of the next buffer behind the first `from` bytes of this one, could find one in it.
bool hides_a_buffer(const FileRecords& file, const Buffer& buffer, uint64_t from);

// Version 2 on: buffers have a count in front of them.
inline bool is_counted(const FileRecords& file) { return kBufferExtents.exists_in(layout_of(file).version); }
// Makes the frame of the buffer fit what is about to be `by` bytes longer: its count, or in version 1 the rest behind
// EndOfBuffer. False, and nothing is done, where the frame would be at fault.
bool resize(FileRecords& file, const Buffer& buffer, int64_t by);
// Where a record can be put into a buffer: in front of record `at`, or behind the last one of its body.
struct Place {
    Buffer buffer;
    size_t at;
};
// Not between an entry and its argument.
std::vector<Place> places_in_bodies(const FileRecords& file);
std::vector<Place> places_in_buffers(const FileRecords& file);
// Puts it there. False, and nothing is done, where there is no room.
bool insert_at(FileRecords& file, const Place& place, RecordValues record);

// A metadata record or function with these numbers, zeros elsewhere.
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

// How the TSC of a thread moves through a buffer.
struct Clock {
    std::optional<uint64_t> first;
    uint64_t now = 0;

    void pass(const RecordValues& record);
};
// Behind the records of the buffer that stand in front of record `before`.
Clock clock_at(const FileRecords& file, const Buffer& buffer, size_t before);

}  // namespace tracelint::xray::faults
