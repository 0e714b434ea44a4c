// What planted faults share.
#include "grammars/jitdump/samply/generator/faults.hpp"

namespace tracelint::samply::faults {
namespace {

// Index of the list among the record's values.
size_t position_of(const RecordValues& record, std::string_view list) {
    return static_cast<size_t>(record.find(list) - record.values.data());
}

// Index of an element's first value. An element's values are adjacent, and none of them is a list.
size_t position_of(const RecordValues& record, std::string_view list, uint64_t element) {
    const size_t at = position_of(record, list);
    return at + 1 + element * record.values[at].leaf.field->element->fields().size();
}

size_t position_of(const RecordValues& record, std::string_view list, uint64_t element, std::string_view field) {
    size_t at = position_of(record, list, element);
    while (record.values[at].leaf.field->name != field) ++at;
    return at;
}

auto iterator_at(RecordValues& record, size_t position) {
    return record.values.begin() + static_cast<std::ptrdiff_t>(position);
}

uint64_t size_before(const RecordValues& record, size_t position) {
    RecordValues part;
    part.values.assign(record.values.begin(), record.values.begin() + static_cast<std::ptrdiff_t>(position));
    return bytes_of(part).size();
}

// Sets the element numbers of all values of the list.
void renumber(RecordValues& record, std::string_view list) {
    const uint64_t width = record.find(list)->leaf.field->element->fields().size();
    const size_t first = position_of(record, list, 0);
    for (uint64_t i = 0; i < count_of(record, list) * width; ++i) record.values[first + i].leaf.element = i / width;
}

}  // namespace

uint64_t count_of(const RecordValues& record, std::string_view list) { return record.number(list); }

uint64_t get(const RecordValues& record, std::string_view list, uint64_t element, std::string_view field) {
    return record.values[position_of(record, list, element, field)].leaf.number;
}

void set(RecordValues& record, std::string_view list, uint64_t element, std::string_view field, uint64_t number) {
    record.values[position_of(record, list, element, field)].leaf.number = number;
}

const std::string& text_of(const RecordValues& record, std::string_view list, uint64_t element) {
    return record.values[position_of(record, list, element)].text;
}

void set_text(RecordValues& record, std::string_view list, uint64_t element, std::string text) {
    record.values[position_of(record, list, element)].text = std::move(text);
}

void insert_row(RecordValues& record, std::string_view list, uint64_t before, const std::vector<uint64_t>& numbers) {
    const Value at_list = *record.find(list);
    const Record& element = *at_list.leaf.field->element;
    std::vector<Value> row(element.fields().size());
    for (size_t i = 0; i < row.size(); ++i) {
        Leaf& leaf = row[i].leaf;
        leaf.record = &element;
        leaf.field = &element.fields()[i];
        leaf.list = at_list.leaf.field;
        leaf.depth = at_list.leaf.depth + 1;
        leaf.number = numbers[i];
    }
    record.values.insert(iterator_at(record, position_of(record, list, before)), row.begin(), row.end());
    ++record.find(list)->leaf.number;
    renumber(record, list);
}

void erase_row(RecordValues& record, std::string_view list, uint64_t element) {
    const auto first = iterator_at(record, position_of(record, list, element));
    const auto end = iterator_at(record, position_of(record, list, element + 1));
    record.values.erase(first, end);
    --record.find(list)->leaf.number;
    renumber(record, list);
}

std::vector<uint64_t> row_of(const RecordValues& record, std::string_view list, uint64_t element) {
    std::vector<uint64_t> numbers;
    for (size_t at = position_of(record, list, element); at < position_of(record, list, element + 1); ++at)
        numbers.push_back(record.values[at].leaf.number);
    return numbers;
}

uint64_t offset_of(const RecordValues& record, std::string_view list) {
    return size_before(record, position_of(record, list));
}

uint64_t offset_of(const RecordValues& record, std::string_view list, uint64_t element, std::string_view field) {
    return size_before(record, position_of(record, list, element, field));
}

Planted at_entry(const FileRecords& file, const Entry& entry, std::string_view list, std::string_view field,
                 uint64_t length) {
    const uint64_t offset = offset_of(file[entry.record], list, entry.element, field);
    return at_bytes(entry.record, offset, length == 0 ? 4 : length);
}

uint64_t size_of_strings(const RecordValues& record, std::string_view list, uint64_t count) {
    uint64_t size = 0;
    for (uint64_t i = 0; i < count; ++i) size += text_of(record, list, i).size();
    return size;
}

std::string padding_of(const RecordValues& tree, std::string_view list) {
    const size_t end = position_of(tree, list, count_of(tree, list));
    const Value& next = tree.values[end];
    return next.leaf.kind == Leaf::Kind::raw && next.leaf.field->name == list ? next.text : std::string();
}

void set_padding(RecordValues& tree, std::string_view list, const std::string& bytes) {
    const size_t end = position_of(tree, list, count_of(tree, list));
    if (!padding_of(tree, list).empty()) tree.values.erase(iterator_at(tree, end));
    if (bytes.empty()) return;
    Value padding = *tree.find(list);
    padding.leaf.kind = Leaf::Kind::raw;
    padding.text = bytes;
    tree.values.insert(iterator_at(tree, end), std::move(padding));
}

void align(RecordValues& tree, std::string_view list) {
    const uint64_t size = size_of_strings(tree, list, count_of(tree, list));
    set_padding(tree, list, std::string((4 - size % 4) % 4, '\0'));
}

bool shares_offset(const RecordValues& record, std::string_view list, uint64_t element) {
    const Record& kind = *record.find(list)->leaf.field->element;
    if (kind.find("code_offset") == nullptr) return false;
    const auto offset = [&](uint64_t i) { return get(record, list, i, "code_offset"); };
    const bool with_next = element + 1 < count_of(record, list) && offset(element) == offset(element + 1);
    return with_next || (element > 0 && offset(element) == offset(element - 1));
}

uint64_t code_size_of(const FileRecords& file, size_t record) {
    return file[next_load(file, record).value()].number("code_size");
}

uint64_t near_edge(Random& random, uint64_t least, uint64_t most) {
    switch (below(random, 4)) {
        case 0: return least;
        case 1: return most;
        default: return between(random, least, most);
    }
}

std::optional<Planted> index_out_of_range(FileRecords& file, Random& random, const IndexField& index) {
    const auto entry = choose_entry(file, random, index.record, index.list, [&](const Entry& e) {
        return !shares_offset(file[e.record], index.list, e.element);
    });
    if (!entry) return std::nullopt;
    RecordValues& record = file[entry->record];
    const uint64_t number = near_edge(random, count_of(record, index.indexed), index.most);
    set(record, index.list, entry->element, index.field, number);
    return at_entry(file, *entry, index.list, index.field);
}

}  // namespace tracelint::samply::faults
