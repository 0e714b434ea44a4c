#include "grammars/nettrace/generator/layouts.hpp"

#include "validator/tables/leb128.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {
namespace {

enum TypeCode : uint64_t {
    kArrayOf = 19,
    kZigzagNumber = 20,
    kNumberOfVarint = 21,
    kFixedArrayOf = 22,
    kRelative = 24,
    kFromStart = 25
};

std::string draw_name(Random& random) {
    return pick<std::string>(random, {"", "count", "Text", "clr\xe9", "value"});  // Latin 1
}

std::string text16(const std::string& latin) { return utf16_of(latin + '\0'); }

// A type without parts.
uint64_t draw_plain_type(Random& random, Declared where) {
    if (where == Declared::plain && one_in(random, 3)) return pick<uint64_t>(random, {20, 21, 23, 26});
    return pick<uint64_t>(random, {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 18, 9});
}

FieldPlan draw_field(Random& random, Declared where) {
    FieldPlan field{.type = draw_plain_type(random, where), .name = draw_name(random)};
    if (one_in(random, 6)) {
        field.type = kObjectType;
        for (uint64_t i = between(random, 1, 2); i > 0; --i)
            field.parts.push_back({.type = draw_plain_type(random, where), .name = draw_name(random)});
    } else if (where != Declared::row && one_in(random, 4)) {
        field.type = kArrayOf;
        field.parts.push_back({.type = draw_plain_type(random, where)});
    } else if (where == Declared::plain && one_in(random, 5)) {
        field.type = pick<uint64_t>(random, {kFixedArrayOf, kRelative, kFromStart});
        field.count = below(random, 4);
        field.parts.push_back({.type = pick<uint64_t>(random, {6, 9, 17, 23})});
    }
    return field;
}

std::string type_bytes(const FieldPlan& field, Declared where) {
    std::string bytes = bytes_of_number(field.type, where == Declared::plain ? 1 : 4);
    if (field.type == kObjectType) {
        if (where == Declared::row) return bytes + ordinary_fields(field.parts);
        if (where == Declared::tag) return bytes + tag_fields(field.parts);
        bytes += bytes_of_number(field.parts.size(), 2);
        for (const FieldPlan& part : field.parts) {
            const std::string inner = plain_field(part);
            bytes += bytes_of_number(inner.size(), 2) + inner;
        }
        return bytes;
    }
    if (!field.parts.empty()) bytes += type_bytes(field.parts.front(), where);
    if (field.type == kFixedArrayOf) bytes += bytes_of_number(field.count, 2);
    return bytes;
}

std::string draw_value(Random& random, const FieldPlan& field) {
    constexpr uint8_t kSizes[] = {0, 0, 0, 4, 2, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 8, 16, 0, 0, 0, 0, 0, 1, 4, 4, 1};
    std::string bytes;
    uint64_t count = 0;
    switch (field.type) {
        case kObjectType: return draw_payload(random, field.parts);
        case 18: return text16(draw_name(random));
        case kZigzagNumber:
        case kNumberOfVarint: return bytes_of_varint(edge_number(random, 64));
        case kArrayOf:
            count = below(random, 4);
            bytes = bytes_of_number(count, 2);
            break;
        case kFixedArrayOf: count = field.count; break;
        default: return random_bytes(random, kSizes[field.type]);
    }
    for (; count > 0; --count) bytes += draw_value(random, field.parts.front());
    return bytes;
}

}  // namespace

FieldPlans draw_fields(Random& random, Declared where) {
    FieldPlans fields;
    for (uint64_t i = below(random, 5); i > 0; --i) fields.push_back(draw_field(random, where));
    return fields;
}

std::string bytes_of_number(uint64_t number, unsigned width) {
    std::string bytes(width, '\0');
    for (unsigned i = 0; i < width; ++i) bytes[i] = static_cast<char>(number >> 8 * i);
    return bytes;
}

std::string bytes_of_varint(uint64_t number) {
    std::string bytes;
    append_leb(bytes, number, false);
    return bytes;
}

std::string ordinary_fields(const FieldPlans& fields) {
    std::string bytes = bytes_of_number(fields.size(), 4);
    for (const FieldPlan& field : fields) bytes += type_bytes(field, Declared::row) + text16(field.name);
    return bytes;
}

std::string tag_fields(const FieldPlans& fields) {
    std::string bytes = bytes_of_number(fields.size(), 4);
    for (const FieldPlan& field : fields) {
        const std::string content = text16(field.name) + type_bytes(field, Declared::tag);
        bytes += bytes_of_number(4 + content.size(), 4) + content;
    }
    return bytes;
}

PlainFieldParts plain_field_parts(const FieldPlan& field) {
    const std::string name = field.name == "clr\xe9" ? "clr\xc3\xa9" : field.name;  // UTF-8
    return {name, field.type, type_bytes(field, Declared::plain).substr(1)};
}

std::string plain_field(const FieldPlan& field) {
    const PlainFieldParts parts = plain_field_parts(field);
    return bytes_of_varint(parts.name.size()) + parts.name + bytes_of_number(parts.type, 1) + parts.details;
}

std::string draw_payload(Random& random, const FieldPlans& fields) {
    std::string payload;
    for (const FieldPlan& field : fields) payload += draw_value(random, field);
    return payload;
}

}  // namespace tracelint::nettrace
