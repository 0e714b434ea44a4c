// toy: ways to break records and the relations between them.
#include "tests/toy/generator/model.hpp"
#include "tests/toy/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::toy {

// toy: ways to break the header, the framing and the fields of a valid file, one for each rule at least.

namespace {

bool is_record(const RecordValues& record) { return record.record != nullptr && record.record != &kHeader; }

// The number of a record other than the header.
size_t any_record(const FileRecords& file, Random& random) { return between(random, 1, file.size() - 1); }

RecordValues unknown_record(Random& random, const Layout& layout) {
    RecordValues record = decode_values(kOther, as_bytes(std::string(3, '\0') + random_bytes(random, 5)), layout, true);
    record.set("kind", between(random, 5, 255));
    update_sizes(record);
    return record;
}

// clang-format off
constexpr FaultRow kFramingRows[] = {
    {"toy/bad-magic", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        file[0].set("magic", kMagic ^ uint64_t{1} << below(random, 32));
        return at_field(0, "magic");
    }},
    {"toy/unknown-version", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        file[0].set("version", one_in(random, 2) ? 0 : between(random, kNewestVersion + 1, 0xffff));
        return at_field(0, "version");
    }},
    {"toy/truncated-header", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const uint64_t left = between(random, 1, fixed_size(kHeader) - 1);
        cut(file, 0, left);
        return at_bytes(0, 0, left);
    }},
    {"toy/unknown-kind", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        insert(file, at, unknown_record(random, layout_of(file)));
        return at_field(at, "kind");
    }},
    {"toy/record-too-small", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        file[at].set("size", below(random, fixed_size(kPrefix)));
        return at_field(at, "size");
    }},
    {"toy/truncated-record", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        const uint64_t left = between(random, 1, bytes_of(file[at]).size() - 1);
        cut(file, at, left);
        return at_bytes(at, 0, left);
    }},
    {"toy/record-after-close", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto counters = choose(file, random, kCounters, any);
        if (!counters || file.back().record != &kClose) return std::nullopt;
        file.push_back(file[*counters]);
        return at_bytes(file.size() - 1, 0, fixed_size(kPrefix));
    }},
    // The list of samples continues after the end of the record.
    {"toy/field-exceeds-record", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto at = choose(file, random, kCounters, any);
        if (!at) return std::nullopt;
        file[*at].set("count", between(random, file[*at].number("count") + 1, 0xffff));
        return at_field(*at, "size");
    }},
    {"toy/trailing-bytes", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const size_t at = any_record(file, random);
        if (!is_record(file[at])) return std::nullopt;
        const uint64_t end = bytes_of(file[at]).size(), extra = between(random, 1, 20);
        append_raw(file[at], random_bytes(random, extra));
        update_sizes(file[at]);
        return at_bytes(at, end, extra);
    }},
    // A copy of an event, whose own action is the one that counts.
    {"toy/unknown-action", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto event = choose(file, random, kEvent, any);
        if (!event) return std::nullopt;
        insert(file, *event, file[*event]);
        file[*event].set("action", between(random, 2, 15));
        return at_field(*event, "action");
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kFramingFaults{kFramingRows};

// toy: ways to break what ties the records of a task together (section 4.2).

namespace {

std::optional<size_t> choose_event(const FileRecords& file, Random& random, uint64_t action) {
    return choose(file, random, kEvent, [&](size_t i) { return file[i].number("action") == action; });
}

// Repeats an event of the action.
std::optional<Planted> repeat(FileRecords& file, Random& random, uint64_t action) {
    const auto event = choose_event(file, random, action);
    if (!event) return std::nullopt;
    insert(file, *event, file[*event]);
    return at_field(*event + 1, "action");
}

bool is_introduced(const FileRecords& file, uint64_t id) {
    return std::any_of(file.begin(), file.end(), [=](const RecordValues& record) {
        return record.record == &kTask && record.number("task") == id;
    });
}

// clang-format off
constexpr FaultRow kTaskRows[] = {
    {"toy/duplicate-task", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto task = choose(file, random, kTask, any);
        if (!task) return std::nullopt;
        insert(file, *task, file[*task]);
        return at_field(*task + 1, "task");
    }},
    {"toy/unknown-task", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto event = choose(file, random, kEvent, any);
        const uint64_t id = edge_number(random, 64);
        if (!event || is_introduced(file, id)) return std::nullopt;
        insert(file, *event, file[*event]);
        file[*event].set("task", id);
        update_sizes(file[*event]);
        return at_field(*event, "task");
    }},
    {"toy/unknown-task", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto task = choose(file, random, kTask, [&](size_t i) { return file[i].find("parent") != nullptr; });
        const uint64_t id = std::max<uint64_t>(1, edge_number(random, 64));
        if (!task || is_introduced(file, id)) return std::nullopt;
        file[*task].set("parent", id);
        update_sizes(file[*task]);
        return at_field(*task, "parent");
    }},
    {"toy/started-twice", [](FileRecords& file, Random& random) { return repeat(file, random, kStart); }},
    {"toy/finish-without-start", [](FileRecords& file, Random& random) { return repeat(file, random, kFinish); }},
    // Tasks are idle at the end of a valid file.
    {"toy/never-finished", [](FileRecords& file, Random& random) -> std::optional<Planted> {
        const auto event = choose_event(file, random, kFinish);
        if (!event || file.back().record != &kClose) return std::nullopt;
        const size_t at = file.size() - 1;
        insert(file, at, file[*event]);
        file[at].set("action", kStart);
        return at_bytes(at, 0, bytes_of(file[at]).size());
    }},
};
// clang-format on

}  // namespace

constinit const FaultList kTaskFaults{kTaskRows};

}  // namespace tracelint::toy
