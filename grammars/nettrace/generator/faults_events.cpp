// Planted faults of events: their headers, what they refer to, their times.
#include "grammars/nettrace/generator/faults.hpp"

#include "validator/tables/leb128.hpp"

namespace tracelint::nettrace::faults {
namespace {

// Writes the last event of a block with one value changed. The finding is at the field.
template <class Fits, class Change>
std::optional<Planted> change_last_event(FileRecords& file, Random& random, std::string_view field, Fits fits,
                                         Change change) {
    auto event = choose_last_event(file, random, fits);
    if (!event) return std::nullopt;
    change(event->values);
    rewrite(file, *event);
    return at_field(event->record, field);
}

// Replaces a number of the last event of a block. What follows it is not read.
std::optional<Planted> replace_number(FileRecords& file, Random& random, const std::string& narrow,
                                      const std::string& wide, uint64_t length_of_narrow, uint64_t length_of_wide) {
    auto event = choose_last_event(file, random, any_event);
    if (!event) return std::nullopt;
    rewrite(file, *event);
    RecordValues& record = file[event->record];
    const auto field = pick<std::string_view>(
        random, {"metadata_id", "number_delta", "processor", "stack_id", "capture_thread", "thread", "time_delta"});
    const bool is_wide = field == "capture_thread" || field == "thread" || field == "time_delta";
    Value* const value = record.find(field);
    const auto index = static_cast<size_t>(value - record.values.data());
    const uint64_t offset = offset_of(record, index);
    value->text = is_wide ? wide : narrow;
    value->leaf.kind = Leaf::Kind::raw;
    update_blocks(file);
    return at_bytes(event->record, offset, is_wide ? length_of_wide : length_of_narrow);
}

bool is_second(const LastEvent& event) { return !event.is_first; }

// An event behind the last sequence point, alone in its block.
std::optional<size_t> append_event(FileRecords& file, const EventValues& values, uint64_t smallest, uint64_t largest) {
    if (is_netperf(file) || end_of(file) == file.size()) return std::nullopt;
    std::vector<RecordValues> content;
    content.push_back(made(
        file, kEventBlock,
        bytes_of_number(20, 2) + bytes_of_number(1, 2) + bytes_of_number(smallest, 8) + bytes_of_number(largest, 8)));
    content.push_back(made(file, kEvent, std::string(1, '\0') + bytes_of_varint(0)));
    const size_t first = insert_block(file, end_of(file), Kind::events, std::move(content));
    LastEvent event;
    event.record = first + 1;
    event.values = values;
    rewrite(file, event);
    return first + 1;
}

// An event with metadata, and a thread whose numbers and times go on from the last one of its kind.
struct Known {
    EventValues values;
    uint64_t point_time = 0;
};
// What an event behind the last sequence point may say.
std::optional<Known> known_event(const FileRecords& file) {
    const auto point = last_point(file);
    const std::vector<LastEvent> events = last_events(file);
    if (!point || events.empty() || point->end < point->begin + 2) return std::nullopt;
    Known known{events.back().values, file[point->begin].number("time")};
    const RecordValues& thread = file[point->begin + 1];
    known.values.capture_thread = known.values.thread = thread.number("thread");
    known.values.number = static_cast<uint32_t>(thread.number("number") + 1);
    known.values.stack_id = known.values.label_list = 0;
    known.values.is_sorted = true;
    known.values.time = known.point_time;
    // Nothing follows the sequence point, and it forgets nothing.
    if (point->end + (is_plain(file) ? 0 : 1) != end_of(file) || file[point->begin].number("flags") != 0)
        return std::nullopt;
    return known;
}

std::optional<size_t> choose_uncompressed(const FileRecords& file, Random& random) {
    return choose(file, random, kPlainEvent, any);
}

// clang-format off
constexpr FaultRow kEventRows[] = {
    {"nettrace/event-overruns-block", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto event = choose_last_event(file, random, any_event);
        if (!event) return std::nullopt;
        rewrite(file, *event);
        RecordValues& record = file[event->record];
        const uint64_t length = bytes_of(record).size(), grown = record.number("payload_size") + between(random, 1000, 0x0fffffff);
        record.set("payload_size", grown);
        const uint64_t more = bytes_of(record).size() - length;
        update_blocks(file);
        return at_bytes(event->record, 0, length + more);
    }},
    {"nettrace/varint-truncated", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto event = choose_last_event(file, random, any_event);
        if (!event) return std::nullopt;
        file[event->record] = raw_record(std::string("\0\x80\x80", 3));
        update_blocks(file);
        return at_bytes(event->record, 1, 2);
    }},
    {"nettrace/varint-too-long", [](FileRecords& file, Random& random) {
        return replace_number(file, random, std::string(11, '\xff'), std::string(11, '\xff'), 5, kLongestLeb);
    }},
    {"nettrace/varint-overflow", [](FileRecords& file, Random& random) {
        return replace_number(file, random, "\xff\xff\xff\xff\x1f", std::string(9, '\xff') + "\x02", 5, kLongestLeb);
    }},
    {"nettrace/varint-non-canonical", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto event = choose_last_event(file, random, [](const LastEvent& e) { return e.values.metadata_id < 128; });
        if (!event) return std::nullopt;
        rewrite(file, *event);
        file[event->record].find("metadata_id")->leaf.length = between(random, 2, 5);
        update_blocks(file);
        return at_field(event->record, "metadata_id");
    }},
    {"nettrace/event-flags", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        const auto event = choose_last_event(file, random, any_event);
        if (!event) return std::nullopt;
        file[event->record].set("has_related_activity", 1);
        return at_bytes(event->record, 0, 1);
    }},
    {"nettrace/event-size-mismatch", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = one_in(random, 2) ? choose_uncompressed(file, random) : choose(file, random, kOldEvent, any);
        if (!at) return std::nullopt;
        const bool is_old = file[*at].record == &kOldEvent;
        file[*at].set("event_size", is_old ? below(random, 56) : between(random, 0x10000000, 0x7fffffff));
        return at_field(*at, "event_size");
    }},
    {"nettrace/metadata-id-zero", [](FileRecords& file, Random& random) {
        return change_last_event(file, random, "metadata_id", any_event, [](EventValues& values) { values.metadata_id = 0; });
    }},
    {"nettrace/metadata-block-event-id", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto block = choose_block(file, random, Kind::metadata, [&](const BlockRecords& b) { return file[b.begin].record == &kEventBlock && b.end > b.begin + 2; });
        if (!block) return std::nullopt;
        RecordValues& event = file[block->begin + 1];
        if (event.record != &kRowHeader || event.number("has_metadata_id") != 0) return std::nullopt;
        std::string bytes = bytes_of(event);
        bytes[0] |= 1;
        bytes.insert(1, 1, static_cast<char>(between(random, 1, 100)));
        event = made(file, kRowHeader, bytes);
        update_blocks(file);
        return at_field(block->begin + 1, "metadata_id");
    }},
    {"nettrace/undefined-metadata", [](FileRecords& file, Random& random) {
        return change_last_event(file, random, "metadata_id", any_event, [&](EventValues& values) { values.metadata_id = between(random, 0x40000000, 0x7fffffff); });
    }},
    {"nettrace/thread-change-unsorted", [](FileRecords& file, Random& random) {
        const auto changes = [](const LastEvent& event) { return is_second(event) && event.values.is_sorted && event.values.capture_thread != event.before.capture_thread; };
        return change_last_event(file, random, "capture_thread", changes, [](EventValues& values) { values.is_sorted = false; });
    }},
    {"nettrace/payload-too-large", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        Planted planted;
        auto event = choose_last_event(file, random, any_event);
        if (!event) return std::nullopt;
        event->values.payload.append(65'536, '\0');
        rewrite(file, *event);
        return at_field(event->record, "payload_size");
    }},
    {"nettrace/dangling-stack", [](FileRecords& file, Random& random) {
        return change_last_event(file, random, "stack_id", any_event, [&](EventValues& values) { values.stack_id = between(random, 0x40000000, 0xffffffff); });
    }},
    {"nettrace/dangling-label-list", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        return change_last_event(file, random, "label_list", any_event, [&](EventValues& values) { values.label_list = between(random, 0x40000000, 0xffffffff); });
    }},
    {"nettrace/sorted-time-regression", [](FileRecords& file, Random& random) {
        const auto is_sorted_before = [](const LastEvent& event) { return is_second(event) && event.before.is_sorted; };
        return change_last_event(file, random, "time_delta", is_sorted_before, [&](EventValues& values) { values.time = 1 + below(random, 1000); });
    }},
    {"nettrace/event-before-sequence-point", [](FileRecords& file, Random&) -> std::optional<Planted> {
        auto known = known_event(file);
        if (!known) return std::nullopt;
        // The sequence point comes a moment after the last event.
        const auto point = last_point(file);
        file[point->begin].set("time", known->point_time + 1'000);
        known->values.time = known->point_time + 999;
        known->values.is_sorted = false;
        const auto event = append_event(file, known->values, 0, kNone);
        if (!event) return std::nullopt;
        return at_field(*event, "time_delta");
    }},
    {"nettrace/thread-time-regression", [](FileRecords& file, Random&) -> std::optional<Planted> {
        auto known = known_event(file);
        if (!known) return std::nullopt;
        known->values.is_sorted = false;
        known->values.time += 1'000;
        if (!append_event(file, known->values, 0, kNone)) return std::nullopt;
        known->values.time -= 1;
        known->values.number += 1;
        const auto event = append_event(file, known->values, 0, kNone);
        return at_field(*event, "time_delta");
    }},
    {"nettrace/event-outside-block-range", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto known = known_event(file);
        if (!known) return std::nullopt;
        const bool is_early = one_in(random, 2);
        known->values.time += 10;
        const auto event = append_event(file, known->values, is_early ? known->values.time + 1 : 0, is_early ? kNone : known->values.time - 1);
        if (!event) return std::nullopt;
        return at_field(*event, "time_delta");
    }},
    {"nettrace/sequence-regression", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        auto known = known_event(file);
        if (!known) return std::nullopt;
        known->values.number += 99;
        if (!append_event(file, known->values, 0, kNone)) return std::nullopt;
        known->values.number -= static_cast<uint32_t>(below(random, 50));
        if (known->values.number == 1) return std::nullopt;
        const auto event = append_event(file, known->values, 0, kNone);
        return at_field(*event, "number_delta");
    }},
    {"nettrace/unknown-thread-index", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        return change_last_event(file, random, "capture_thread", any_event, [&](EventValues& values) {
            values.capture_thread = between(random, 1'000'000, uint64_t{1} << 40);
            values.is_sorted = true;
        });
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kEventFaults{kEventRows};

}  // namespace tracelint::nettrace::faults
