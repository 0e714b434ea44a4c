// mlpd: lays out plans from the record tables.
#include "grammars/mlpd/events/plan.hpp"

#include "grammars/mlpd/events/event_reader.hpp"

namespace tracelint::mlpd {

Plan& Plans::of(const Record& record) {
    for (const auto& plan : plans_)
        if (plan->record == &record) return *plan;
    Plan& plan = *plans_.emplace_back(std::make_unique<Plan>());
    plan.record = &record;
    lay_out(plan);
    return plan;
}

void Plans::lay_out(Plan& plan) {
    const Record& record = *plan.record;
    // Counts are judged by the size of frames without offsets.
    plan.minimum = minimum_size(record, {ByteOrder::little, 8, std::min(version_, kNewestVersion), {}});
    plan.actions = EventReader::actions_of(record);
    for (const Field& field : record.fields()) {
        if (!field.exists_in(version_)) continue;
        Step step;
        step.field = &field;
        step.slot = slot_of(record, field.name);
        step.has_checks = std::ranges::any_of(field.checks, [](const Check& check) { return check.rule != nullptr; });
        step.act = EventReader::action_of(plan.actions, field.name);
        if (field.is_optional()) step.decides = slot_of(record, field.condition.field);
        if (field.type == Type::list) step.element = &of(*field.element);
        if (!field.counter.empty()) {
            step.counter = slot_of(record, field.counter);
            for (size_t before = 0; before < plan.steps.size(); ++before)
                if (plan.steps[before].slot == step.counter) step.counter_step = static_cast<uint8_t>(before);
            plan.steps[step.counter_step].counts = true;
        }
        plan.steps.push_back(step);
    }
}

std::vector<const Plan*> Plans::made() const {
    std::vector<const Plan*> made;
    const auto add = [&](const Record* record) {
        if (record == nullptr) return;
        for (const auto& plan : plans_)
            if (plan->record == record && std::ranges::find(made, plan.get()) == made.end()) made.push_back(plan.get());
    };
    for (const EventRow& row : kEvents) {
        if (row.record != nullptr) {
            add(row.record);
            continue;
        }
        for (const Record* record : kMetadataRecords) add(record);
    }
    return made;
}

}  // namespace tracelint::mlpd
