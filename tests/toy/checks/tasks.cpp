// toy, sections 4.2 and 5: the tasks of a file.
#include "tests/toy/checks/tasks.hpp"

#include "tests/toy/records.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::toy {
namespace {

constexpr Rule kDuplicateTask{
    .id = "toy/duplicate-task",
    .severity = Severity::warning,
    .statement = "an id is introduced by one TASK record",
    .message = "task {0} was introduced before",
    .why = "readers show all events of the task under one of the two names",
    .spec = "3.3 TASK",
    .since = "0.1.0",
};

constexpr Rule kTrackingLimit = tracking_limit("toy/tracking-limit", "5. Limits", false);

}  // namespace

void Tasks::introduce(const Fields& task) {
    if (task.has("parent") && task.number("parent") != 0) is_introduced(task, "parent");
    if (out_of_memory_) return;
    const uint64_t id = task.number("task");
    if (table_.find(id) != nullptr) return context_.report.add<kDuplicateTask>(task.place("task"), {id});
    if (table_.insert({.key = id})) return;
    context_.report.add<kTrackingLimit>(task.whole(), {context_.limits.memory});
    context_.limit_hit = out_of_memory_ = true;
    table_.clear();
}

namespace {

constexpr Rule kUnknownTask{
    .id = "toy/unknown-task",
    .severity = Severity::error,
    .statement = "a TASK record introduces an id before another record names it",
    .message = "no earlier TASK record introduces task {0}",
    .why = "readers show a task without a name, or drop the record",
    .spec = "3.3 TASK",
    .since = "0.1.0",
};

}  // namespace

// Whether the task that the field names is known; reports it otherwise.
bool Tasks::is_introduced(const Fields& fields, std::string_view field) {
    if (out_of_memory_) return false;
    if (table_.find(fields.number(field)) != nullptr) return true;
    context_.report.add<kUnknownTask>(fields.place(field), {fields.number(field)});
    return false;
}

// An event of an unknown action or an unknown task has its own finding, and moves no task.
void Tasks::act(const Fields& event) {
    const uint64_t action = event.number("action"), worker = event.number("worker"), id = event.number("task");
    if (!is_introduced(event, "task") || (action != kStart && action != kFinish)) return;
    Entry& task = *table_.find(id);
    if (const Rule* rule = step(kTaskTracker, task.state, action == kStart ? TaskEvent::start : TaskEvent::finish)) {
        Diagnostic finding{.rule = rule, .place = event.place("action"), .numbers = {id}};
        if (task.last_event.length != 0) {
            finding.related_offset = task.last_event.offset;
            finding.related_length = task.last_event.length;
            if (worker != task.last_worker) finding.hint = "the event before it is of another worker";
        }
        context_.report.add(finding);
    }
    task.last_event = event.whole();
    task.last_worker = worker;
}

void Tasks::end() {
    table_.for_each([&](Entry& task) {
        const Rule* rule = step(kTaskTracker, task.state, TaskEvent::end_of_file);
        if (rule != nullptr) context_.report.add(*rule, task.last_event, {task.key});
    });
}

constinit const RuleList kTaskRules = rules<&kDuplicateTask, &kTrackingLimit, &kUnknownTask>;

}  // namespace tracelint::toy
