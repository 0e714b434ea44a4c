// Planned records and the models that plan them.
#include "validator/generator/planned_record.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint {

PlannedRecord::PlannedRecord(const Record& record, std::initializer_list<Number> numbers) : record_(&record) {
    for (const auto& [field, number] : numbers) with(field, number);
}

PlannedRecord& PlannedRecord::with(std::string_view field, uint64_t number, uint64_t element) {
    given_.push_back({field, element, number, {}});
    return *this;
}

PlannedRecord& PlannedRecord::text(std::string_view field, std::string text, uint64_t element) {
    given_.push_back({field, element, 0, std::move(text) + '\0'});
    return *this;
}

PlannedRecord& PlannedRecord::bytes(std::string_view field, std::string bytes, uint64_t element) {
    given_.push_back({field, element, 0, std::move(bytes)});
    return *this;
}

PlannedRecord& PlannedRecord::size(std::string_view field, uint64_t size) {
    sizes_.emplace_back(field, size);
    return *this;
}

void PlannedRecord::fill(Value& value) const {
    for (const Given& given : given_) {
        if (given.element != value.leaf.element || given.field != value.leaf.field->name) continue;
        if (value.is_text())
            value.text = value.leaf.field->type == Type::string16 ? utf16_of(given.text) : given.text;
        else
            value.leaf.number = given.number;
    }
}

uint64_t PlannedRecord::size_of(const Field& field) const {
    for (const auto& [name, size] : sizes_)
        if (name == field.name) return size;
    return 0;
}

const Record* PlannedModel::next(uint64_t written, uint64_t wanted) {
    if (waiting_.empty()) plan(written, wanted);
    if (waiting_.empty()) return nullptr;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    return &current_->record();
}

void PlannedModel::fill(Value& value, const RecordValues&) { current_->fill(value); }

uint64_t PlannedModel::size_of(const Field& field, const RecordValues&) { return current_->size_of(field); }

}  // namespace tracelint
