// Faults to plant in a generated log, and what they share. Each changes one thing, in a place where it breaks no other
// rule.
#pragma once

#include "grammars/mlpd/generator/model.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::mlpd::faults {

extern const FaultList kHeaderFaults, kBufferFaults, kFramingFaults, kFieldFaults, kCounterFaults, kHeapFaults,
    kLoadFaults, kThreadFaults;

// The largest length or count that readers hold in an int.
inline constexpr uint64_t kLargestInt = 0x7fffffff;
// Since this version, classes, images and others are unloaded.
inline constexpr uint16_t kUnloadsSince = 11;
// Op bytes of metadata events.
inline constexpr uint64_t kName = 0x02, kLoad = 0x22, kUnload = 0x42;

// A buffer, by the indices of its records.
struct Buffer {
    size_t header;
    size_t end;  // after its last event
};
std::vector<Buffer> buffers_of(const FileRecords& file);
std::optional<Buffer> any_buffer(const FileRecords& file, Random& random);
// The buffer that contains the record.
Buffer buffer_of(const FileRecords& file, size_t record);
uint64_t thread_of(const FileRecords& file, size_t record);

// The next record of the kind after `at`, on the same thread, for which `fits(index)` holds.
template <class Fits>
std::optional<size_t> next_on_thread(const FileRecords& file, size_t at, const Record& record, Fits fits) {
    const uint64_t thread = thread_of(file, at);
    uint64_t of = thread;
    for (size_t i = at + 1; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) of = file[i].number("thread_id");
        if (file[i].record == &record && of == thread && fits(i)) return i;
    }
    return std::nullopt;
}

// The layout of events, which differs from that of the header. A file without buffers has the header only.
inline const Layout& event_layout(const FileRecords& file) { return file[file.size() > 1 ? 1 : 0].layout; }
inline uint16_t version_of(const FileRecords& file) { return event_layout(file).version; }
inline bool has(const FileRecords& file, const Record& record) { return record.exists_in(version_of(file)); }
inline bool is_event(const RecordValues& record) { return record.find("op") != nullptr; }
inline bool is_op(const RecordValues& record, uint64_t op) { return is_event(record) && record.number("op") == op; }
// For kinds of records whose op byte varies, such as metadata.
inline bool is_op(const RecordValues& record, const Record& kind, uint64_t op) {
    return record.record == &kind && is_op(record, op);
}

inline bool is_leb(const Value& value) { return value.is_number() && value.leaf.field->is_leb(); }
// A LEB128 number of an event.
std::optional<ValuePlace> choose_leb(const FileRecords& file, Random& random);

// Generates the planned event for this file.
RecordValues made(const FileRecords& file, Random& random, const PlannedRecord& planned);
// Inserts or erases an event at index `at`, and updates the buffers.
void insert_event(FileRecords& file, Random& random, size_t at, const PlannedRecord& planned);
void insert_event(FileRecords& file, size_t at, RecordValues event);
void erase_event(FileRecords& file, size_t at);
// The finding covers the whole event.
Planted at_event(const FileRecords& file, size_t at);

// The state of a thread at some point.
struct Situation {
    bool in_heapshot = false, in_collection = false, is_stopped = false, in_finalizer = false;
    std::vector<uint64_t> calls;  // methods
};
// An index for a new event at which `fits(situation of the thread)` holds. Not in the first buffer, which loads what
// everything else uses.
std::optional<size_t> choose_situation(const FileRecords& file, Random& random, bool (*fits)(const Situation&));
inline bool any_situation(const Situation&) { return true; }
Situation situation_at(const FileRecords& file, size_t before);

// The value of `field` in an event of the kind before index `before`, for which `fits(event)` holds.
template <class Fits>
std::optional<uint64_t> known(const FileRecords& file, Random& random, const Record& record, std::string_view field,
                              size_t before, Fits fits) {
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < before; ++i)
        if (file[i].record == &record && fits(file[i])) numbers.push_back(file[i].number(field));
    if (numbers.empty()) return std::nullopt;
    return pick_of(random, numbers);
}
// Something that is loaded before index `before` and never unloaded.
std::optional<uint64_t> known_class(const FileRecords& file, size_t before);
std::optional<uint64_t> known_image(const FileRecords& file, size_t before);
std::optional<uint64_t> known_method(const FileRecords& file, size_t before);
// Plans an object event with a known class or vtable, depending on the version.
std::optional<PlannedRecord> with_known_type(const FileRecords& file, const Record& record, size_t before);

// Numbers that do not occur in generated files: a pointer, an object, a domain.
uint64_t fresh_pointer(const FileRecords& file, Random& random);
uint64_t fresh_object(const FileRecords& file, Random& random);
uint64_t fresh_domain(Random& random);

}  // namespace tracelint::mlpd::faults
