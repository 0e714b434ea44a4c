// Record values: taken apart by the table interpreter, found by name, settled and encoded.
#include "validator/generator/record_values.hpp"

#include <algorithm>

#include "validator/leb128.hpp"

namespace tracelint {
namespace {

// The LEB128 number of the leaf. One that is what it was when it was read keeps its bytes, also bits
// that resolving it cut off.
uint64_t to_write(const Leaf& leaf, const Layout& layout) {
    const Field& field = *leaf.field;
    if (leaf.length != 0 && resolved(field, layout, leaf.written) == leaf.number) return leaf.written;
    const uint64_t distance = (leaf.number >> field.shift) - layout.bases[field.base];
    return field.base != 0 && layout.word_size == 4 ? static_cast<uint64_t>(sign_extended(distance & 0xffffffff, 4))
                                                    : distance;
}

}  // namespace

bool Value::is_text() const { return holds_text(leaf); }

const Value* RecordValues::find(std::string_view field, uint64_t element) const {
    for (const Value& value : values)
        if (value.leaf.kind != Leaf::Kind::raw && value.leaf.field->name == field && value.leaf.element == element)
            return &value;
    return nullptr;
}

Value* RecordValues::find(std::string_view field, uint64_t element) {
    return const_cast<Value*>(static_cast<const RecordValues*>(this)->find(field, element));
}

uint64_t RecordValues::number(std::string_view field) const {
    const Value* value = find(field);
    return value == nullptr ? 0 : value->leaf.number;
}

void RecordValues::set(std::string_view field, uint64_t number) {
    if (Value* value = find(field)) value->leaf.number = number;
}

RecordValues decode_values(const Record& record, Bytes data, const Layout& layout, bool bounded) {
    RecordValues draft;
    draft.record = &record;
    draft.layout = layout;
    decode(record, data, layout, bounded, [&](const Leaf& leaf) {
        Value value;
        value.leaf = leaf;
        if (holds_text(leaf)) value.text = as_text(data.subspan(leaf.offset, leaf.length));
        draft.values.push_back(std::move(value));
    });
    return draft;
}

void encode(const RecordValues& draft, std::string& to) {
    Layout layout = draft.layout;
    uint64_t shared = 0;  // the number that the bits so far belong to
    for (const Value& value : draft.values) {
        if (value.is_text()) {
            to += value.text;
            continue;
        }
        if (value.leaf.kind == Leaf::Kind::list) continue;
        const Field& field = *value.leaf.field;
        if (field.is_leb()) {
            append_leb(to, to_write(value.leaf, layout), field.type == Type::sleb128, value.leaf.length);
            if (field.is_running) layout.bases[field.base] = value.leaf.number;
            continue;
        }
        const unsigned width = width_of(field, layout);
        uint64_t number = value.leaf.number;
        if (field.type == Type::bits) {
            const unsigned shift =
                layout.order == ByteOrder::little ? field.bit_offset : 8 * width - field.bit_offset - field.bit_width;
            shared |= (number & ((uint64_t{1} << field.bit_width) - 1)) << shift;
            if (!ends_its_number(field)) continue;
            number = std::exchange(shared, 0);
        }
        uint8_t stored[8];
        store(stored, width, layout.order, number);
        to.append(reinterpret_cast<const char*>(stored), width);
    }
}

void settle(RecordValues& draft) {
    // Its elements, and the bytes behind them up to the list's end.
    const auto is_in = [](const Leaf& list, const Leaf& leaf) {
        return leaf.depth > list.depth || (leaf.kind == Leaf::Kind::raw && leaf.field == list.field);
    };
    // Bytes of the value itself; for a list, of everything in it.
    const auto size_of = [&](size_t at) {
        RecordValues part;
        part.layout = draft.layout;
        const Value& first = draft.values[at];
        size_t end = at + 1;
        if (first.leaf.kind == Leaf::Kind::list)
            while (end < draft.values.size() && is_in(first.leaf, draft.values[end].leaf)) ++end;
        part.values.assign(draft.values.begin() + static_cast<std::ptrdiff_t>(at),
                           draft.values.begin() + static_cast<std::ptrdiff_t>(end));
        std::string encoded;
        encode(part, encoded);
        return encoded.size();
    };
    for (size_t i = 0; i < draft.values.size(); ++i) {
        const Leaf leaf = draft.values[i].leaf;
        if (leaf.kind == Leaf::Kind::raw) continue;
        if (!leaf.field->counter.empty())
            if (Value* counter = draft.find(leaf.field->counter, leaf.element)) counter->leaf.number = leaf.number;
        if (!leaf.field->sizer.empty())
            if (Value* sizer = draft.find(leaf.field->sizer, leaf.element)) sizer->leaf.number = size_of(i);
    }
    for (Value& value : draft.values) {
        if (value.leaf.field == nullptr || !value.leaf.field->is_record_size) continue;
        std::string encoded;
        encode(draft, encoded);
        value.leaf.number = encoded.size();
    }
}

Layout layout_after(const RecordValues& draft) {
    Layout layout = draft.layout;
    for (const Value& value : draft.values)
        if (value.leaf.field != nullptr && value.leaf.field->is_running)
            layout.bases[value.leaf.field->base] = value.leaf.number;
    return layout;
}

}  // namespace tracelint
