// Compares names of fields, without making the path of each leaf.
#include "validator/tool/dump/field_name.hpp"

#include <charconv>

namespace tracelint {
namespace {

// Takes "[2]" from the front of the text. False if there is something else in its place.
bool take_index(std::string_view& text, std::optional<uint64_t>& index) {
    if (!text.starts_with('[')) return true;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ']') return false;
    index = number;
    text.remove_prefix(static_cast<size_t>(end + 1 - text.data()));
    return true;
}

// The name of a field of a list, in parts.
struct ElementName {
    std::optional<uint64_t> index;  // empty: any
    std::string_view field;         // empty: all
};

// Nothing if the name is not that of the list, or of something in it.
std::optional<ElementName> in_list(std::string_view name, std::string_view list) {
    if (!name.starts_with(list)) return std::nullopt;
    name.remove_prefix(list.size());
    ElementName element;
    if (!take_index(name, element.index)) return std::nullopt;
    if (name.empty()) return element;
    if (!name.starts_with('.') || name.size() == 1) return std::nullopt;
    element.field = name.substr(1);
    return element;
}

bool has_own_field(const Record& record, std::string_view name) {
    return std::ranges::any_of(record.fields(), [&](const Field& field) { return field.name == name; });
}

// Whether the name is that of a list in the record, at any depth, or of something in one.
bool has_list(const Record& record, std::string_view name) {
    return std::ranges::any_of(record.fields(), [&](const Field& list) {
        if (list.element == nullptr) return false;
        const std::optional<ElementName> element = in_list(name, list.name);
        if (element && (element->field.empty() || has_own_field(*list.element, element->field))) return true;
        return has_list(*list.element, name);
    });
}

}  // namespace

std::string_view FieldName::within(const FramedRecord& record) const {
    std::string_view name = name_;
    const std::string_view prefix = record.record->name;
    const bool has_prefix =
        record.index == kNone && name.starts_with(prefix) && name.substr(prefix.size()).starts_with('.');
    if (has_prefix) name.remove_prefix(prefix.size() + 1);
    return name;
}

bool FieldName::may_be_in(const FramedRecord& record) const {
    const std::string_view name = within(record);
    return has_own_field(*record.record, name) || has_list(*record.record, name);
}

bool FieldName::matches(const FramedRecord& record, const Leaf& leaf) const {
    const std::string_view name = within(record);
    if (leaf.list == nullptr) return leaf.field != nullptr && leaf.field->name == name;
    const std::optional<ElementName> element = in_list(name, leaf.list->name);
    if (!element) return leaf.field != nullptr && leaf.field->element != nullptr && leaf.field->name == name;
    if (element->index && *element->index != leaf.element) return false;
    return element->field.empty() || (leaf.field != nullptr && leaf.field->name == element->field);
}

}  // namespace tracelint
