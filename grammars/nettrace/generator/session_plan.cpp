#include "grammars/nettrace/generator/session_plan.hpp"

namespace tracelint::nettrace {
namespace {

constexpr uint32_t kNoProcessor = 0xffffffff;
constexpr uint64_t kProcessors = 4;

}  // namespace

SessionPlan::SessionPlan(Random& random, PlannedRecords& records, uint16_t version, bool has_tags)
    : random_(random),
      records_(records),
      version_(version),
      has_tags_(has_tags),
      pointer_size_(one_in(random, 3) ? 4 : 8) {}

void SessionPlan::object(std::string_view name, uint64_t version, uint64_t min_reader) {
    const uint64_t begin = is_old() ? kBeginNetperf : kBeginNettrace;
    add(kObject)
        .with("begin_object", begin)
        .with("begin_type", begin)
        .with("version", version)
        .with("min_reader_version", min_reader)
        .bytes("name", std::string(name));
}

void SessionPlan::begin_block(std::string_view name, Kind kind) {
    if (is_plain()) {
        add(kPlainBlock).with("kind", static_cast<uint64_t>(kind));
        return;
    }
    object(name, is_old() ? 1 : 2, is_old() ? 0 : 2);
    add(kBlockStart);
}

void SessionPlan::end_block() {
    if (!is_plain()) add(kObjectEnd);
}

void SessionPlan::begin() {
    add(kHeader).bytes("magic", std::string(kMagic)).bytes("signature", std::string(kSignature));
    trace();
    for (uint64_t i = between(random_, 2, 4); i > 0; --i) {
        threads_.push_back({is_plain() ? next_index_++ : 4711 + 7 * i});
        if (one_in(random_, 8) && !is_plain()) threads_.back().id |= uint64_t{1} << 40;
    }
    if (is_plain()) thread_block();
}

void SessionPlan::trace() {
    if (is_plain())
        begin_block(kTraceName, Kind::trace);
    else if (version_ < kNetperf3)
        object(kFileName, version_, 0);
    else
        object(kTraceName, version_, is_old() ? 0 : 4);
    PlannedRecord& record = add(kTrace);
    record.with("year", 2024).with("month", 2).with("day", 29).with("day_of_week", 4);
    record.with("sync_ticks", clock_).with("ticks_per_second", 1'000'000'000).with("pointer_size", pointer_size_);
    record.with("process_id", 4711).with("processors", kProcessors).with("sampling_rate", 1'000'000);
    if (is_plain()) {
        record.size("pairs", 2).bytes("key", "ProcessId", 0).bytes("value", "4711", 0);
        record.bytes("key", "OS", 1).bytes("value", one_in(random_, 2) ? "" : "Linux", 1);
        record.with("pair_count", 2);
    }
    if (version_ >= kNetperf3) end_block();
}

void SessionPlan::thread_block() {
    begin_block({}, Kind::threads);
    for (const Thread& thread : threads_) {
        PlannedRecord& record = add(kThread).with("index", thread.id);
        if (one_in(random_, 3)) continue;
        record.size("items", 4);
        record.with("kind", 1, 0).bytes("text", "main", 0).with("kind", 2, 1).with("process_id", 4711, 1);
        record.with("kind", 3, 2).with("thread_id", 4711 + thread.id, 2);
        record.with("kind", 4, 3).bytes("text", "key", 3).bytes("value", "", 3);
    }
}

// --- Metadata

PlannedRecord& SessionPlan::row(const Row& row) {
    PlannedRecord& record = add(either(is_plain(), kPlainMetadata, kMetadata));
    const bool is_in_tag = has_tags_ && row.id % 2 == 0;
    const uint64_t event_id = below(random_, 65'536);
    record.with("id", row.id)
        .with("event_id", event_id)
        .with("version", below(random_, 256))
        .with("level", below(random_, 256));
    if (is_plain()) {
        record.bytes("provider", "My-Source").bytes("name", one_in(random_, 3) ? "" : "Started");
        record.with("field_count", row.fields.size()).size("fields", row.fields.size());
        for (size_t i = 0; i < row.fields.size(); ++i) {
            const PlainFieldParts parts = plain_field_parts(row.fields[i]);
            record.bytes("name", parts.name, i).with("type", parts.type, i).bytes("type_details", parts.details, i);
        }
        if (one_in(random_, 2)) {
            record.size("optional", 4).with("kind", 1, 0).with("small", 2, 0).with("kind", 3, 1);
            record.with("keywords", 0x8000, 1).with("kind", 6, 2).bytes("text", "key", 2).bytes("value", "value", 2);
            record.with("kind", 7, 3);
        }
        return record;
    }
    record.text("provider", "My-Source").text("name", one_in(random_, 3) ? "" : "Started");
    if (version_ < kNetperf3) {
        const bool has_definition = !row.fields.empty() || one_in(random_, 2);
        std::string definition = bytes_of_number(event_id, 4) + std::string(2, '\0') + bytes_of_number(0, 8) +
                                 bytes_of_number(1, 4) + bytes_of_number(4, 4);
        if (!row.fields.empty()) definition += ordinary_fields(row.fields);
        if (has_definition) record.bytes("definition", definition);
        return record;
    }
    if (!is_in_tag) {
        record.with("field_count", row.fields.size()).size("fields", row.fields.size());
        for (size_t i = 0; i < row.fields.size(); ++i) {
            const FieldPlan& field = row.fields[i];
            record.with("type", field.type, i).text("name", field.name, i).with("inner_count", field.parts.size(), i);
            if (field.parts.empty()) continue;
            record.size("inner_fields", field.parts.size());
            for (size_t j = 0; j < field.parts.size(); ++j)
                record.with("inner_type", field.parts[j].type, j).text("inner_name", field.parts[j].name, j);
        }
    }
    if (!has_tags_) return record;
    record.size("tags", is_in_tag ? 2 : 1).with("kind", 1, 0).bytes("content", "\x07", 0);
    if (is_in_tag) record.with("kind", 2, 1).bytes("content", tag_fields(row.fields), 1);
    return record;
}

void SessionPlan::metadata_block() {
    const bool is_first_flush = rows_.empty();
    const uint64_t count = is_first_flush ? between(random_, 1, 4) : below(random_, 2);
    for (uint64_t i = 0; i < count; ++i) {
        const bool is_in_tag = has_tags_ && next_row_ % 2 == 0;
        const Declared where = is_plain() ? Declared::plain : is_in_tag ? Declared::tag : Declared::row;
        Row made{next_row_++, one_in(random_, 3) || version_ == 1 ? FieldPlans{} : draw_fields(random_, where)};
        // The fields in objects have one list of sizes: those of the last one count.
        if (where == Declared::row && version_ >= kNetperf3) {
            const auto is_object = [](const FieldPlan& field) { return field.type == kObjectType; };
            if (std::count_if(made.fields.begin(), made.fields.end(), is_object) > 1) made.fields.clear();
        }
        rows_.push_back(made);
        new_rows_.push_back(std::move(made));
    }
    if (is_old() || new_rows_.empty()) return;
    begin_block(kMetadataBlockName, Kind::metadata);
    if (is_plain()) {
        add(kMetadataStart).bytes("unknown", one_in(random_, 4) ? std::string(2, '\1') : "");
        for (const Row& made : new_rows_) row(made);
    } else {
        add(kEventBlock)
            .with("header_size", 20)
            .with("flags", 1)
            .with("smallest_time", clock_)
            .with("largest_time", clock_);
        for (size_t i = 0; i < new_rows_.size(); ++i) {
            PlannedRecord& event = add(kRowHeader).with("has_payload_size", 1);
            for (const std::string_view flag : {"has_metadata_id", "has_number", "has_thread", "has_stack",
                                                "has_activity", "has_related_activity", "is_sorted"})
                event.with(flag, 0);
            event.with("time_delta", i == 0 ? clock_ : 0);
            if (i == 0)
                event.with("has_number", 1)
                    .with("number_delta", kNoProcessor)
                    .with("capture_thread", 0)
                    .with("processor", kNoProcessor);
            row(new_rows_[i]);
        }
    }
    new_rows_.clear();
    end_block();
}

// --- Stacks and labels

std::string SessionPlan::draw_stack() { return random_bytes(random_, pointer_size_ * below(random_, 5)); }

void SessionPlan::stack_block() {
    const uint64_t count = next_stack_ == 1 ? between(random_, 1, 4) : below(random_, 3);
    if (is_old() || (count == 0 && !one_in(random_, 4))) return;
    begin_block(kStackBlockName, Kind::stacks);
    add(kStackBlock).with("first_id", next_stack_).with("count", count);
    for (uint64_t i = 0; i < count; ++i) add(kStack).bytes("stack", draw_stack());
    next_stack_ += count;
    end_block();
}

void SessionPlan::label_block() {
    if (!is_plain() || !one_in(random_, 2)) return;
    const uint64_t count = between(random_, 1, 3);
    begin_block({}, Kind::labels);
    add(kLabelBlock).with("first_index", next_label_).with("count", count);
    for (uint64_t i = 0; i < count; ++i)
        for (uint64_t left = between(random_, 1, 3); left > 0; --left) {
            PlannedRecord& label = add(kLabel).with("kind", between(random_, 1, 10)).with("is_last", left == 1 ? 1 : 0);
            label.bytes("key", "key")
                .bytes("value", "value")
                .bytes("id", random_bytes(random_, 16))
                .bytes("span", std::string(8, '\2'));
        }
    next_label_ += count;
}

// --- Events

// A time that no rule objects to: the events of a thread are in order, and none is before a sorted one.
uint64_t SessionPlan::draw_time(const Event& event) {
    const uint64_t least = std::max({greatest_sorted_, threads_[current_].time, last_point_, uint64_t{1'000'000}});
    if (event.is_sorted && !is_old() && one_in(random_, 2)) return between(random_, least, std::max(least, clock_));
    clock_ += one_in(random_, 10) ? below(random_, 100'000'000) : below(random_, 3000);
    return std::max(clock_, least);
}

void SessionPlan::change_thread(Event& event) {
    const size_t before = current_;
    current_ = below(random_, threads_.size());
    event.is_sorted = current_ != before || one_in(random_, 8);
}

std::vector<SessionPlan::Event> SessionPlan::draw_events() {
    std::vector<Event> events(between(random_, 1, 12));
    for (Event& event : events) {
        if (&event == &events.front() || one_in(random_, 3)) change_thread(event);
        Thread& thread = threads_[current_];
        const Row& kind = pick_of(random_, rows_);
        event.metadata_id = kind.id;
        event.payload = draw_payload(random_, kind.fields);
        event.capture_thread = thread.id;
        event.thread = one_in(random_, 4) ? pick_of(random_, threads_).id : thread.id;
        event.processor = one_in(random_, 3) ? below(random_, kProcessors) : kNoProcessor;
        if (one_in(random_, 12)) thread.number += static_cast<uint32_t>(below(random_, 1000));  // dropped events
        if (thread.number > 1 && !is_plain() && one_in(random_, 40)) thread.number = 0;         // a reused id
        event.number = ++thread.number;
        event.time = draw_time(event);
        thread.time = event.time;
        if (event.is_sorted) greatest_sorted_ = std::max(greatest_sorted_, event.time);
        clock_ = std::max(clock_, event.time);
        event.stack_id = next_stack_ == 1 || one_in(random_, 5) ? 0 : between(random_, 1, next_stack_ - 1);
        event.label_list = next_label_ == 1 || one_in(random_, 2) ? 0 : between(random_, 1, next_label_ - 1);
    }
    return events;
}

// The rows of versions 1 to 3 stand among the events.
void SessionPlan::old_event_block() {
    if (version_ == kNetperf3) begin_block(kEventBlockName, Kind::events);
    for (const Row& made : new_rows_) write_old(nullptr, &made);
    new_rows_.clear();
    for (const Event& event : draw_events()) write_old(&event, nullptr);
    if (version_ == kNetperf3) end_block();
}

void SessionPlan::event_block() {
    const std::vector<Event> events = draw_events();
    begin_block(kEventBlockName, Kind::events);
    const bool is_compressed = !one_in(random_, 4);
    const auto by_time = [](const Event& a, const Event& b) { return a.time < b.time; };
    const auto [first, last] = std::minmax_element(events.begin(), events.end(), by_time);
    const uint64_t extra = one_in(random_, 6) ? 4 : 0;
    add(kEventBlock)
        .with("header_size", 20 + extra)
        .with("flags", is_compressed ? 1 : 0)
        .with("smallest_time", first->time)
        .with("largest_time", one_in(random_, 8) ? kNone : last->time)
        .bytes("unknown", std::string(extra, '\7'));
    Event before;
    before.processor = 0;
    for (const Event& event : events) {
        is_compressed ? write_compressed(event, before) : write_uncompressed(event);
        before = event;
    }
    end_block();
}

void SessionPlan::write_compressed(const Event& event, const Event& before) {
    PlannedRecord& record = add(kEvent);
    const auto has = [&](std::string_view flag, bool differs) {
        const bool is_there = differs || one_in(random_, 6);
        record.with(flag, is_there ? 1 : 0);
    };
    has("has_metadata_id", event.metadata_id != before.metadata_id);
    const bool follows = event.number == before.number + 1;
    has("has_number", !follows || event.capture_thread != before.capture_thread || event.processor != before.processor);
    has("has_thread", event.thread != before.thread);
    has("has_stack", event.stack_id != before.stack_id);
    has("has_activity", event.label_list != before.label_list);
    record.with("has_related_activity", !is_plain() && one_in(random_, 6) ? 1 : 0)
        .with("is_sorted", event.is_sorted ? 1 : 0);
    has("has_payload_size", event.payload.size() != before.payload.size());
    record.with("metadata_id", event.metadata_id)
        .with("number_delta", uint32_t{event.number - before.number - 1})
        .with("capture_thread", event.capture_thread)
        .with("processor", event.processor)
        .with("thread", event.thread)
        .with("stack_id", event.stack_id)
        .with("time_delta", event.time - before.time)
        .with("label_list", event.label_list)
        .with("payload_size", event.payload.size())
        .bytes("activity", random_bytes(random_, 16))
        .bytes("related_activity", random_bytes(random_, 16))
        .bytes("payload", event.payload);
}

void SessionPlan::write_uncompressed(const Event& event) {
    const uint64_t padding = is_plain() ? 0 : (0 - event.payload.size()) & 3;
    add(kPlainEvent)
        .with("metadata_id", event.metadata_id | (event.is_sorted ? 0 : uint64_t{1} << 31))
        .with("number", event.number)
        .with("thread", event.thread)
        .with("capture_thread", event.capture_thread)
        .with("processor", event.processor)
        .with("stack_id", event.stack_id)
        .with("time", event.time)
        .with("label_list", event.label_list)
        .with("payload_size", event.payload.size())
        .bytes("activity", random_bytes(random_, 16))
        .bytes("related_activity", random_bytes(random_, 16))
        .bytes("payload", event.payload + std::string(padding, '\0'));
}

// An event of versions 1 to 3, or one that defines metadata. Up to version 2 its metadata id stands for an offset.
void SessionPlan::write_old(const Event* event, const Row* made) {
    const uint64_t time = event != nullptr ? event->time : clock_;
    add(event != nullptr ? kOldEvent : kOldRowHeader)
        .with("metadata_id", event != nullptr ? event->metadata_id : 0)
        .with("thread", 4711)
        .with("time", time)
        .bytes("activity", random_bytes(random_, 16))
        .bytes("related_activity", std::string(16, '\0'));
    if (made != nullptr)
        row(*made);
    else if (!event->payload.empty())
        add(kPayload).bytes("data", event->payload);
    add(kOldStack).bytes("stack", draw_stack());
}

// --- Sequence points

void SessionPlan::sequence_point() {
    begin_block(kSequencePointName, Kind::sequence_point);
    const bool forgets = is_plain() && one_in(random_, 3);
    add(kSequencePoint).with("time", clock_).with("flags", 0).with("count", threads_.size());
    for (Thread& thread : threads_) {
        if (one_in(random_, 8)) thread.number += static_cast<uint32_t>(below(random_, 50));  // dropped
        add(kThreadNumber).with("thread", thread.id).with("number", thread.number);
    }
    last_point_ = clock_;
    next_stack_ = next_label_ = 1;
    end_block();
    if (forgets && threads_.size() > 2) remove_a_thread();
}

void SessionPlan::remove_a_thread() {
    begin_block({}, Kind::removed_threads);
    add(kThreadNumber).with("thread", threads_.back().id).with("number", threads_.back().number);
    threads_.pop_back();
    current_ = 0;
}

void SessionPlan::flush() {
    metadata_block();
    if (is_old()) return old_event_block();
    stack_block();
    label_block();
    event_block();
    if (one_in(random_, 4)) sequence_point();
}

void SessionPlan::end() {
    if (!is_old()) sequence_point();
    if (is_plain())
        add(kPlainBlock).with("kind", 0).with("size", 0);
    else
        add(either(version_ < kNetperf3, kEndLabel, kStreamEnd));
}

}  // namespace tracelint::nettrace
