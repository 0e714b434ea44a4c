// What the planted faults share, and faults of the file and its objects.
#include "grammars/nettrace/generator/faults.hpp"

#include "grammars/nettrace/nettrace.hpp"

namespace tracelint::nettrace::faults {

namespace {

Kind kind_of(const RecordValues& start) {
    if (start.record == &kPlainBlock)
        return static_cast<Kind>(std::min<uint64_t>(start.number("kind"), static_cast<uint64_t>(Kind::unknown)));
    const Value* const name = start.find("name");
    for (const bool is_nettrace : {true, false})
        for (const ObjectName& known : object_names(is_nettrace))
            if (name != nullptr && known.name == name->text) return known.kind;
    return Kind::unknown;
}

bool begins_block(const RecordValues& record) { return record.record == &kObject || record.record == &kPlainBlock; }
bool ends_block(const RecordValues& record) {
    return begins_block(record) || record.record == &kObjectEnd || record.record == &kStreamEnd;
}

// Adds what the event says to what it inherits.
void take_event(const RecordValues& event, bool is_plain_file, EventValues& values) {
    const auto take = [&](std::string_view field, uint64_t& to) {
        if (event.find(field) != nullptr) to = event.number(field);
    };
    take("metadata_id", values.metadata_id);
    if (event.find("number_delta") != nullptr)
        values.number += static_cast<uint32_t>(event.number("number_delta")) + 1;
    else
        values.number += values.metadata_id != 0 ? 1 : 0;
    take("capture_thread", values.capture_thread);
    take("processor", values.processor);
    take("thread", values.thread);
    take("stack_id", values.stack_id);
    values.time += event.number("time_delta");
    if (is_plain_file) take("label_list", values.label_list);
    values.payload = event.find("payload")->text;
    values.is_sorted = event.number("is_sorted") != 0;
}

}  // namespace

std::vector<BlockRecords> blocks_of(const FileRecords& file) {
    std::vector<BlockRecords> blocks;
    for (size_t i = 0; i < file.size(); ++i) {
        if (!begins_block(file[i])) continue;
        const Kind kind = kind_of(file[i]);
        const size_t begin = i + (file[i].record == &kPlainBlock ? 1 : 2);
        if (kind == Kind::trace || kind == Kind::unknown || kind == Kind::end_of_stream || begin > file.size())
            continue;
        size_t end = begin;
        while (end < file.size() && !ends_block(file[end])) ++end;
        blocks.push_back({kind, i, begin, end});
    }
    return blocks;
}

std::vector<LastEvent> last_events(const FileRecords& file) {
    std::vector<LastEvent> found;
    for (const BlockRecords& block : blocks_of(file)) {
        if (block.kind != Kind::events || block.end - block.begin < 2) continue;
        LastEvent last{.block = block, .record = block.end - 1, .before = {}, .values = {}};
        bool is_compressed = true;
        for (size_t i = block.begin + 1; i < block.end; ++i) {
            is_compressed = is_compressed && file[i].record == &kEvent;
            if (!is_compressed) break;
            last.before = last.values;
            take_event(file[i], is_plain(file), last.values);
        }
        last.is_first = block.end - block.begin == 2;
        if (is_compressed) found.push_back(std::move(last));
    }
    return found;
}

void rewrite(FileRecords& file, const LastEvent& event) {
    const EventValues& values = event.values;
    std::string bytes(1, static_cast<char>(0x8f | (values.is_sorted ? 0x40 : 0) | (is_plain(file) ? 0x10 : 0)));
    const uint32_t delta = values.number - event.before.number - 1;
    for (const uint64_t number : {values.metadata_id, uint64_t{delta}, values.capture_thread, values.processor,
                                  values.thread, values.stack_id, values.time - event.before.time})
        bytes += bytes_of_varint(number);
    if (is_plain(file)) bytes += bytes_of_varint(values.label_list);
    bytes += bytes_of_varint(values.payload.size()) + values.payload;
    file[event.record] = made(file, kEvent, bytes);
    update_blocks(file);
}

RecordValues made(const FileRecords& file, const Record& record, const std::string& bytes) {
    return decode_values(record, as_bytes(bytes), session_layout(file), true);
}

size_t end_of(const FileRecords& file) {
    const size_t last = file.size() - 1;
    const bool is_end = file[last].record == &kStreamEnd ||
                        (file[last].record == &kPlainBlock && kind_of(file[last]) == Kind::end_of_stream);
    return is_end ? last : file.size();
}

size_t insert_block(FileRecords& file, size_t at, Kind kind, std::vector<RecordValues> content) {
    std::vector<RecordValues> block;
    if (is_plain(file)) {
        block.push_back(made(file, kPlainBlock, bytes_of_number(static_cast<uint64_t>(kind) << 24, 4)));
    } else {
        std::string_view name;
        for (const ObjectName& known : object_names(true))
            if (known.kind == kind) name = known.name;
        block.push_back(made(file, kObject,
                             std::string("\x05\x05\x01", 3) + bytes_of_number(2, 4) + bytes_of_number(2, 4) +
                                 bytes_of_number(name.size(), 4) + std::string(name) + "\x06"));
        block.push_back(made(file, kBlockStart, bytes_of_number(0, 4)));
    }
    const size_t first = at + block.size();
    for (RecordValues& record : content) block.push_back(std::move(record));
    if (!is_plain(file)) block.push_back(made(file, kObjectEnd, "\x06"));
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), block.begin(), block.end());
    update_blocks(file);
    return first;
}

