// Faults that can be planted in a generated jitdump file, each named after the rule that finds it, and what
// they share. Each changes one thing, where the file is such that nothing else comes along (section 5.6).
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/generator/bad_bytes.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::jitdump::faults {

extern const FaultList kFramingFaults, kCodeFaults, kDebugInfoFaults, kUnwindingFaults;

// A record of nothing but a prefix and opaque bytes.
RecordValues opaque_record(const Record& kind, uint64_t id, uint64_t timestamp, const std::string& body,
                           const Layout& layout);

// The next LOAD behind a record; nothing if there is none.
std::optional<size_t> next_load(const FileRecords& file, size_t after);
// Whether records that may name the address of the LOAD wait for it: DEBUG_INFO, or those of the extension.
bool is_waited_for(const FileRecords& file, size_t load);
// Whether a MOVE behind the record names the index.
bool is_moved_behind(const FileRecords& file, size_t record, uint64_t code_index);
bool is_moved_behind(const FileRecords& file, size_t load_or_move);
// Where a record can be put that must not follow CLOSE.
size_t end_before_close(const FileRecords& file);
// A timestamp that fits a new record in front of record `at`.
uint64_t timestamp_before(const FileRecords& file, size_t at);

}  // namespace tracelint::jitdump::faults
