// toy, section 3: the fields of one record.
#include "tests/toy/checks/fields.hpp"

namespace tracelint::toy {

Place Fields::whole() const {
    return {
        .offset = place_.offset, .length = place_.bytes.size(), .record = record_, .record_index = place_.record_index};
}

Place Fields::place_of(const Leaf& leaf) const {
    Place place = whole();
    place.offset += leaf.offset;
    place.length = leaf.length;
    place.field = leaf.field;
    place.list = leaf.list;
    place.element = leaf.element;
    return place;
}

const Leaf* Fields::find(std::string_view field) const {
    const auto end = leaves_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found = std::find_if(leaves_.begin(), end, [=](const Leaf& leaf) { return leaf.field->name == field; });
    return found == end ? nullptr : &*found;
}

namespace {

// The rules of the table.
void check_value(Report& report, const Fields& fields, const Leaf& leaf) {
    for (const Check& check : leaf.field->checks)
        if (check.rule != nullptr && !obeys(*leaf.field, check, leaf.number))
            report.add(*check.rule, fields.place_of(leaf), {leaf.number});
}

constexpr Rule kFieldExceedsRecord{
    .id = "toy/field-exceeds-record",
    .severity = Severity::error,
    .statement = "the fields of a record lie within its size",
    .message = "the fields need more than the {0 byte|bytes} of the record",
    .why = "readers take the bytes of the next record for the rest of this one, or drop the record",
    .spec = "3.2 Record prefix",
    .since = "0.1.0",
};

constexpr Rule kTrailingBytes{
    .id = "toy/trailing-bytes",
    .severity = Severity::warning,
    .statement = "a record ends with its last field",
    .message = "{0 byte follows|bytes follow} the last field of the record",
    .why = "readers skip the bytes, so what they say is lost",
    .spec = "3.2 Record prefix",
    .since = "0.1.0",
};

}  // namespace

std::optional<Fields> read_fields(Report& report, const Record& record, const RecordPlace& place,
                                  const Layout& layout) {
    std::optional<Fields> fields(std::in_place, record, place);
    std::optional<Leaf> rest;
    const Decoding decoding = decode(record, place.bytes, layout, true, [&](const Leaf& leaf) {
        if (leaf.kind == Leaf::Kind::raw) {
            rest = leaf;
            return;
        }
        if (leaf.depth == 0) fields->add(leaf);
        if (leaf.kind == Leaf::Kind::value) check_value(report, *fields, leaf);
    });
    if (!decoding.complete) {
        report.add<kFieldExceedsRecord>(fields->place("size"), {place.bytes.size()});
        return std::nullopt;
    }
    if (rest) report.add<kTrailingBytes>(fields->place_of(*rest), {rest->length});
    return fields;
}

constinit const RuleList kFieldRules = rules<&kFieldExceedsRecord, &kTrailingBytes>;

}  // namespace tracelint::toy