std::optional<BlockRecords> last_point(const FileRecords& file) {
    std::optional<BlockRecords> last;
    for (const BlockRecords& block : blocks_of(file))
        if (block.kind == Kind::sequence_point) last = block;
    return last;
}

namespace {

bool has_magic(const FileRecords& file) { return file.front().find("magic") != nullptr; }

// An object header, apart from the first one, whose fault is that there is no Trace.
std::optional<size_t> choose_object(const FileRecords& file, Random& random, bool with_trace) {
    return choose(file, random, kObject, [&](size_t i) {
        return version_of(file) >= kNetperf3 && (with_trace || kind_of(file[i]) != Kind::trace);
    });
}

std::optional<size_t> trace_of(const FileRecords& file) {
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &kTrace) return i;
    return std::nullopt;
}

std::optional<Planted> set_in_trace(FileRecords& file, std::string_view field, uint64_t value) {
    const auto trace = trace_of(file);
    if (!trace || file[*trace].find(field) == nullptr) return std::nullopt;
    file[*trace].set(field, value);
    return at_field(*trace, field);
}

// An object or block whose end is cut away with all that follows.
std::optional<Planted> cut_after_block(FileRecords& file, Random& random) {
    const auto blocks = blocks_of(file);
    if (blocks.empty()) return std::nullopt;
    const BlockRecords block = pick_of(random, blocks);
    const size_t at = is_plain(file) ? block.end : block.end + 1;
    if (at >= file.size()) return std::nullopt;
    erase(file, at, file.size());
    return Planted{file.size() - 1, {}, kNone, bytes_of(file.back()).size(), 0, {}};
}

