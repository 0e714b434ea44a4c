// Faults that can be planted in a generated jitdump file, each named after the rule that finds it, and what
// they share. Each changes one thing, where the file is such that nothing else comes along (section 5.6).
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/generator/bad_bytes.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::jitdump::faults {

using File = FileRecords;
using Planted = PlantedFault::Planted;
using Plant = std::optional<Planted>(File& file, Random& random);

// 5.1
Plant truncated_header, bad_magic, magic_byte_order, header_size_too_small, header_size_extended,
    header_size_exceeds_file, elf_machine_unknown, elf_machine_endian;
// 5.2
Plant truncated_record_header, truncated_record, record_size_too_small, record_body_too_small, unknown_record_kind,
    header_only_record, close_size, record_after_close, timestamp_regression, timestamp_zero, timestamp_clock_mix;
// 5.3
Plant load_name_unterminated, load_code_exceeds_record, load_trailing_bytes, load_address_overflow, load_address_zero,
    load_name_invalid_utf8, duplicate_code_index, load_pid_mismatch, move_trailing_bytes, move_unknown_code_index,
    move_size_mismatch, move_old_address_mismatch, move_address_overflow, move_pid_mismatch;
// 5.4
Plant debug_entry_count_overflow, debug_entry_truncated, debug_name_unterminated, debug_trailing_bytes,
    debug_line_invalid, debug_entry_out_of_range, debug_entry_order, debug_name_repeat_first, debug_name_invalid_utf8,
    debug_orphan, debug_after_load, debug_not_adjacent;
// 5.5
Plant unwinding_size_exceeds_record, unwinding_hdr_exceeds_data, unwinding_hdr_missing, unwinding_mapped_size,
    unwinding_trailing_bytes, eh_frame_hdr_version, eh_frame_hdr_encoding, eh_frame_hdr_overrun, eh_frame_length,
    eh_frame_cie_pointer, unwinding_superseded, unwinding_orphan;

// A record of nothing but a prefix and opaque bytes.
RecordValues opaque_record(const Record& record, uint64_t id, uint64_t timestamp, const std::string& body,
                           const Layout& layout);

// The next LOAD behind a record; nothing if there is none.
std::optional<size_t> next_load(const File& file, size_t after);
// Whether records that may name the address of the LOAD wait for it: DEBUG_INFO, or those of the extension.
bool is_waited_for(const File& file, size_t load);
// Whether a MOVE behind the record names the index.
bool is_moved_behind(const File& file, size_t record, uint64_t code_index);
bool is_moved_behind(const File& file, size_t load_or_move);
// Where a record can be put that must not follow CLOSE.
size_t end_before_close(const File& file);
// A timestamp that fits a new record in front of record `at`.
uint64_t timestamp_before(const File& file, size_t at);

}  // namespace tracelint::jitdump::faults
