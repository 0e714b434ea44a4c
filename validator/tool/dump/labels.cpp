// Finds the labels of list elements.
#include "validator/tool/dump/labels.hpp"

#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr size_t kMostHops = 4;     // from list to list
constexpr size_t kLabelShown = 48;  // bytes of one label

// The field that gives an element its label: a string, or an index into another list.
const Field* label_field(const Field& list) {
    const Field* found = nullptr;
    for (const Field& field : list.element->fields()) {
        if (field.type == Type::string) return &field;
        if (found == nullptr && !field.indexed.empty() && field.indexed != list.name) found = &field;
    }
    return found;
}

bool is_indexed(const Record& record, std::string_view list) {
    for (const Field& outer : record.fields())
        if (outer.element != nullptr)
            for (const Field& field : outer.element->fields())
                if (field.indexed == list) return true;
    return false;
}

}  // namespace

Labels::Labels(const Record& record, Bytes bytes, const Layout& layout, Budget& budget, WorkCounter& work)
    : bytes_(bytes), work_(work) {
    for (const Field& list : record.fields())
        if (list.element != nullptr && is_indexed(record, list.name))
            lists_.try_emplace(list.name, label_field(list), budget);
    if (lists_.empty()) return;
    decode(record, bytes, layout, true, [&](const Leaf& leaf) {
        work_.add(leaf.length + 1);
        if (leaf.list == nullptr || leaf.depth != 1) return;
        const auto found = lists_.find(leaf.list->name);
        if (found == lists_.end() || found->second.by != leaf.field) return;
        const uint64_t value = leaf.field->type == Type::string ? leaf.offset : leaf.number;
        if (found->second.values.push_back(value)) return;
        are_missing_ = true;
        lists_.clear();
    });
}

std::string Labels::of(std::string_view list, uint64_t index) const {
    for (size_t hop = 0; hop < kMostHops; ++hop) {
        work_.add(1);
        const auto found = lists_.find(list);
        if (found == lists_.end() || found->second.by == nullptr || index >= found->second.values.size()) return {};
        const List& labels = found->second;
        if (labels.by->type == Type::string) {
            const Bytes rest = bytes_.subspan(labels.values[index]);
            const Bytes seen = rest.first(std::min(rest.size(), kLabelShown));
            work_.add(seen.size());
            return printable(as_text(seen.first(std::min<uint64_t>(length_to_nul(seen), seen.size()))));
        }
        list = labels.by->indexed;
        index = labels.values[index];
    }
    return {};
}

}  // namespace tracelint
