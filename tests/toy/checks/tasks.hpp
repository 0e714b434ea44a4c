// toy: the tasks of a file.
#pragma once

#include "tests/toy/checks/fields.hpp"
#include "validator/format.hpp"
#include "validator/memory/sorted_table.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::toy {

// toy, section 4.2: the state machine of a task, and the rules of its transitions.

enum class TaskState : uint8_t { idle, running, over, count_ };
inline constexpr std::string_view kTaskStateNames[] = {"idle", "running", "over"};

enum class TaskEvent : uint8_t { start, finish, end_of_file, count_ };
inline constexpr std::string_view kTaskEventNames[] = {"start", "finish", "end of file"};

inline constexpr Rule kStartedTwice{
    .id = "toy/started-twice",
    .severity = Severity::error,
    .statement = "a task that runs is not started",
    .message = "task {0} is started, but it runs already",
    .why = "readers that pair starts with finishes lose the first of the two runs",
    .spec = "4.2 Task",
    .since = "0.1.0",
};

inline constexpr Rule kFinishWithoutStart{
    .id = "toy/finish-without-start",
    .severity = Severity::error,
    .statement = "only a task that runs is finished",
    .message = "task {0} is finished, but it does not run",
    .why = "readers that pair starts with finishes show a run of unknown length",
    .spec = "4.2 Task",
    .since = "0.1.0",
};

inline constexpr Rule kNeverFinished{
    .id = "toy/never-finished",
    .severity = Severity::warning,
    .statement = "every task is finished at the end of the file",
    .message = "task {0} is started here and never finished",
    .why = "readers show a run of unknown length",
    .spec = "4.2 Task",
    .since = "0.1.0",
    .about_end = true,
};

// clang-format off
inline constexpr Transition<TaskState, TaskEvent> kTaskTransitions[] = {
    {TaskState::idle,    on(TaskEvent::start),       TaskState::running},
    {TaskState::idle,    on(TaskEvent::finish),      TaskState::idle,    &kFinishWithoutStart},
    {TaskState::idle,    on(TaskEvent::end_of_file), TaskState::over},
    {TaskState::running, on(TaskEvent::start),       TaskState::running, &kStartedTwice},
    {TaskState::running, on(TaskEvent::finish),      TaskState::idle},
    {TaskState::running, on(TaskEvent::end_of_file), TaskState::over,    &kNeverFinished},
};
// clang-format on
inline constexpr Tracker<TaskState, TaskEvent> kTaskTracker =
    make_tracker(kTaskTransitions, TaskState::idle, TaskState::over);

inline constexpr RuleList kTrackerRules = rules<&kStartedTwice, &kFinishWithoutStart, &kNeverFinished>;

// toy, sections 4.2 and 5: the tasks of a file.

// Follows every task from its TASK record to the end of the file. Takes memory from the budget of the context.
class Tasks {
  public:
    explicit Tasks(ValidationContext& context) : context_(context), table_(context.budget, context.work) {}

    void introduce(const Fields& task);
    void act(const Fields& event);
    // The file ends after its last record.
    void end();

  private:
    struct Entry {
        uint64_t key = 0;  // the id
        TaskState state = TaskState::idle;
        Place last_event{};  // of length 0 before the first one
        uint64_t last_worker = 0;
    };
    bool is_introduced(const Fields& fields, std::string_view field);

    ValidationContext& context_;
    SortedTable<Entry> table_;
    bool out_of_memory_ = false;  // nothing is tracked any more
};

extern const RuleList kTaskRules;

}  // namespace tracelint::toy
