// Planted faults after which the rest of a buffer cannot be read.
#include "grammars/mlpd/generator/faults.hpp"

namespace tracelint::mlpd::faults {
namespace {

constexpr uint16_t kNoLoadErrorsSince = 11, kMonitorEventsSince = 14;

bool is_string(const Value& value) {
    return value.leaf.kind == Leaf::Kind::value && value.leaf.field->type == Type::string;
}

uint64_t size_of(const RecordValues& record, size_t value) {
    return offset_of(record, value + 1) - offset_of(record, value);
}

// Whether `left` bytes of the event are enough for the counts in them, so that count-exceeds-buffer is not reported.
bool counts_fit(const RecordValues& record, uint64_t left) {
    for (size_t v = 0; v < record.values.size(); ++v) {
        const Leaf& leaf = record.values[v].leaf;
        if (leaf.kind != Leaf::Kind::list || leaf.number == kNone) continue;
        const uint64_t start = offset_of(record, v);
        if (start <= left && leaf.number * minimum_size(*leaf.field->element, record.layout) > left - start)
            return false;
    }
    return true;
}

// Ends the buffer after the first `left` bytes of the event.
void end_buffer_in(FileRecords& file, size_t at, uint64_t left) {
    erase(file, at + 1, buffer_of(file, at).end);
    file[at] = raw_record(bytes_of(file[at]).substr(0, left));
    update_buffers(file);
}

// A place in an event, after its first field.
struct Cut {
    size_t record;
    uint64_t left;
};
std::optional<Cut> choose_cut(const FileRecords& file, Random& random) {
    const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
        return is_event(record) && &value != &record.values.front() && value.leaf.kind == Leaf::Kind::value;
    });
    if (!at) return std::nullopt;
    const RecordValues& event = file[at->record];
    const Field& field = *event.values[at->value].leaf.field;
    uint64_t left = offset_of(event, at->value);
    if (field.is_fixed()) left += below(random, field.width);  // or inside the field
    if (!counts_fit(event, left)) return std::nullopt;
    return Cut{at->record, left};
}

// Replaces a LEB128 number. What follows is not read.
std::optional<Planted> replace_leb(FileRecords& file, Random& random, std::string (*draw)(Random&, bool is_signed)) {
    const auto at = choose_leb(file, random);
    if (!at) return std::nullopt;
    RecordValues& event = file[at->record];
    Value& value = event.values[at->value];
    const uint64_t offset = offset_of(event, at->value);
    value.text = draw(random, value.leaf.field->type == Type::sleb128);
    value.leaf.kind = Leaf::Kind::raw;
    update_buffers(file);
    return at_bytes(at->record, offset, kLongestLeb);
}

std::string draw_leb_bytes(Random& random, uint64_t size) {
    std::string bytes = random_bytes(random, size);
    for (char& byte : bytes) byte = static_cast<char>(byte | 0x80);
    return bytes;
}

// Sets the op byte of any event. The finding is at the op byte.
std::optional<Planted> set_op(FileRecords& file, Random& random, const std::vector<uint64_t>& ops) {
    std::vector<size_t> events;
    for (size_t i = 0; i < file.size(); ++i)
        if (is_event(file[i])) events.push_back(i);
    if (ops.empty() || events.empty()) return std::nullopt;
    const size_t at = pick_of(random, events);
    file[at].set("op", pick_of(random, ops));
    return at_bytes(at, 0, 1);
}

// Event types are below this in all versions.
constexpr uint64_t kTypes = 11;

// Whether the op byte exists in any version (section 3.6). Type 5 is as in versions from 14 on.
bool is_in_some_version(uint64_t op) {
    static constexpr uint16_t kSubtypes[kTypes] = {
        0x0003,  // bit x: type 0 has x
        0x0ffe, 0x1515, 0x001e, 0x0303, 0x0f0f, 0x003f, 0x001f, 0x0002, 0x000f, 0x0003,
    };
    return (op & 15) < kTypes && (kSubtypes[op & 15] >> (op >> 4) & 1) != 0;
}

