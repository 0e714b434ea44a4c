// Records as values that can be changed and encoded again, whether decoded from a file or generated.
#pragma once

#include <string>
#include <vector>

#include "validator/tables/decode.hpp"

namespace tracelint {

// One value of a record.
struct Value {
    Leaf leaf;
    std::string text;  // of strings (including the NUL), byte fields and raw bytes
    bool is_text() const;
    bool is_number() const { return leaf.kind == Leaf::Kind::value && !is_text(); }
};

// The values of one record, in file order.
struct RecordValues {
    const Record* record = nullptr;  // null for bytes that belong to no record
    Layout layout;
    std::vector<Value> values;

    // The value of a field of the record, or of a list element; null if there is none.
    Value* find(std::string_view field, uint64_t element = kNone);
    const Value* find(std::string_view field, uint64_t element = kNone) const;
    uint64_t number(std::string_view field) const;  // 0 if there is none
    void set(std::string_view field, uint64_t number);
};

// A whole file, one entry per record in file order.
using FileRecords = std::vector<RecordValues>;

RecordValues decode_values(const Record& record, Bytes data, const Layout& layout, bool bounded);

// Appends the record's bytes. Writes the values as they are, including counts and sizes that are wrong.
void encode(const RecordValues& record, std::string& to);

// Sets counts, sizes of lists and the size of the record to match the values that are there.
void update_sizes(RecordValues& record);

// The layout of the record that follows: running values continue from those of this record.
Layout layout_after(const RecordValues& record);

}  // namespace tracelint
