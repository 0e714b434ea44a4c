// Faults to plant in a session, and what they share. Each changes one thing, in a place where it breaks no other rule.
#pragma once

#include "grammars/nettrace/generator/model.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"

namespace tracelint::nettrace::faults {

extern const FaultList kFileFaults, kBlockFaults, kEventFaults, kThreadFaults, kMetadataFaults;

inline uint16_t version_of(const FileRecords& file) { return session_layout(file).version; }
inline bool is_plain(const FileRecords& file) { return version_of(file) == kPlainBlocks; }
inline bool is_netperf(const FileRecords& file) { return version_of(file) <= kNetperf3; }

// A block, by the indices of its records.
struct BlockRecords {
    Kind kind;
    size_t start;  // its object, or in version 6 its header
    size_t begin;  // the first record of its content
    size_t end;    // behind the last one
};
// Those of versions 3 and later, apart from the Trace.
std::vector<BlockRecords> blocks_of(const FileRecords& file);
// One of the kind for which `fits(block)` holds.
template <class Fits>
std::optional<BlockRecords> choose_block(const FileRecords& file, Random& random, Kind kind, Fits fits) {
    std::vector<BlockRecords> blocks = blocks_of(file);
    std::erase_if(blocks, [&](const BlockRecords& block) { return block.kind != kind || !fits(block); });
    if (blocks.empty()) return std::nullopt;
    return pick_of(random, blocks);
}
inline bool any_block(const BlockRecords&) { return true; }
// The index of the record that has the size of the block.
inline size_t size_record_of(const FileRecords& file, const BlockRecords& block) {
    return is_plain(file) ? block.start : block.start + 1;
}

// What an event says, with what it inherits.
struct EventValues {
    uint64_t metadata_id = 0, capture_thread = 0, thread = 0, processor = 0, stack_id = 0, time = 0, label_list = 0;
    uint32_t number = 0;
    std::string payload{};
    bool is_sorted = false;
};
// The last event of a block with compressed headers, and the one before it.
struct LastEvent {
    BlockRecords block;
    size_t record;
    EventValues before, values;
    bool is_first = false;
};
template <class Fits>
std::optional<LastEvent> choose_last_event(const FileRecords& file, Random& random, Fits fits);
std::vector<LastEvent> last_events(const FileRecords& file);
template <class Fits>
std::optional<LastEvent> choose_last_event(const FileRecords& file, Random& random, Fits fits) {
    std::vector<LastEvent> events = last_events(file);
    std::erase_if(events, [&](const LastEvent& event) { return !fits(event); });
    if (events.empty()) return std::nullopt;
    return pick_of(random, events);
}
inline bool any_event(const LastEvent&) { return true; }
// Writes the event with all its fields.
void rewrite(FileRecords& file, const LastEvent& event);

// Appends a block of the kind before the end of the stream, or before record `at`. Returns the index of its first
// record.
size_t insert_block(FileRecords& file, size_t at, Kind kind, std::vector<RecordValues> content);
// Where the end of the stream is.
size_t end_of(const FileRecords& file);
// A record of these bytes.
RecordValues made(const FileRecords& file, const Record& record, const std::string& bytes);

// The last sequence point of the file; nothing if there is none.
std::optional<BlockRecords> last_point(const FileRecords& file);

}  // namespace tracelint::nettrace::faults
