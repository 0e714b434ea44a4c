// Faults that can be planted in a generated log, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along.
#pragma once

#include "grammars/mlpd/generator/model.hpp"
#include "grammars/mlpd/generator/model_plan.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"
#include "validator/leb128.hpp"

namespace tracelint::mlpd::faults {

using File = FileRecords;
using Planted = PlantedFault::Planted;
using Plant = std::optional<Planted>(File& file, Random& random);

// The header: rules 1 to 11
Plant truncated_header, bad_magic, unsupported_data_version, unknown_major_version, bad_pointer_size,
    header_flags_nonzero, header_string_overruns_file, header_string_cut, header_string_not_terminated,
    header_string_size_zero, header_string_embedded_nul, header_string_utf8;
// Buffers: rules 14 to 22
Plant bad_buffer_id, garbage_between_buffers, buffer_ends_too_soon, concatenated_files, truncated_buffer_header,
    trailing_bytes, truncated_buffer, last_len_too_large, len_exceeds_file, buffer_length_negative, zero_thread_id,
    buffer_time_regression;
// What ends the reading of a buffer: rules 23 to 26, 31 to 35, 38, 41, 54
Plant event_overruns_buffer, buffer_ends_in_event, leb128_truncated, leb128_too_long, leb128_overflow,
    unknown_event_type, unknown_event_subtype, len_spans_two_buffers, event_not_in_version, event_of_other_version,
    jit_helper_not_in_version, binary_not_in_version, class_unload_not_in_version, unknown_metadata_type,
    metadata_subtype_mismatch, unterminated_string, count_exceeds_buffer, counter_type_range;
// Fields: rules 27 to 61, 70 to 76, 95 and 96
Plant leb128_non_canonical, pointer_width_overflow, time_delta_wraps, time_overflow, metadata_flags_nonzero,
    backtrace_flags_nonzero, invalid_utf8, move_missing, move_added, gc_event_range, gc_generation_range,
    gc_handle_type_range, exception_clause_type_range, monitor_event_range, monitor_event_in_subtype,
    sync_point_type_range, jit_helper_type_range, heap_generation_range, sample_type_range, counter_section_range,
    counter_unit_variance, counter_string_flag, heap_ref_offset_range, null_object, null_heap_object, null_method,
    null_method_compiled, bad_mvid, bad_aot_id;
// Counters and coverage: rules 57 to 60 and 99
Plant counter_index_zero, duplicate_counter_index, unknown_counter_index, counter_type_mismatch,
    coverage_statement_alone, coverage_statement_missing, coverage_count_wrong, coverage_method_missing;
// Heapshots: rules 63 to 69
Plant heap_object_outside, heap_start_missing, heapshot_end_alone, heapshot_start_missing, heapshot_nested,
    heapshot_end_missing, heapshot_unterminated, heap_object_duplicate, heap_object_continuation_alone,
    heap_object_size_zero, heap_ref_dangling;
// What is used, loaded and unloaded: rules 74 to 81
Plant undefined_method, undefined_frame, undefined_call, undefined_class, undefined_class_of_vtable, undefined_vtable,
    undefined_image, undefined_domain, type_loaded_in_later_window, image_loaded_in_later_window, duplicate_load,
    unload_without_load, load_missing, double_unload;
// What a thread does: rules 84 to 92
Plant leave_without_enter, enter_missing, leave_mismatch, leave_missing, gc_event_alone, gc_event_missing,
    world_start_alone, world_stop_twice, finalizer_end_alone, finalizer_end_of_other, finalizer_start_missing;

// The op bytes of metadata (3.7).
inline constexpr uint64_t kName = 0x02, kLoad = 0x22, kUnload = 0x42;

// The records of one buffer, by their numbers.
struct Buffer {
    size_t header;
    size_t end;  // behind its events
};
std::vector<Buffer> buffers_of(const File& file);
std::optional<Buffer> any_buffer(const File& file, Random& random);
// The one that the record is in.
Buffer buffer_of(const File& file, size_t record);
uint64_t thread_of(const File& file, size_t record);

// The next record of the kind on the same thread, behind `at`, for which `fits(its number)` holds.
template <class Fits>
std::optional<size_t> next_on_thread(const File& file, size_t at, const Record& record, Fits fits) {
    const uint64_t thread = thread_of(file, at);
    uint64_t of = thread;
    for (size_t i = at + 1; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) of = file[i].number("thread_id");
        if (file[i].record == &record && of == thread && fits(i)) return i;
    }
    return std::nullopt;
}

// Of events; the header has one of its own, which is all there is in a file without buffers.
inline const Layout& event_layout(const File& file) { return file[file.size() > 1 ? 1 : 0].layout; }
inline uint16_t version_of(const File& file) { return event_layout(file).version; }
inline bool has(const File& file, const Record& record) { return record.exists_in(version_of(file)); }
inline bool is_event(const RecordValues& draft) { return draft.find("op") != nullptr; }
inline bool is_op(const RecordValues& draft, uint64_t op) { return is_event(draft) && draft.number("op") == op; }
// Metadata of a kind, or a call.
inline bool is_op(const RecordValues& draft, const Record& record, uint64_t op) {
    return draft.record == &record && is_op(draft, op);
}

inline bool is_leb(const Value& value) { return value.is_number() && value.leaf.field->is_leb(); }
// A LEB128 number of an event.
std::optional<ValuePlace> choose_leb(const File& file, Random& random);

// What the planned event becomes in this file.
RecordValues made(const File& file, Random& random, const Planned& planned);
// Puts it there.
void insert_event(File& file, Random& random, size_t at, const Planned& planned);
void insert_event(File& file, size_t at, RecordValues event);
void erase_event(File& file, size_t at);
// The whole event (E).
Planted at_event(const File& file, size_t at);

// What the buffer's thread is in the middle of.
struct Situation {
    bool in_heapshot = false, in_collection = false, is_stopped = false, in_finalizer = false;
    std::vector<uint64_t> calls;  // methods
};
// A place for one more event, where the thread that the buffer is of is in a situation that fits:
// `fits(the situation in front of it)`. Not before what everything uses is loaded.
std::optional<size_t> choose_situation(const File& file, Random& random, bool (*fits)(const Situation&));
inline bool any_situation(const Situation&) { return true; }
Situation situation_at(const File& file, size_t before);

// A number that one of the events in front of `before` gives in `field`, for which `fits(that event)` holds.
template <class Fits>
std::optional<uint64_t> known(const File& file, Random& random, const Record& record, std::string_view field,
                              size_t before, Fits fits) {
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < before; ++i)
        if (file[i].record == &record && fits(file[i])) numbers.push_back(file[i].number(field));
    if (numbers.empty()) return std::nullopt;
    return pick_of(random, numbers);
}
// What is loaded in front of `before` and stays.
std::optional<uint64_t> known_class(const File& file, size_t before);
std::optional<uint64_t> known_image(const File& file, size_t before);
std::optional<uint64_t> known_method(const File& file, size_t before);
// An object event with a known class or vtable, whichever the version names.
std::optional<Planned> with_known_type(const File& file, const Record& record, size_t before);

// Numbers that no generated file has: a pointer, an object, a domain.
uint64_t fresh_pointer(const File& file, Random& random);
uint64_t fresh_object(const File& file, Random& random);
uint64_t fresh_domain(Random& random);

}  // namespace tracelint::mlpd::faults
