// A record as values that can be changed and written again: what decode took apart, or what a generator put together.
#pragma once

#include <string>
#include <vector>

#include "validator/decode.hpp"

namespace tracelint {

// A value of a record that can be changed and written again.
struct Value {
    Leaf leaf;
    std::string text;  // of strings (NUL included), bytes and raw leaves
    bool is_text() const;
    bool is_number() const { return leaf.kind == Leaf::Kind::value && !is_text(); }
};

// The values of one record, in file order.
struct RecordValues {
    const Record* record = nullptr;
    Layout layout;
    std::vector<Value> values;

    // The value of the outermost record's field, or of `element` of a list's.
    Value* find(std::string_view field, uint64_t element = kNone);
    const Value* find(std::string_view field, uint64_t element = kNone) const;
    uint64_t number(std::string_view field) const;  // 0 where there is none
    void set(std::string_view field, uint64_t number);
};

RecordValues decode_values(const Record& record, Bytes data, const Layout& layout, bool bounded);

// Appends the record's bytes. Writes exactly what the values say, sizes and counts included.
void encode(const RecordValues& draft, std::string& to);

// Makes counts, sizes and the record's own size fit the values that are there.
void settle(RecordValues& draft);

// The layout of the record behind it: running values go on from those of this one.
Layout layout_after(const RecordValues& draft);

}  // namespace tracelint
