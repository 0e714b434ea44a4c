// toy, sections 4.2 and 5: the tasks of a file.
#pragma once

#include "tests/toy/fields.hpp"
#include "tests/toy/task_tracker.hpp"
#include "validator/format.hpp"
#include "validator/memory/sorted_table.hpp"

namespace tracelint::toy {

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