// Records of metadata, by mtype minus 1.
constexpr const Record* kKinds[] = {&kClass, &kImage, &kAssembly, &kDomain, &kThread, &kContext, &kVtable};

// Whether metadata of the kind has the subtype (section 3.7).
bool is_legal(uint64_t kind, uint64_t subtype, uint16_t version) {
    const bool has_unloads = version >= kUnloadsSince;
    switch (kind) {
        case 1: return subtype == 2 || (subtype == 4 && has_unloads);
        case 2: return subtype == 2 || (subtype == 4 && has_unloads);
        case 3:
        case 6: return subtype == 2 || subtype == 4;
        case 4: return true;
        case 5: return subtype == 0 || has_unloads;
        default: return subtype == 2;
    }
}

// Whether the walk may find a buffer `skipped` bytes after the start of the record: one with a valid id, or one whose
// length leads to the end of the file or to another id (section 4.1).
bool may_be_buffer(const FileRecords& file, size_t record, uint64_t skipped) {
    std::string bytes;
    for (size_t i = record; i < file.size(); ++i) bytes += bytes_of(file[i]);
    const auto number_at = [&](uint64_t at) { return load(as_bytes(bytes).data() + at, 4, ByteOrder::little); };
    const auto is_id_at = [&](uint64_t at) { return at + 4 <= bytes.size() && number_at(at) == kBufferId; };
    if (is_id_at(skipped)) return true;
    if (skipped + kBufferHeaderSize > bytes.size()) return false;
    const uint64_t end = skipped + kBufferHeaderSize + number_at(skipped + 4);
    return end == bytes.size() || is_id_at(end);
}

