// The table interpreter: takes any described record apart into leaves. The slow, general counterpart of
// View; dump, round trips, the mutator and the agreement checks stand on it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "validator/describe.hpp"

namespace tracelint {

// One value of a record, or the start of a list, in file order.
struct Leaf {
    enum class Kind : uint8_t {
        value,  // a number (in `number`), a string or bytes
        list,   // the elements follow; `number` is how many are there, kNone where no field counts them
        raw,    // bytes that the table does not explain: a cut field, or something behind the last one
    };
    Kind kind = Kind::value;
    const Record* record = nullptr;  // the (nested) record that the field belongs to
    const Field* field = nullptr;    // null for raw bytes behind the last field
    const Field* list = nullptr;     // the list that the record is an element of
    uint64_t element = kNone;        // and its number there
    size_t depth = 0;                // 0 for the record itself, 1 for elements of its lists
    uint64_t offset = 0;             // from the start of the record
    uint64_t length = 0;             // in bytes; bits have that of their number
    uint64_t number = 0;             // signed ones as two's complement, relative ones resolved
    uint64_t written = 0;            // as it stands in the file, before it is resolved
};

struct Decoding {
    uint64_t length = 0;    // bytes that the leaves cover
    bool complete = false;  // every field was whole
    Layout after;           // of the record that follows, as far as running values decide it
};

// Calls `visit` for each leaf of the record that starts `data`. Where the record carries its own size,
// `data` must be exactly the record; what its fields leave over becomes a raw leaf. Otherwise `data` may
// reach beyond it, and `bounded` is false.
Decoding decode(const Record& record, Bytes data, const Layout& layout, bool bounded,
                const std::function<void(const Leaf&)>& visit);

// Whether the value is a string or bytes rather than a number.
bool holds_text(const Leaf& leaf);

// The value of one field of fixed width, found by walking the table at run time.
uint64_t interpreted(const Record& record, std::string_view field, const Layout& layout, const uint8_t* data);

// Ends the program unless both are equal: the two ways of reading a table disagree.
void agree(uint64_t interpreted_value, uint64_t fast_value);

}  // namespace tracelint
