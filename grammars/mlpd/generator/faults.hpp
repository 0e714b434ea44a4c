// Faults that can be planted in a generated log, each named after the rule that finds it, and what they share.
// Each changes one thing, where the file is such that nothing else comes along.
#pragma once

#include "grammars/mlpd/generator/model.hpp"
#include "grammars/mlpd/generator/model_plan.hpp"
#include "validator/generator/edit.hpp"
#include "validator/generator/field_faults.hpp"
#include "validator/leb128.hpp"

namespace tracelint::mlpd::faults {

extern const FaultList kHeaderFaults, kBufferFaults, kFramingFaults, kFieldFaults, kCounterFaults, kHeapFaults,
    kLoadFaults, kThreadFaults;

// The op bytes of metadata (3.7).
inline constexpr uint64_t kName = 0x02, kLoad = 0x22, kUnload = 0x42;

// The records of one buffer, by their numbers.
struct Buffer {
    size_t header;
    size_t end;  // behind its events
};
std::vector<Buffer> buffers_of(const FileRecords& file);
std::optional<Buffer> any_buffer(const FileRecords& file, Random& random);
// The one that the record is in.
Buffer buffer_of(const FileRecords& file, size_t record);
uint64_t thread_of(const FileRecords& file, size_t record);

// The next record of the kind on the same thread, behind `at`, for which `fits(its number)` holds.
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

// Of events; the header has one of its own, which is all there is in a file without buffers.
inline const Layout& event_layout(const FileRecords& file) { return file[file.size() > 1 ? 1 : 0].layout; }
inline uint16_t version_of(const FileRecords& file) { return event_layout(file).version; }
inline bool has(const FileRecords& file, const Record& record) { return record.exists_in(version_of(file)); }
inline bool is_event(const RecordValues& record) { return record.find("op") != nullptr; }
inline bool is_op(const RecordValues& record, uint64_t op) { return is_event(record) && record.number("op") == op; }
// Metadata of a kind, or a call.
inline bool is_op(const RecordValues& record, const Record& kind, uint64_t op) {
    return record.record == &kind && is_op(record, op);
}

inline bool is_leb(const Value& value) { return value.is_number() && value.leaf.field->is_leb(); }
// A LEB128 number of an event.
std::optional<ValuePlace> choose_leb(const FileRecords& file, Random& random);

// What the planned event becomes in this file.
RecordValues made(const FileRecords& file, Random& random, const PlannedRecord& planned);
// Puts it there.
void insert_event(FileRecords& file, Random& random, size_t at, const PlannedRecord& planned);
void insert_event(FileRecords& file, size_t at, RecordValues event);
void erase_event(FileRecords& file, size_t at);
// The whole event (E).
Planted at_event(const FileRecords& file, size_t at);

// What the buffer's thread is in the middle of.
struct Situation {
    bool in_heapshot = false, in_collection = false, is_stopped = false, in_finalizer = false;
    std::vector<uint64_t> calls;  // methods
};
// A place for one more event, where the thread that the buffer is of is in a situation that fits:
// `fits(the situation in front of it)`. Not before what everything uses is loaded.
std::optional<size_t> choose_situation(const FileRecords& file, Random& random, bool (*fits)(const Situation&));
inline bool any_situation(const Situation&) { return true; }
Situation situation_at(const FileRecords& file, size_t before);

// A number that one of the events in front of `before` gives in `field`, for which `fits(that event)` holds.
template <class Fits>
std::optional<uint64_t> known(const FileRecords& file, Random& random, const Record& record, std::string_view field,
                              size_t before, Fits fits) {
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < before; ++i)
        if (file[i].record == &record && fits(file[i])) numbers.push_back(file[i].number(field));
    if (numbers.empty()) return std::nullopt;
    return pick_of(random, numbers);
}
// What is loaded in front of `before` and stays.
std::optional<uint64_t> known_class(const FileRecords& file, size_t before);
std::optional<uint64_t> known_image(const FileRecords& file, size_t before);
std::optional<uint64_t> known_method(const FileRecords& file, size_t before);
// An object event with a known class or vtable, whichever the version names.
std::optional<PlannedRecord> with_known_type(const FileRecords& file, const Record& record, size_t before);

// Numbers that no generated file has: a pointer, an object, a domain.
uint64_t fresh_pointer(const FileRecords& file, Random& random);
uint64_t fresh_object(const FileRecords& file, Random& random);
uint64_t fresh_domain(Random& random);

}  // namespace tracelint::mlpd::faults
