// Record values: decoded by the table interpreter, found by name, brought up to date and encoded.
#include "validator/generator/record_values.hpp"

#include <algorithm>

#include "validator/tables/leb128.hpp"

namespace tracelint {
namespace {

// The LEB128 number to write for the leaf. A number that has not changed since it was read is written as it was,
// including bits that resolving it cut off.
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
    RecordValues decoded;
    decoded.record = &record;
    decoded.layout = layout;
    decode(record, data, layout, bounded, [&](const Leaf& leaf) {
        Value value;
        value.leaf = leaf;
        if (holds_text(leaf)) value.text = as_text(data.subspan(leaf.offset, leaf.length));
        decoded.values.push_back(std::move(value));
    });
    return decoded;
}

void encode(const RecordValues& record, std::string& to) {
    Layout layout = record.layout;
    uint64_t shared = 0;  // the number that bit fields so far are part of
    for (const Value& value : record.values) {
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
            if (field.is_mirrored && layout.order == ByteOrder::big) number = mirrored(number, field.bit_width);
            shared |= (number & ((uint64_t{1} << field.bit_width) - 1)) << shift;
            if (!ends_its_number(field)) continue;
            number = std::exchange(shared, 0);
        }
        uint8_t stored[8];
        store(stored, width, layout.order, number);
        to.append(reinterpret_cast<const char*>(stored), width);
    }
}

namespace {

// The bytes of some of its values.
uint64_t size_of_values(const RecordValues& record, size_t begin, size_t end) {
    RecordValues part;
    part.layout = record.layout;
    part.values.assign(record.values.begin() + static_cast<std::ptrdiff_t>(begin),
                       record.values.begin() + static_cast<std::ptrdiff_t>(end));
    std::string encoded;
    encode(part, encoded);
    return encoded.size();
}

}  // namespace

void update_sizes(RecordValues& record) {
    // Whether the leaf is an element of the list, or padding at its end.
    const auto is_in = [](const Leaf& list, const Leaf& leaf) {
        return leaf.depth > list.depth || (leaf.kind == Leaf::Kind::raw && leaf.field == list.field);
    };
    // The size of the value in bytes; for a list, of everything in it.
    const auto size_of = [&](size_t at) {
        const Value& first = record.values[at];
        size_t end = at + 1;
        if (first.leaf.kind == Leaf::Kind::list)
            while (end < record.values.size() && is_in(first.leaf, record.values[end].leaf)) ++end;
        return size_of_values(record, at, end);
    };
    const auto set = [&](std::string_view field, uint64_t element, uint64_t number) {
        if (Value* const value = field.empty() ? nullptr : record.find(field, element)) value->leaf.number = number;
    };
    // Inner sizes first: they are LEB128 numbers in some records, and count for the outer ones.
    for (size_t i = 0; i < record.values.size(); ++i) {
        const Leaf leaf = record.values[i].leaf;
        if (leaf.kind == Leaf::Kind::value) set(leaf.field->sizer, leaf.element, size_of(i));
    }
    for (size_t i = 0; i < record.values.size(); ++i) {
        const Leaf leaf = record.values[i].leaf;
        if (leaf.kind == Leaf::Kind::raw || leaf.field->filled.empty()) continue;
        if (const Value* const sizer = record.find(leaf.field->filled, leaf.element)) {
            const auto first = static_cast<size_t>(sizer - record.values.data()) + 1;
            set(leaf.field->filled, leaf.element, size_of_values(record, first, i + 1));
        }
    }
    for (size_t i = record.values.size(); i-- > 0;) {
        const Leaf leaf = record.values[i].leaf;
        if (leaf.kind != Leaf::Kind::list) continue;
        set(leaf.field->counter, leaf.element, leaf.number);
        set(leaf.field->sizer, leaf.element, size_of(i));
    }
    for (Value& value : record.values) {
        if (value.leaf.field == nullptr || !value.leaf.field->is_record_size) continue;
        std::string encoded;
        encode(record, encoded);
        value.leaf.number = encoded.size();
    }
}

Layout layout_after(const RecordValues& record) {
    Layout layout = record.layout;
    for (const Value& value : record.values)
        if (value.leaf.field != nullptr && value.leaf.field->is_running)
            layout.bases[value.leaf.field->base] = value.leaf.number;
    return layout;
}

}  // namespace tracelint
