#include "validator/tool/catalogue/description.hpp"

#include "validator/tool/catalogue/description_parts.hpp"
#include "validator/tool/json/json_document.hpp"
#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

constexpr int kDescriptionVersion = 1;
// Above it, not every number is a double, which is all that many readers of JSON have.
constexpr uint64_t kMostExact = (uint64_t{1} << 53) - 1;

JsonText number(uint64_t value) { return value <= kMostExact ? JsonText(value) : JsonText(std::to_string(value)); }

std::string_view name_of(Type type) {
    switch (type) {
        case Type::number: return "unsigned";
        case Type::signed_number: return "signed";
        case Type::word: return "word";
        case Type::bits: return "bits";
        case Type::uleb128: return "uleb128";
        case Type::sleb128: return "sleb128";
        case Type::string: return "string";
        case Type::string16: return "string16";
        case Type::bytes: return "bytes";
        default: return "list";
    }
}

std::string_view name_of(Check::Must must) {
    switch (must) {
        case Check::Must::equal: return "equal";
        case Check::Must::differ: return "differ";
        case Check::Must::be_at_most: return "be_at_most";
        case Check::Must::be_at_least: return "be_at_least";
        case Check::Must::be_within_mask: return "be_within_mask";
        default: return "be_known";
    }
}

// Empty if there is nothing to say.
std::string_view name_of(Quantity quantity) {
    switch (quantity) {
        case Quantity::plain: return {};
        case Quantity::address: return "address";
        case Quantity::size: return "size";
        case Quantity::time: return "time";
        case Quantity::ticks: return "ticks";
        case Quantity::nanoseconds: return "nanoseconds";
        case Quantity::microseconds: return "microseconds";
        case Quantity::date_ms: return "date_ms";
        case Quantity::date_ns: return "date_ns";
    }
    return {};
}

void add_versions(JsonObject& object, uint16_t first, uint16_t last) {
    if (first != 0) object.add("since", first);
    if (last != kEveryVersion) object.add("until", last);
}

JsonObject condition_of(const Condition& condition) {
    JsonArray values;
    for (uint8_t i = 0; i < condition.count; ++i) values.add(number(condition.values[i]));
    return {{"field", condition.field}, {"values", values}, {"negated", condition.negated}};
}

// What the type leaves open; members that would say nothing are absent.
void add_shape(JsonObject& object, const Field& field) {
    if (field.width != 0) object.add("width", field.width);
    if (field.type == Type::bits) {
        object.add("bit_offset", field.bit_offset).add("bit_width", field.bit_width);
        object.add("is_mirrored", field.is_mirrored);
    }
    if (field.shift != 0) object.add("shift", field.shift);
    if (field.base != 0) object.add("relative_to", field.base_name).add("is_running", field.is_running);
    for (const auto& [name, other] : {std::pair{"counted_by", field.counter},
                                      {"sized_by", field.sizer},
                                      {"filled_by", field.filled},
                                      {"index_into", field.indexed},
                                      {"count_of", field.taken},
                                      {"measures", name_of(field.quantity)}})
        if (!other.empty()) object.add(name, other);
    for (const auto& [name, is] : {std::pair{"is_record_size", field.is_record_size},
                                   {"is_depth", field.nests},
                                   {"is_text", field.is_text},
                                   {"is_streamed", field.is_streamed},
                                   {"ends_with_zero", field.ends_with_zero}})
        if (is) object.add(name, true);
}

JsonArray fields_of(const Record& record);

JsonObject field_object(const Field& field) {
    JsonObject object{{"name", field.name}, {"type", name_of(field.type)}};
    add_shape(object, field);
    add_versions(object, field.first_version, field.last_version);
    if (field.is_optional()) object.add("only_if", condition_of(field.condition));
    if (!field.names.empty()) {
        JsonArray values;
        for (const NamedValue& named : field.names)
            values.add(JsonObject{{"value", number(named.value)}, {"name", named.name}});
        object.add("values", values);
    }
    JsonArray checks;
    bool any_check = false;
    for (const Check& check : field.checks) {
        if (check.must == Check::Must::nothing) continue;
        any_check = true;
        checks.add(JsonObject{{"must", name_of(check.must)},
                              {"value", check.must == Check::Must::be_known ? JsonText(nullptr) : number(check.value)},
                              {"rule", check.rule == nullptr ? JsonText(nullptr) : JsonText(check.rule->id)}});
    }
    if (any_check) object.add("checks", checks);
    if (field.element != nullptr)
        object.add("element", JsonObject{{"name", field.element->name}, {"fields", fields_of(*field.element)}});
    if (!field.doc.empty()) object.add("doc", field.doc);
    return object;
}

JsonArray fields_of(const Record& record) {
    JsonArray fields;
    for (const Field& field : record.fields()) fields.add(field_object(field));
    return fields;
}

JsonObject record_object(const Record& record) {
    JsonObject object{{"name", record.name},
                      {"kind", record.tag == kNoTag ? JsonText(nullptr) : number(record.tag)},
                      {"is_numbered", record.numbered},
                      {"is_fallback", record.fallback}};
    add_versions(object, record.first_version, record.last_version);
    object.add("fields", fields_of(record));
    if (!record.doc.empty()) object.add("doc", record.doc);
    return object;
}

JsonText sequence_text(const Format& format) {
    const std::optional<Sequence> sequence = sequence_of(format);
    if (!sequence) return nullptr;
    return JsonObject{{"header", sequence->header == nullptr ? JsonText(nullptr) : JsonText(sequence->header->name)},
                      {"kind", sequence->kind->name}};
}

constexpr DescriptionKind kKinds[] = {
    {"json", "", write_description}, {"ksy", "Kaitai Struct", write_kaitai}, {"imhex", "ImHex", write_imhex}};

}  // namespace

std::span<const DescriptionKind> description_kinds() { return kKinds; }

std::string number_text(uint64_t number) { return number < 0x1000 ? std::to_string(number) : hex(number); }

std::string demand_of(const Check& check) {
    std::string value = number_text(check.value);
    switch (check.must) {
        case Check::Must::nothing: return "";
        case Check::Must::equal: return value;
        case Check::Must::differ: return "not " + value;
        case Check::Must::be_at_most: return "at most " + value;
        case Check::Must::be_at_least: return "at least " + value;
        case Check::Must::be_within_mask: return "only bits in " + value;
        case Check::Must::be_known: return "a named value";
    }
    return "";
}

void write_description(const Format& format, Sink& sink) {
    const JsonObject head{{"schema_version", kDescriptionVersion},
                          {"tool", tool_object()},
                          {"format", format.id},
                          {"title", format.title},
                          {"has_both_byte_orders", format.both_byte_orders},
                          {"sequence", sequence_text(format)}};
    sink.write(head.open_text() + ",\"records\":[");
    bool any = false;
    for (const Record* record : records_of(format)) {
        sink.write((any ? ",\n" : "\n") + record_object(*record).text());
        any = true;
    }
    sink.write("\n]}\n");
}

}  // namespace tracelint