// clang-format off
constexpr FaultRow kFileRows[] = {
    {"nettrace/truncated-header", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t size = bytes_of(file.front()).size(), left = below(random, size);
        const uint64_t word = has_magic(file) ? 8 : 0;
        uint64_t field = left < word ? 0 : left < word + 4 ? word : word + 4;
        if (is_plain(file) && left >= 16) field = 16;
        cut(file, 0, left);
        if (left == 0) file.push_back(raw_record({}));
        // A place of no length is at the end of the file.
        if (field == left) return std::nullopt;
        return at_bytes(0, field, left - field);
    }},
    {"nettrace/bad-magic", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!has_magic(file)) return std::nullopt;
        file.front().find("magic")->text[below(random, 8)] ^= static_cast<char>(1 << below(random, 7));
        return at_bytes(0, 0, 8);
    }},
    {"nettrace/bad-signature", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (is_plain(file)) return std::nullopt;
        if (one_in(random, 2)) {
            file.front().find("signature")->text[between(random, 4, 19)] ^= static_cast<char>(1 << below(random, 7));
            return at_field(0, "signature");
        }
        file.front().set("signature_length", between(random, 21, 0xffff));
        return at_field(0, "signature_length");
    }},
    {"nettrace/reserved-nonzero", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        file.front().set("reserved", between(random, 1, 0xffffffff));
        return at_field(0, "reserved");
    }},
    {"nettrace/unsupported-version", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (is_plain(file)) {
            file.front().set("major", between(random, 7, 0xffff));
            return at_field(0, "major");
        }
        if (version_of(file) == 1) return std::nullopt;  // read as version 2
        file[1].set("version", between(random, 5, 0x7fffffff));
        return at_field(1, "version");
    }},
    {"nettrace/end-label", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kEndLabel, any);
        if (!at) return std::nullopt;
        const auto field = pick<std::string_view>(random, {"label_count", "label", "label_after_tag", "label_after_labels"});
        file[*at].set(field, file[*at].number(field) + between(random, 1, 100));
        return at_field(*at, field);
    }},
    {"nettrace/truncated-object", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, true);
        if (!at) return std::nullopt;
        const uint64_t left = between(random, 1, bytes_of(file[*at]).size() - 1);
        cut(file, *at, left);
        return at_bytes(*at, 0, left);
    }},
    {"nettrace/truncated-object", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kPlainBlock, any);
        if (!at) return std::nullopt;
        const uint64_t left = between(random, 1, 3);
        cut(file, *at, left);
        return at_bytes(*at, 0, left);
    }},
    {"nettrace/bad-object-tag", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, true);
        if (!at) return std::nullopt;
        const auto field = pick<std::string_view>(random, {"begin_object", "begin_type", "type_of_type", "end_of_type"});
        file[*at].set(field, 7 + below(random, 200));
        return at_field(*at, field);
    }},
    {"nettrace/type-name-length", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, true);
        if (!at) return std::nullopt;
        file[*at].set("name_length", one_in(random, 2) ? kNone : between(random, 39, 0x7fffffff));
        return at_field(*at, "name_length");
    }},
    {"nettrace/unknown-object-type", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, true);
        if (!at) return std::nullopt;
        file[*at].find("name")->text[1] ^= 1;
        return at_field(*at, "name");
    }},
    {"nettrace/object-version", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, false);
        if (!at) return std::nullopt;
        file[*at].set("version", one_in(random, 2) ? 0 : between(random, 3, 0x7fffffff));
        return at_field(*at, "version");
    }},
    {"nettrace/min-reader-version", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose_object(file, random, true);
        if (!at) return std::nullopt;
        file[*at].set("min_reader_version", one_in(random, 2) ? 1 : between(random, 5, 0x7fffffff));
        return at_field(*at, "min_reader_version");
    }},
    {"nettrace/first-object-not-trace", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (version_of(file) < kNetperf3 || file.size() < 6) return std::nullopt;
        erase(file, 1, is_plain(file) ? 3 : 4);
        update_blocks(file);
        return at_bytes(1, 0, bytes_of(file[1]).size());
    }},
    {"nettrace/duplicate-trace", [](FileRecords& file, Random&) -> std::optional<Planted> {
        if (version_of(file) < kNetperf3 || end_of(file) == file.size()) return std::nullopt;
        const size_t at = end_of(file), records = is_plain(file) ? 2 : 3;
        if (at < 1 + records) return std::nullopt;
        const std::vector<RecordValues> copy(file.begin() + 1, file.begin() + 1 + static_cast<std::ptrdiff_t>(records));
        file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), copy.begin(), copy.end());
        return at_bytes(at, 0, bytes_of(file[at]).size());
    }},
    {"nettrace/block-size-negative", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kBlockStart, any);
        if (!at) return std::nullopt;
        file[*at].set("size", file[*at].number("size") | 0x80000000);
        return at_field(*at, "size");
    }},
    {"nettrace/missing-end-tag", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kObjectEnd, any);
        if (!at) return std::nullopt;
        file[*at].set("end_of_object", 7 + below(random, 200));
        return at_field(*at, "end_of_object");
    }},
    {"nettrace/trailing-data", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (version_of(file) < kNetperf3 || end_of(file) == file.size()) return std::nullopt;
        const uint64_t size = between(random, 1, 40);
        file.push_back(raw_record(random_bytes(random, size)));
        return at_bytes(file.size() - 1, 0, size);
    }},
    {"nettrace/unknown-block-kind", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (!is_plain(file)) return std::nullopt;
        const size_t at = end_of(file);
        const size_t content = insert_block(file, at, Kind::unknown, {raw_record(random_bytes(random, between(random, 1, 20)))});
        file[content - 1].set("kind", between(random, 9, 255));
        return at_bytes(content - 1, 0, 4);
    }},
    {"nettrace/sync-time-invalid", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        struct Bad { std::string_view field; uint64_t least; };
        constexpr Bad kBad[] = {{"year", 10'000}, {"month", 13}, {"day", 32}, {"hour", 24}, {"minute", 60}, {"second", 60}, {"millisecond", 1000}};
        const Bad& bad = pick_of(random, kBad);
        return set_in_trace(file, bad.field, between(random, bad.least, 0xffff));
    }},
    {"nettrace/tick-frequency", [](FileRecords& file, Random& random) { return set_in_trace(file, "ticks_per_second", one_in(random, 2) ? 0 : kNone - below(random, 1000)); }},
    {"nettrace/pointer-size", [](FileRecords& file, Random& random) { return set_in_trace(file, "pointer_size", pick<uint64_t>(random, {0, 1, 6, 16, kNone})); }},
    {"nettrace/processor-count", [](FileRecords& file, Random& random) { return set_in_trace(file, "processors", one_in(random, 2) ? 0 : kNone); }},
    {"nettrace/key-value-count", [](FileRecords& file, Random& random) { return set_in_trace(file, "pair_count", one_in(random, 2) ? kNone : between(random, 10'000, 0x7fffffff)); }},
    {"nettrace/trace-key-value", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto trace = trace_of(file);
        if (!trace || !is_plain(file)) return std::nullopt;
        Value* const value = file[*trace].find("value", 0);
        if (value == nullptr || file[*trace].find("key", 0)->text != "ProcessId") return std::nullopt;
        value->text[0] = 'x';
        Planted planted = at_field(*trace, "value_size");
        planted.element = 0;
        planted.length = 1 + value->text.size();
        return planted;
    }},
    {"nettrace/missing-end-of-stream", [](FileRecords& file, Random& random) { return cut_after_block(file, random); }},
    {"nettrace/truncated-event", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        if (version_of(file) >= kNetperf3) return std::nullopt;
        const auto at = choose(file, random, kOldEvent, any);
        if (!at) return std::nullopt;
        const uint64_t left = between(random, 1, 55);
        if (left == 17) return std::nullopt;
        cut(file, *at, left);
        return at_bytes(*at, 0, left);
    }},
    {"nettrace/truncated-block", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto blocks = blocks_of(file);
        if (blocks.empty()) return std::nullopt;
        const BlockRecords block = pick_of(random, blocks);
        if (block.begin == block.end) return std::nullopt;
        const size_t at = size_record_of(file, block);
        const size_t last = between(random, block.begin, block.end - 1);
        const uint64_t size = bytes_of(file[last]).size();
        if (size == 0) return std::nullopt;
        cut(file, last, below(random, size));
        return is_plain(file) ? at_bytes(at, 0, 4) : at_field(at, "size");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kFileFaults{kFileRows};

}  // namespace tracelint::nettrace::faults
