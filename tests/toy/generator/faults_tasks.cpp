// toy: ways to break what ties the records of a task together (section 4.2).
#include "tests/toy/generator/model.hpp"
#include "tests/toy/records.hpp"
#include "validator/generator/edit.hpp"

namespace tracelint::toy {
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