constexpr FaultRow kFramingRows[] = {
    // The buffer ends in an event.
    {"mlpd/event-overruns-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto place = choose_cut(file, random);
         if (!place) return std::nullopt;
         end_buffer_in(file, place->record, place->left);
         return at_bytes(place->record, 0, place->left);
     }},
    // Only the length ends the buffer in an event. The garbage after it is not reported.
    {"mlpd/event-overruns-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto place = choose_cut(file, random);
         if (!place) return std::nullopt;
         const Buffer buffer = buffer_of(file, place->record);
         const uint64_t len = tracelint::size_of(file, buffer.header + 1, place->record) + place->left;
         file[buffer.header].set("len", len);
         return at_bytes(place->record, 0, place->left);
     }},
    {"mlpd/leb128-truncated",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_leb(file, random);
         if (!at) return std::nullopt;
         const RecordValues& event = file[at->record];
         const uint64_t offset = offset_of(event, at->value), size = size_of(event, at->value);
         if (size == 1) return std::nullopt;
         const uint64_t left = between(random, 1, size - 1);
         if (!counts_fit(event, offset + left)) return std::nullopt;
         end_buffer_in(file, at->record, offset + left);
         return at_bytes(at->record, offset, left);
     }},
    {"mlpd/leb128-too-long",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return replace_leb(file, random, [](Random& r, bool) {
             return draw_leb_bytes(r, between(r, kLongestLeb, kLongestLeb + 3)) + '\1';
         });
     }},
    // Only one bit of the tenth byte belongs to the number.
    {"mlpd/leb128-overflow",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         return replace_leb(file, random, [](Random& r, bool is_signed) {
             const uint64_t last = is_signed ? between(r, 1, 0x7e) : between(r, 2, 0x7f);
             return draw_leb_bytes(r, kLongestLeb - 1) + static_cast<char>(last);
         });
     }},
    {"mlpd/unknown-event-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<uint64_t> ops;
         for (uint64_t op = 0; op < 256; ++op)
             if ((op & 15) >= kTypes) ops.push_back(op);
         return set_op(file, random, ops);
     }},
    // A subtype that no version has.
    {"mlpd/unknown-event-subtype",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<uint64_t> ops;
         for (uint64_t op = 0; op < 256; ++op) {
             const bool is_old_monitor = (op & 15) == 5 && version_of(file) < kMonitorEventsSince;
             if ((op & 15) < kTypes && !is_in_some_version(op) && !is_old_monitor) ops.push_back(op);
         }
         return set_op(file, random, ops);
     }},
    // The length includes the next buffer, whose id is read as an event.
    {"mlpd/unknown-event-subtype",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto buffer = any_buffer(file, random);
         if (!buffer || buffer->end == file.size()) return std::nullopt;
         const size_t first = buffer->header + 1;
         const uint64_t rest = tracelint::size_of(file, first, file.size());
         const uint64_t len = between(random, tracelint::size_of(file, first, buffer->end) + 1, rest);
         if (may_be_buffer(file, first, len)) return std::nullopt;
         file[buffer->header].set("len", len);
         return at_bytes(buffer->end, 0, 1);
     }},
    // The op byte of an event of other versions.
    {"mlpd/event-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<uint64_t> ops;
         const uint16_t version = version_of(file);
         for (const Record* record : RecordList{&kHandleCreatedBacktrace,
                                                &kHandleDestroyedBacktrace,
                                                &kFinalizeStart,
                                                &kFinalizeEnd,
                                                &kFinalizeObjectStart,
                                                &kFinalizeObjectEnd,
                                                &kHeapRoot,
                                                &kRootRegister,
                                                &kRootUnregister,
                                                &kSampleHit,
                                                &kSampleSymbol,
                                                &kCountersDescription,
                                                &kCounters,
                                                &kJitHelper,
                                                &kCoverageAssembly,
                                                &kCoverageMethod,
                                                &kCoverageStatement,
                                                &kCoverageClass,
                                                &kSyncPoint,
                                                &kAotId})
             if (!record->exists_in(version)) ops.push_back(record->tag);
         if (version < 4) ops.push_back(kSampleBinary.tag);
         if (version >= kMonitorEventsSince) ops.insert(ops.end(), {0x15, 0x25, 0x35, 0x95, 0xA5, 0xB5, 0x94});
         if (version >= kNoLoadErrorsSince) ops.insert(ops.end(), {0x82, 0xA2, 0xC2});
         return set_op(file, random, ops);
     }},
    // A whole event of another version.
    {"mlpd/event-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         static constexpr std::pair<const Record*, uint16_t> kEvents[] = {
             {&kFinalizeStart, 13}, {&kHeapRoot, 12}, {&kRootUnregister, 15}, {&kSampleSymbol, 12},
             {&kSyncPoint, 17},     {&kAotId, 17},    {&kCoverageMethod, 15}, {&kOldMonitor, 13},
         };
         const auto& [record, version] = pick_of(random, kEvents);
         const auto at = choose_situation(file, random, any_situation);
         if (!at || has(file, *record) || (record == &kOldMonitor && version_of(file) < kMonitorEventsSince))
             return std::nullopt;
         FileRecords other = file;
         other[1].layout.version = version;
         PlannedRecord event(*record);
         event.with("op", record->tag).with("object", fresh_object(file, random));
         insert_event(file, *at, made(other, random, event));
         return at_bytes(*at, 0, 1);
     }},
    // Kinds of trampolines that version 17 does not have (section 3.8).
    {"mlpd/event-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || version_of(file) != kNewestVersion) return std::nullopt;
         insert_event(file, random, *at, PlannedRecord(kJitHelper).with("type", pick<uint64_t>(random, {1, 7})));
         return at_event(file, *at);
     }},
    // With the layout of version 15.
    {"mlpd/event-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_situation(file, random, any_situation);
         if (!at || version_of(file) < 16) return std::nullopt;
         FileRecords other = file;
         other[1].layout.version = 15;
         insert_event(file, *at, made(other, random, PlannedRecord(kSampleBinary)));
         return at_event(file, *at);
     }},
    // Later versions do not unload classes.
    {"mlpd/event-not-in-version",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         if (version_of(file) < 14) return std::nullopt;
         const auto at = choose(file, random, kClass, any);
         if (!at) return std::nullopt;
         RecordValues unload = file[*at];
         unload.set("op", kUnload);
         insert_event(file, *at + 1, unload);
         return at_event(file, *at + 1);
     }},
    {"mlpd/unknown-metadata-type",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         std::vector<uint64_t> types = {0, std::size(kKinds) + 1, between(random, std::size(kKinds) + 1, 255)};
         for (size_t i = 0; i < std::size(kKinds); ++i)
             if (!has(file, *kKinds[i])) types.push_back(i + 1);
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && value.leaf.field != nullptr && value.leaf.field->name == "mtype";
         });
         if (!at) return std::nullopt;
         file[at->record].values[at->value].leaf.number = pick_of(random, types);
         return at_value(file, *at);
     }},
    {"mlpd/metadata-subtype-mismatch",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const uint16_t version = version_of(file);
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && value.leaf.field != nullptr && value.leaf.field->name == "mtype";
         });
         if (!at) return std::nullopt;
         std::vector<uint64_t> ops;
         for (uint64_t subtype = 0; subtype <= (version < kNoLoadErrorsSince ? 12u : 4u); subtype += 2) {
             if (subtype == 6) continue;
             if (!is_legal(file[at->record].values[at->value].leaf.number, subtype & 7, version))
                 ops.push_back(subtype << 4 | 2);
         }
         if (ops.empty()) return std::nullopt;
         file[at->record].set("op", pick_of(random, ops));
         return at_bytes(at->record, 0, 1);
     }},
    {"mlpd/unterminated-string",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto at = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && is_string(value) && value.text.size() > 1;
         });
         if (!at) return std::nullopt;
         const RecordValues& event = file[at->record];
         const uint64_t offset = offset_of(event, at->value), size = size_of(event, at->value);
         const uint64_t left = one_in(random, 2) ? size - 1 : between(random, 1, size - 1);
         if (!counts_fit(event, offset + left)) return std::nullopt;
         end_buffer_in(file, at->record, offset + left);
         return at_bytes(at->record, offset, left);
     }},
    // More elements than fit in the rest of the buffer. Moves must have an even count.
    {"mlpd/count-exceeds-buffer",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto list = choose_value(file, random, [](const RecordValues& record, const Value& value) {
             return is_event(record) && value.leaf.kind == Leaf::Kind::list && value.leaf.number != kNone;
         });
         if (!list) return std::nullopt;
         RecordValues& event = file[list->record];
         const Field& field = *event.values[list->value].leaf.field;
         const uint64_t rest = tracelint::size_of(file, list->record, buffer_of(file, list->record).end);
         const uint64_t left = rest - offset_of(event, list->value);
         const uint64_t least = left / minimum_size(*field.element, event.layout) + 1;
         uint64_t count =
             one_in(random, 2) ? least : between(random, least, uint64_t{1} << below(random, 32) << 31 | least);
         if (event.record == &kGcMove) count += count & 1;
         event.set(field.counter, count);
         update_buffers(file);
         return at_field(list->record, field.counter);
     }},
    // In a description or in a sample.
    {"mlpd/counter-type-range",
     [](FileRecords& file, Random& random) -> std::optional<Planted> {
         const auto any_value = [](const RecordValues&, const Value&) { return true; };
         const auto at = break_check(file, random, "mlpd/counter-type-range", any_value, [](uint64_t) { return true; });
         if (!at) return std::nullopt;
         update_buffers(file);
         return at_value(file, *at);
     }},
};

}  // namespace

constinit const FaultList kFramingFaults{kFramingRows};

}  // namespace tracelint::mlpd::faults
