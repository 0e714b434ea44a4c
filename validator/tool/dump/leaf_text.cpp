// Turns leaves into text by what the tables say of their fields.
#include "validator/tool/dump/leaf_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "validator/tables/text_scan.hpp"
#include "validator/tool/dump/quantity_text.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kAlsoInHex = 4096;  // numbers from here on are also shown in hexadecimal

std::string_view name_of_value(const Field& field, uint64_t number) {
    for (const NamedValue& named : field.names)
        if (named.value == number) return named.name;
    return {};
}

// The names of the flags that are set, if the field consists of flags.
std::string flags_of(const Field& field, uint64_t number) {
    const auto is_mask = [](const Check& check) { return check.must == Check::Must::be_within_mask; };
    std::string names;
    if (!std::any_of(field.checks.begin(), field.checks.end(), is_mask)) return names;
    for (const NamedValue& named : field.names) {
        if (named.value == 0 || (number & named.value) != named.value) continue;
        if (!names.empty()) names += " | ";
        names += named.name;
    }
    return names;
}

// "4096 = 0x1000". Most of what a dump shows are numbers, so it asks for memory once.
std::string number_in_both(uint64_t number) {
    constexpr std::string_view kAlso = " = 0x";
    char text[20 + kAlso.size() + 16];
    char* end = std::to_chars(text, std::end(text), number).ptr;
    end = std::ranges::copy(kAlso, end).out;
    return {text, std::to_chars(end, std::end(text), number, 16).ptr};
}

// Of opaque bytes, instead of them.
std::string size_of(const Leaf& leaf) { return '<' + counted(leaf.length, "byte") + '>'; }

}  // namespace

void append_element(std::string& path, const Field& list, uint64_t element) {
    append_to(path, list.name, "[", element, "]");
}

std::string path_of(const Leaf& leaf) {
    std::string path;
    if (leaf.list != nullptr) append_element(path, *leaf.list, leaf.element);
    if (leaf.field == nullptr) return path;
    if (!path.empty()) path += '.';
    return path += leaf.field->name;
}

bool is_negative(const Leaf& leaf) {
    const bool is_signed = leaf.field->type == Type::signed_number || leaf.field->type == Type::sleb128;
    return is_signed && static_cast<int64_t>(leaf.number) < 0;
}

bool is_text(const Leaf& leaf) {
    return leaf.kind == Leaf::Kind::value && (leaf.field->is_string() || leaf.field->is_text);
}

Bytes text_in(const Leaf& leaf, Bytes bytes) {
    const size_t end = leaf.field->type == Type::string16 ? 2 : leaf.field->is_text ? 0 : 1;  // the NUL
    return bytes.first(bytes.size() - end);
}

std::string value_of(const Leaf& leaf, Bytes bytes) {
    if (leaf.kind == Leaf::Kind::list) return leaf.number == kNone ? "list" : counted(leaf.number, "element");
    if (leaf.kind == Leaf::Kind::raw || (leaf.field->type == Type::bytes && !is_text(leaf))) return size_of(leaf);
    if (is_text(leaf)) {
        const bool is_wide = leaf.field->type == Type::string16;
        const Bytes text = text_in(leaf, bytes);
        const Bytes shown = text.first(std::min(text.size(), kTextOfLeaf));
        const std::string sentence = tracelint::quoted(is_wide ? utf8_of_utf16(shown) : std::string(as_text(shown)));
        return shown.size() == text.size() ? sentence : fmt::format("{}... {}", sentence, size_of(leaf));
    }
    if (is_negative(leaf)) return std::to_string(static_cast<int64_t>(leaf.number));
    return leaf.number < kAlsoInHex ? std::to_string(leaf.number) : number_in_both(leaf.number);
}

bool fits_a_line(const Record& element) {
    return std::ranges::all_of(element.fields(), [](const Field& f) { return f.is_fixed() || f.type == Type::string; });
}

const Labels& Meanings::labels() {
    if (!labels_) {
        labels_.emplace(*record_.record, record_.bytes, record_.layout(), context_.budget, context_.work);
        if (labels_->are_missing()) context_.leave_out("the names behind indexes are left out: --max-memory");
    }
    return *labels_;
}

std::string Meanings::of(const Leaf& leaf) {
    if (leaf.kind != Leaf::Kind::value) return {};
    const Field& field = *leaf.field;
    if (!field.taken.empty()) return take(field.taken, leaf.number);
    if (const std::string_view name = name_of_value(field, leaf.number); !name.empty()) return std::string(name);
    if (std::string flags = flags_of(field, leaf.number); !flags.empty()) return flags;
    return field.indexed.empty() ? std::string() : labels().of(field.indexed, leaf.number);
}

void Meanings::pass(const Leaf& leaf) {
    if (leaf.kind == Leaf::Kind::value && !leaf.field->taken.empty()) take(leaf.field->taken, leaf.number);
}

// The elements of another list that belong to this element: "range_list[2..3]".
std::string Meanings::take(std::string_view list, uint64_t count) {
    const uint64_t first = std::exchange(taken_[list], saturating_add(taken_[list], count));
    if (count == 0) return {};
    if (count == 1) return fmt::format("{}[{}]", list, first);
    return fmt::format("{}[{}..{}]", list, first, saturating_add(first, count - 1));
}

NamedField named_field(const SeenRecord& record, const Leaf& leaf, Meanings& meanings) {
    const Bytes bytes = leaf.kind == Leaf::Kind::list ? Bytes{} : record.bytes.subspan(leaf.offset, leaf.length);
    const std::string_view doc = leaf.field == nullptr ? std::string_view() : leaf.field->doc;
    std::string value;
    if (leaf.kind == Leaf::Kind::value && !holds_text(leaf) && !is_negative(leaf))
        value = quantity_text(leaf.field->quantity, leaf.number);
    if (value.empty()) value = value_of(leaf, bytes);
    return {record.offset + leaf.offset, leaf.length, path_of(leaf), std::move(value), meanings.of(leaf), doc};
}

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
    const Field* seen = nullptr;  // the list of the last leaf
    auto found = lists_.end();    // what is kept of it
    decode(record, bytes, layout, true, [&](const Leaf& leaf) {
        work_.add(leaf.length + 1);
        if (leaf.list == nullptr || leaf.depth != 1) return;
        if (std::exchange(seen, leaf.list) != leaf.list) found = lists_.find(leaf.list->name);
        if (found == lists_.end() || found->second.by != leaf.field) return;
        const uint64_t value = leaf.field->type == Type::string ? leaf.offset : leaf.number;
        if (found->second.values.push_back(value)) return;
        are_missing_ = true;
        lists_.clear();
        found = lists_.end();
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
