// Faults to plant in a generated jitdump file, and what they share. Each changes one thing, in a place where it breaks
// no other rule.
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::jitdump::faults {

extern const FaultList kFramingFaults, kCodeFaults, kDebugInfoFaults, kUnwindingFaults, kFrameFaults;

// A record that consists of a prefix and opaque bytes.
RecordValues opaque_record(const Record& kind, uint64_t id, uint64_t timestamp, const std::string& body,
                           const Layout& layout);

// The next LOAD after record `after`.
std::optional<size_t> next_load(const FileRecords& file, size_t after);
// Whether records that belong to the LOAD precede it: DEBUG_INFO, or records of the extension.
bool has_pending_records(const FileRecords& file, size_t load);
// Whether a MOVE after the record has the code index.
bool is_moved_later(const FileRecords& file, size_t record, uint64_t code_index);
bool is_moved_later(const FileRecords& file, size_t load_or_move);
// The last place at which a record does not follow CLOSE.
size_t end_before_close(const FileRecords& file);
// A timestamp for a new record at index `at`.
uint64_t timestamp_before(const FileRecords& file, size_t at);

}  // namespace tracelint::jitdump::faults
