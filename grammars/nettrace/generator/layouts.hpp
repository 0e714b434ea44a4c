// The fields of payloads in generated files, as rows declare them and as payloads hold them.
#pragma once

#include <string>
#include <vector>

#include "grammars/nettrace/records.hpp"
#include "validator/generator/planned_record.hpp"

namespace tracelint::nettrace {

// A field. Types with parts have elements: those of an object, or the one of an array.
struct FieldPlan {
    uint64_t type = 0;
    std::string name{};
    std::vector<FieldPlan> parts{};
    uint64_t count = 0;  // of a fixed array
};
using FieldPlans = std::vector<FieldPlan>;

// Where fields are declared.
enum class Declared : uint8_t { row, tag, plain };

// Draws fields that the place allows.
FieldPlans draw_fields(Random& random, Declared place);

// A number of `width` bytes, the least significant first.
std::string bytes_of_number(uint64_t number, unsigned width);
// The same as a varint.
std::string bytes_of_varint(uint64_t number);

// The fields as they stand in a metadata row of version 2, in a tag, and in a row of version 6.
std::string ordinary_fields(const FieldPlans& fields);
std::string tag_fields(const FieldPlans& fields);
// A field of version 6: its name in UTF-8, its type, and what follows the code of the type.
struct PlainFieldParts {
    std::string name;
    uint64_t type = 0;
    std::string details;
};
PlainFieldParts plain_field_parts(const FieldPlan& field);
// The same as bytes.
std::string plain_field(const FieldPlan& field);

// A payload that holds the fields.
std::string draw_payload(Random& random, const FieldPlans& fields);

}  // namespace tracelint::nettrace
