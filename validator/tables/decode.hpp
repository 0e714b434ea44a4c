// The table interpreter: splits any described record into leaves. It is the slow, general counterpart of View. Dump,
// round trips, the mutator and the agreement checks use it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "validator/tables/describe.hpp"

namespace tracelint {

// One value of a record, or the start of a list, in file order.
struct Leaf {
    enum class Kind : uint8_t {
        value,  // a number (in `number`), a string or bytes
        list,   // its elements follow; `number` is their count, kNone if no field holds it
        raw,    // bytes that the table does not describe: a truncated field, or data after the last field
    };
    Kind kind = Kind::value;
    const Record* record = nullptr;  // the (nested) record that the field belongs to
    const Field* field = nullptr;    // null for raw bytes after the last field
    const Field* list = nullptr;     // the list that the record is an element of
    uint64_t element = kNone;        // its index in that list
    size_t depth = 0;                // 0 for the record itself, 1 for elements of its lists
    uint64_t offset = 0;             // bytes from the start of the record
    uint64_t length = 0;             // bytes; for bits, those of the integer that holds them
    uint64_t number = 0;             // signed ones in two's complement, relative ones resolved
    uint64_t written = 0;            // as stored in the file, before relative values are resolved
};

struct Decoding {
    uint64_t length = 0;    // bytes covered by the leaves
    bool complete = false;  // no field was truncated
    Layout after;           // the layout with the running values for the next record
};

// Calls `visit` for each leaf of the record at the start of `data`. `bounded`: `data` is exactly the record, and bytes
// after its last field become a raw leaf. Otherwise `data` may extend beyond the record.
Decoding decode(const Record& record, Bytes data, const Layout& layout, bool bounded,
                const std::function<void(const Leaf&)>& visit);

// Whether the value is a string or bytes rather than a number.
bool holds_text(const Leaf& leaf);

// The value of one field of fixed width, found by walking the table at run time; 0 if there is no such field.
uint64_t interpreted(const Record& record, std::string_view field, const Layout& layout, const uint8_t* data);

// Aborts unless both values are equal, that is, if the two ways of reading a table disagree.
void agree(uint64_t interpreted_value, uint64_t fast_value);

}  // namespace tracelint
