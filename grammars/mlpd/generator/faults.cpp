// What planted faults share.
#include "grammars/mlpd/generator/faults.hpp"

#include <map>

namespace tracelint::mlpd::faults {
namespace {

// A model that generates one planned event.
class OneEvent final : public Model {
  public:
    OneEvent(const PlannedRecord& planned, const Layout& layout) : planned_(planned), layout_(layout) {}
    const Layout& layout() const override { return layout_; }
    const Record* next(uint64_t, uint64_t) override { return nullptr; }
    void fill(Value& value, const RecordValues&) override { planned_.fill(value); }
    uint64_t size_of(const Field& field, const RecordValues&) override { return planned_.size_of(field); }

  private:
    const PlannedRecord& planned_;
    const Layout& layout_;
};

constexpr uint64_t kPreStopWorld = 6;

// Updates the state of a thread by an event.
void pass(Situation& now, const RecordValues& event) {
    const uint64_t op = event.number("op");
    if (event.record == &kHeapStart) now.in_heapshot = true;
    if (event.record == &kHeapEnd) now.in_heapshot = false;
    if (event.record == &kSyncPoint && event.number("type") != 0) now.is_stopped = event.number("type") == 1;
    if (event.record == &kFinalizeObjectStart) now.in_finalizer = true;
    if (event.record == &kFinalizeObjectEnd) now.in_finalizer = false;
    if (event.record == &kGcEvent) {
        const uint64_t last = kFinalizeStart.exists_in(event.layout.version) ? 11 : 9;
        if (event.number("event") == kPreStopWorld) now.in_collection = true;
        if (event.number("event") == last) now.in_collection = false;
    }
    if (event.record == &kEnter) now.calls.push_back(event.number("method"));
    if ((event.record == &kLeave || event.record == &kExceptionLeave) && !now.calls.empty()) now.calls.pop_back();
    if (event.record == &kThread && op == kUnload) now.calls.clear();
}

bool is_unloaded(const FileRecords& file, const Record& kind, uint64_t pointer) {
    return std::any_of(file.begin(), file.end(), [&](const RecordValues& record) {
        return is_op(record, kind, kUnload) && record.number("pointer") == pointer;
    });
}

// The first object of the kind that is loaded before index `before` and never unloaded.
std::optional<uint64_t> first_loaded(const FileRecords& file, const Record& record, size_t before) {
    for (size_t i = 0; i < before; ++i)
        if (is_op(file[i], record, kLoad) && !is_unloaded(file, record, file[i].number("pointer")))
            return file[i].number("pointer");
    return std::nullopt;
}

}  // namespace

std::vector<Buffer> buffers_of(const FileRecords& file) {
    std::vector<Buffer> buffers;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) buffers.push_back({i, i});
        if (!buffers.empty()) buffers.back().end = i + 1;
    }
    return buffers;
}

std::optional<Buffer> any_buffer(const FileRecords& file, Random& random) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return buffers.empty() ? std::nullopt : std::optional(pick_of(random, buffers));
}

Buffer buffer_of(const FileRecords& file, size_t record) {
    const std::vector<Buffer> buffers = buffers_of(file);
    return *std::find_if(buffers.begin(), buffers.end(), [&](const Buffer& buffer) { return record < buffer.end; });
}

uint64_t thread_of(const FileRecords& file, size_t record) {
    return file[buffer_of(file, record).header].number("thread_id");
}

std::optional<ValuePlace> choose_leb(const FileRecords& file, Random& random) {
    return choose_value(
        file, random, [](const RecordValues& record, const Value& value) { return is_event(record) && is_leb(value); });
}

RecordValues made(const FileRecords& file, Random& random, const PlannedRecord& planned) {
    OneEvent model(planned, event_layout(file));
    return generate_record(model, random, planned.record());
}

void insert_event(FileRecords& file, Random& random, size_t at, const PlannedRecord& planned) {
    insert_event(file, at, made(file, random, planned));
}

void insert_event(FileRecords& file, size_t at, RecordValues event) {
    event.set("time", 0);
    insert(file, at, std::move(event));
    update_buffers(file);
}

void erase_event(FileRecords& file, size_t at) {
    erase(file, at);
    update_buffers(file);
}

Planted at_event(const FileRecords& file, size_t at) { return at_bytes(at, 0, bytes_of(file[at]).size()); }

Situation situation_at(const FileRecords& file, size_t before) {
    std::map<uint64_t, Situation> threads;
    uint64_t thread = 0;
    for (size_t i = 1; i < before; ++i) {
        if (file[i].record == &kBuffer) thread = file[i].number("thread_id");
        pass(threads[thread], file[i]);
    }
    return threads[thread];
}

std::optional<size_t> choose_situation(const FileRecords& file, Random& random, bool (*fits)(const Situation&)) {
    std::map<uint64_t, Situation> threads;
    std::vector<size_t> places;
    const std::vector<Buffer> buffers = buffers_of(file);
    if (buffers.empty()) return std::nullopt;
    const size_t first = buffers.front().end;  // the first buffer loads what everything else uses
    uint64_t thread = 0;
    for (size_t i = 1; i < file.size(); ++i) {
        if (file[i].record == &kBuffer) thread = file[i].number("thread_id");
        Situation& now = threads[thread];
        pass(now, file[i]);
        if (i + 1 >= first && fits(now)) places.push_back(i + 1);
    }
    if (places.empty()) return std::nullopt;
    return pick_of(random, places);
}

std::optional<uint64_t> known_class(const FileRecords& file, size_t before) {
    return first_loaded(file, kClass, before);
}
std::optional<uint64_t> known_image(const FileRecords& file, size_t before) {
    return first_loaded(file, kImage, before);
}

std::optional<uint64_t> known_method(const FileRecords& file, size_t before) {
    for (size_t i = 0; i < before; ++i)
        if (file[i].record == &kJit) return file[i].number("method");
    return std::nullopt;
}

std::optional<PlannedRecord> with_known_type(const FileRecords& file, const Record& record, size_t before) {
    const bool has_vtables = has(file, kVtable);
    const std::optional<uint64_t> type = first_loaded(file, either(has_vtables, kVtable, kClass), before);
    if (!type) return std::nullopt;
    return PlannedRecord(record).with(has_vtables ? "vtable" : "class", *type);
}

// The model draws from other ranges.
uint64_t fresh_pointer(const FileRecords& file, Random& random) {
    return (event_layout(file).word_size == 4 ? 0x61000000 : 0x5500'0000'0000) + 16 * below(random, 1000);
}

uint64_t fresh_object(const FileRecords& file, Random& random) {
    return (event_layout(file).word_size == 4 ? 0x33000000 : 0x6600'0000'0000) + 8 * below(random, 1000);
}

uint64_t fresh_domain(Random& random) { return 1'000'000 + below(random, 1000); }

}  // namespace tracelint::mlpd::faults
