// Planted faults of threads and sequence points.
#include "grammars/nettrace/generator/faults.hpp"

namespace tracelint::nettrace::faults {
namespace {

// A sequence point before the end of the stream. Returns the index of its first record.
std::optional<size_t> append_point(FileRecords& file, uint64_t time, uint64_t flags,
                                   const std::vector<std::pair<uint64_t, uint64_t>>& threads) {
    if (is_netperf(file) || end_of(file) == file.size()) return std::nullopt;
    std::string front = bytes_of_number(time, 8);
    if (is_plain(file)) front += bytes_of_number(flags, 4);
    std::vector<RecordValues> content{made(file, kSequencePoint, front + bytes_of_number(threads.size(), 4))};
    for (const auto& [thread, number] : threads)
        content.push_back(made(file, kThreadNumber,
                               is_plain(file) ? bytes_of_varint(thread) + bytes_of_varint(number)
                                              : bytes_of_number(thread, 8) + bytes_of_number(number, 4)));
    return insert_block(file, end_of(file), Kind::sequence_point, std::move(content));
}

// The last sequence point, if nothing follows it: its time, and its first thread.
struct Point {
    uint64_t time, thread, number;
    size_t front;
};
std::optional<Point> ending_point(const FileRecords& file) {
    const auto point = last_point(file);
    if (!point || point->end < point->begin + 2 || point->end + (is_plain(file) ? 0 : 1) != end_of(file))
        return std::nullopt;
    const RecordValues& front = file[point->begin];
    const RecordValues& thread = file[point->begin + 1];
    if (front.number("flags") != 0) return std::nullopt;
    return Point{front.number("time"), thread.number("thread"), thread.number("number"), point->begin};
}

std::optional<size_t> append_threads(FileRecords& file, const std::string& row) {
    if (!is_plain(file) || end_of(file) == file.size()) return std::nullopt;
    std::vector<RecordValues> content{made(file, kThread, bytes_of_number(row.size(), 2) + row)};
    return insert_block(file, end_of(file), Kind::threads, std::move(content));
}

// clang-format off
constexpr FaultRow kThreadRows[] = {
    {"nettrace/sequence-point-flags", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto point = last_point(file);
        if (!point || !is_plain(file)) return std::nullopt;
        file[point->begin].set("flags", file[point->begin].number("flags") + 4 * between(random, 1, 1000));
        return at_field(point->begin, "flags");
    }},
    {"nettrace/sequence-point-count", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kSequencePoint, any);
        if (!at) return std::nullopt;
        file[*at].set("count", between(random, 0x10000, 0xffffffff));
        return at_field(*at, "count");
    }},
    {"nettrace/sequence-point-order", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto point = ending_point(file);
        if (!point || point->time < 100) return std::nullopt;
        const auto at = append_point(file, point->time - between(random, 1, 99), 0, {});
        return at_field(*at, "time");
    }},
    {"nettrace/sequence-point-before-events", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto point = ending_point(file);
        // A single sequence point: it is the first one that events come before.
        if (!point || std::count_if(file.begin(), file.end(), [](const RecordValues& r) { return r.record == &kSequencePoint; }) != 1) return std::nullopt;
        const std::vector<LastEvent> events = last_events(file);
        if (events.empty()) return std::nullopt;
        file[point->front].set("time", 1);
        return at_field(point->front, "time");
    }},
    {"nettrace/sequence-point-duplicate-thread", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto point = ending_point(file);
        if (!point || !is_plain(file)) return std::nullopt;
        const auto at = append_point(file, point->time, 0, {{point->thread, point->number}, {point->thread, point->number}});
        return at_field(*at + 2, "thread");
    }},
    {"nettrace/sequence-point-behind", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto point = ending_point(file);
        if (!point || point->number == 0) return std::nullopt;
        const bool may_be_reused = std::any_of(file.begin(), file.end(), [](const RecordValues& r) { return r.record == &kEvent || r.record == &kPlainEvent; }) && !is_plain(file);
        if (may_be_reused) {
            if (!append_point(file, point->time, 0, {{987'654'321, 50}})) return std::nullopt;
            const auto at = append_point(file, point->time, 0, {{987'654'321, 49}});
            return at_field(*at + 1, "number");
        }
        const auto at = append_point(file, point->time, 0, {{point->thread, point->number - 1}});
        return at_field(*at + 1, "number");
    }},
    {"nettrace/unknown-thread-index", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto point = ending_point(file);
        if (!point || !is_plain(file)) return std::nullopt;
        const auto at = append_point(file, point->time, 0, {{between(random, 1'000'000, uint64_t{1} << 40), 0}});
        return at_field(*at + 1, "thread");
    }},
    {"nettrace/unknown-thread-info", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = append_threads(file, bytes_of_varint(777'777) + std::string(1, static_cast<char>(between(random, 5, 255))));
        if (!at) return std::nullopt;
        return at_bytes(*at, 5, 1);
    }},
    {"nettrace/duplicate-thread-index", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto point = ending_point(file);
        if (!point || !is_plain(file)) return std::nullopt;
        const auto at = append_threads(file, bytes_of_varint(point->thread));
        return at_field(*at, "index");
    }},
    {"nettrace/field-overruns-item", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto at = append_threads(file, bytes_of_varint(777'777) + "\2");
        if (!at) return std::nullopt;
        return Planted{*at, {}, kNone, 6, 0, {}};
    }},
    {"nettrace/string-overruns-item", [](FileRecords& file, Random&) -> std::optional<Planted> {
        const auto at = append_threads(file, bytes_of_varint(777'777) + "\1\x09" + "name");
        if (!at) return std::nullopt;
        return at_bytes(*at, 6, 1);
    }},
    {"nettrace/invalid-utf8", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const BadText bad = draw_bad_text(random);
        const std::string text = bad.text.substr(0, bad.text.size() - 1);
        const auto at = append_threads(file, bytes_of_varint(777'777) + "\1" + bytes_of_varint(text.size()) + text);
        if (!at) return std::nullopt;
        return at_bytes(*at, 7 + bad.bad_at, 1);
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kThreadFaults{kThreadRows};

}  // namespace tracelint::nettrace::faults
