// Faults that can be planted in a generated xray file, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along (section 5, Consequences).
#pragma once

#include "grammars/xray/fdr_file.hpp"
#include "validator/format.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::xray::faults {

using File = FileRecords;
using Planted = PlantedFault::Planted;
using Plant = std::optional<Planted>(File& file, Random& random);

// The header: rules 1 to 8
Plant truncated_header, unsupported_version, unknown_file_type, zero_cycle_frequency, empty_trace, zero_buffer_size;
// What a flight data recorder file consists of: rules 9 to 18
Plant truncated_buffer, buffer_extents_missing, garbage_before_buffer, extents_damaged, trailing_garbage,
    last_extents_damaged, extents_exceed_file, file_cut, extents_overclaim, extents_exceed_buffer_size,
    extents_too_small, truncated_record;
// What a buffer consists of: rules 17 to 31
Plant extents_cut_record, stride_cuts_record, event_size_nonpositive, event_payload_overrun, extents_cut_payload,
    preamble_swapped, preamble_record_missing, preamble_record_in_body, extents_in_body, extents_span_two_buffers,
    incomplete_preamble, missing_pid_record, end_of_buffer_in_later_version, record_of_later_version,
    unknown_record_kind, unknown_function_action, call_arg_without_entry, eob_missing;
// Fields: rules 27 to 41
Plant function_id_zero, tsc_backwards, tsc_overflow, negative_event_delta, wallclock_micros_range, wallclock_negative,
    thread_id_nonpositive, pid_nonpositive, overlapping_buffers, overlapping_in_time, duplicate_buffer;
// Basic files: rules 50 to 59
Plant basic_truncated_record, basic_unknown_record_type, basic_unknown_action, basic_arg_without_entry,
    basic_arg_mismatch, basic_arg_after_exit, basic_tail_exit_in_v1, basic_function_id, basic_tsc_backwards;
// Profiles: rules 70 to 81
Plant profile_truncated_header, profile_bad_version, profile_block_size, profile_file_cut, profile_block_number,
    profile_empty_block, profile_unterminated_path, profile_empty_path, profile_truncated_data, profile_trailing_bytes,
    profile_zero_count;

// The records of one buffer, by their numbers.
struct Buffer {
    size_t start;       // its BufferExtents; in version 1 the same as the next
    size_t new_buffer;  // begins its preamble, which ends with NewCPUId
    size_t body;        // behind that
    size_t body_end;    // EndOfBuffer in version 1, else the same as the next
    size_t end;
};
std::vector<Buffer> buffers_of(const File& file);
std::optional<Buffer> any_buffer(const File& file, Random& random);
// The one that the record is in.
Buffer buffer_of(const File& file, size_t record);
// Bytes of a buffer without its BufferExtents; those in front of one of its records.
uint64_t size_of(const File& file, const Buffer& buffer);
uint64_t size_before(const File& file, const Buffer& buffer, size_t record);

// Whether the walk, in search of the next buffer behind the first `from` bytes of this one, could find one in it.
bool hides_a_buffer(const File& file, const Buffer& buffer, uint64_t from);

// Version 2 on: buffers have a count in front of them.
inline bool is_counted(const File& file) { return kBufferExtents.exists_in(layout_of(file).version); }
// Makes the frame of the buffer fit what is about to be `by` bytes longer: its count, or in version 1 the rest behind
// EndOfBuffer. False, and nothing is done, where the frame would be at fault.
bool resize(File& file, const Buffer& buffer, int64_t by);
// Where a record can be put into a buffer: in front of record `at`, or behind the last one of its body.
struct Place {
    Buffer buffer;
    size_t at;
};
// Not between an entry and its argument.
std::vector<Place> places_in_bodies(const File& file);
std::vector<Place> places_in_buffers(const File& file);
// Puts it there. False, and nothing is done, where there is no room.
bool insert_at(File& file, const Place& place, RecordValues draft);

// A metadata record or function with these numbers, zeros elsewhere.
struct Number {
    std::string_view field;
    uint64_t number;
};
RecordValues made(const File& file, const Record& record, std::initializer_list<Number> numbers,
                  std::string payload = {});

inline bool is_call(const RecordValues& draft, Action action) {
    return draft.record == &kFunction && draft.number("action") == action;
}
inline bool is_entry(const RecordValues& draft) { return is_call(draft, kEntry) || is_call(draft, kEntryArgs); }
inline bool is_event(const RecordValues& draft) {
    return draft.record == &kCustomEvent || draft.record == &kTypedEvent;
}
inline bool has_kind(const RecordValues& draft) { return draft.find("kind") != nullptr; }

// How the TSC of a thread moves through a buffer.
struct Clock {
    std::optional<uint64_t> first;
    uint64_t now = 0;

    void pass(const RecordValues& draft);
};
// Behind the records of the buffer that stand in front of record `before`.
Clock clock_at(const File& file, const Buffer& buffer, size_t before);

}  // namespace tracelint::xray::faults
