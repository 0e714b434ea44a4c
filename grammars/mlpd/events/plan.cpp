// mlpd: makes plans from the record tables.
#include "grammars/mlpd/events/plan.hpp"

namespace tracelint::mlpd {
namespace {

// Fields with something special about them. Times are told by their name.
struct SpecialField {
    const Record* record;
    std::string_view field;
    Special special;
};
constexpr SpecialField kSpecialFields[] = {
    {&kOldFrame, "method", Special::frame},
    {&kFrame, "method", Special::frame},
    {&kSampleFrame, "method", Special::frame},
    {&kClass, "name", Special::name},
    {&kImage, "name", Special::name},
    {&kAssembly, "name", Special::name},
    {&kJit, "name", Special::name},
    {&kImage, "mvid", Special::guid_or_empty},
    {&kAotId, "guid", Special::guid},
    {&kJit, "code_size", Special::jit_size},
    {&kReference, "offset", Special::reference_offset},
    {&kReference, "object", Special::reference},
    {&kDescriptor, "variance", Special::variance},
    {&kDescriptor, "index", Special::description},
    {&kSample, "index", Special::sample_index},
    {&kSample, "type", Special::sample_type},
};

// Events that carry a time which was taken earlier (rule 29).
constexpr const Record* kMayGoBack[] = {&kJit, &kSampleHit, &kCounters};

Special special_of(const Record& record, const Field& field) {
    if (field.name == kTime.name) return Special::time;
    for (const SpecialField& known : kSpecialFields)
        if (known.record == &record && known.field == field.name) return known.special;
    return Special::none;
}

}  // namespace

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
    // Rule 41 knows no frames with offsets.
    plan.minimum = minimum_size(record, {ByteOrder::little, 8, std::min(version_, kNewestVersion), {}});
    plan.may_go_back = std::ranges::find(kMayGoBack, &record) != std::end(kMayGoBack);
    for (const Field& field : record.fields()) {
        if (!field.exists_in(version_)) continue;
        Step step;
        step.field = &field;
        step.slot = slot_of(record, field.name);
        step.has_checks = std::ranges::any_of(field.checks, [](const Check& check) { return check.rule != nullptr; });
        step.special = special_of(record, field);
        if (field.is_optional()) step.decides = slot_of(record, field.condition.field);
        if (field.type == Type::list) step.element = &of(*field.element);
        if (!field.counter.empty()) {
            step.counter = slot_of(record, field.counter);
            for (uint8_t before = 0; before < plan.steps.size(); ++before)
                if (plan.steps[before].slot == step.counter) step.counter_step = before;
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
