// nettrace, sections 3.9 to 3.11: the fields of payloads, the tags of version 5 and the optional parts of version 6.
#include "grammars/nettrace/checks/metadata.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::nettrace {
namespace {

constexpr Rule kFieldCount{
    .id = "nettrace/field-count",
    .severity = Severity::error,
    .statement = "the fields of a row fit into it",
    .message = "{0d} fields, which take {1} bytes or more each, in the {2 byte|bytes} that are left",
    .why = "TraceEvent allocates by this number before it reads a field, and fails or loses the file",
    .spec = "3.9 Metadata of versions 1 to 5; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kTypeCode{
    .id = "nettrace/type-code",
    .severity = Severity::error,
    .statement = "the type of a field is known, and one that its place allows",
    .message = "type {0} does not exist here",
    .why = "TraceEvent drops the fields of this kind of event, in version 6 the rest of the file",
    .spec = "3.11 Types",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "it is the decimal of earlier versions",
                                          .message = "type {0} is not in the text of version 6",
                                          .why = "TraceEvent accepts it as a decimal of 16 bytes"},
};

constexpr Rule kTypeNesting{
    .id = "nettrace/type-nesting",
    .severity = Severity::warning,
    .statement = "objects and arrays in a payload nest at most 32 deep",
    .message = "the type is enclosed by more than {0} objects and arrays; its fields are not used",
    .why = "all readers recurse for each of them, and may run out of stack",
    .spec = "3.11 Types",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kLocElementType{
    .id = "nettrace/loc-element-type",
    .severity = Severity::error,
    .statement = "the elements of a RelLoc or DataLoc have a fixed size",
    .message = "type {0} refers to elements that have no fixed size",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.11 Types",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kBothFieldLists{
    .id = "nettrace/both-field-lists",
    .severity = Severity::error,
    .statement = "a row with a tag of fields has none of its own",
    .message = "the row has fields, and a tag with another list of them",
    .why = "TraceEvent takes the second list, others the first: the same payload is read in two ways",
    .spec = "3.9 Metadata of versions 1 to 5",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kUnknownMetadataTag{
    .id = "nettrace/unknown-metadata-tag",
    .severity = Severity::note,
    .statement = "a metadata tag is one of the two known kinds",
    .message = "metadata tag {0} is unknown",
    .why = "readers skip it",
    .spec = "3.9 Metadata of versions 1 to 5",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDuplicateMetadataTag{
    .id = "nettrace/duplicate-metadata-tag",
    .severity = Severity::warning,
    .statement = "a metadata tag occurs once in a row",
    .message = "metadata tag {0} occurs again in this row",
    .why = "readers use the last one",
    .spec = "3.9 Metadata of versions 1 to 5",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kUnknownOptionalMetadata{
    .id = "nettrace/unknown-optional-metadata",
    .severity = Severity::error,
    .statement = "an optional part of a row is of a known kind",
    .message = "optional metadata of kind {0}, expected 1 or 3 to 9",
    .why = "no size says where it ends: TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

template <FixedName Name>
constexpr const Field& kFieldOfRow = View<kMetadata>::field<Name>();
template <FixedName Name>
constexpr const Field& kFieldOfField = View<kField>::field<Name>();
template <FixedName Name>
constexpr const Field& kFieldOfTag = View<kMetadataTag>::field<Name>();
template <FixedName Name>
constexpr const Field& kFieldOfPlain = View<kPlainMetadata>::field<Name>();
template <FixedName Name>
constexpr const Field& kFieldOfPlainField = View<kPlainField>::field<Name>();
template <FixedName Name>
constexpr const Field& kFieldOfOptional = View<kOptionalItem>::field<Name>();

constexpr unsigned kDeepest = 32;
// The fewest bytes of a field: a type and the end of a name; in a tag, also a size; in version 6, all three.
constexpr uint64_t kLeastField = 6, kLeastTagField = 10, kLeastPlainField = 4;

// The bytes of the types that have a fixed size; 0 for others.
constexpr uint8_t kWidths[] = {0, 0, 0, 4, 2, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 0, 16, 0, 0, 0, 0, 0, 1, 4, 4, 1};
enum Code : uint64_t {
    kDecimal = 15,
    kDateTime = 16,
    kText = 18,
    kArray = 19,
    kZigzag = 20,
    kVarint = 21,
    kFixedArray = 22,
    kRelLoc = 24,
    kDataLoc = 25,
    kLastCode = 26
};

constexpr bool is_ordinary(uint64_t code) { return code == kObjectType || (code >= 3 && code <= kText); }

}  // namespace

// `depth`: how many objects and arrays enclose one more.
bool MetadataRows::too_deep(const Place& place, unsigned depth) {
    if (depth < kDeepest) return false;
    findings_.add<kTypeNesting>(place, {kDeepest});
    has_layout_ = false;
    stops_reading_ = true;
    return true;
}

// A type without parts.
bool MetadataRows::add_type(PartReader& part, uint64_t code, const Place& place) {
    const bool is_known = is_plain_ ? code >= 3 && code <= kLastCode : is_ordinary(code);
    if (!is_known) return part.fail(kTypeCode, place, {code});
    if (is_plain_ && code == kDecimal) findings_.add_overridden<kTypeCode>(place, {code});
    if (code == kText)
        builder_.add(PayloadStep::Kind::text);
    else if (code == kZigzag || code == kVarint)
        builder_.add(PayloadStep::Kind::varint);
    else if (code == kDecimal || code == kDateTime)
        builder_.add(PayloadStep::Kind::unknown);
    else
        builder_.add_bytes(kWidths[code]);
    return true;
}

// A count of fields that take `least` bytes each.
bool MetadataRows::read_count(PartReader& part, const Field& field, uint64_t least, uint64_t& count) {
    const unsigned width = is_plain_ ? 2 : 4;
    if (!part.fixed(field, width, count)) return false;
    if (width == 4) count = static_cast<uint64_t>(sign_extended(count, 4));
    if (count > part.left() / least) return part.fail(kFieldCount, part.last(), {count, least, part.left()});
    return true;
}

bool MetadataRows::read_fields(PartReader& part, unsigned depth, uint64_t& count) {
    const Field& field = depth == 0 ? kFieldOfRow<"field_count"> : kFieldOfField<"inner_count">;
    if (!read_count(part, field, kLeastField, count)) return false;
    if (count == 0 && depth > 0) builder_.add(PayloadStep::Kind::unknown);
    uint64_t ignored = 0;
    for (uint64_t i = 0; i < count; ++i) {
        if (depth == 0) part.be_element(&kFieldOfRow<"fields">, i);
        if (!read_type(part, depth, false)) return false;
        if (stops_reading_) return true;
        if (!part.text16(kFieldOfField<"name">, ignored)) return false;
    }
    if (depth == 0) part.be_element(nullptr, kNone);
    return true;
}

// `depth`: how many objects and arrays enclose the type.
bool MetadataRows::read_type(PartReader& part, unsigned depth, bool is_in_tag) {
    uint64_t code = 0;
    if (!part.fixed(kFieldOfField<"type">, 4, code)) return false;
    const bool is_array = code == kArray && is_in_tag;
    if ((code == kObjectType || is_array) && too_deep(part.last(), depth)) return true;
    if (code == kObjectType) {
        uint64_t count = 0;
        return is_in_tag ? read_array_fields(part, depth + 1) : read_fields(part, depth + 1, count);
    }
    if (!is_array) return add_type(part, code, part.last());
    const size_t array = builder_.begin_array(PayloadStep::Kind::array, 0);
    if (!read_type(part, depth + 1, true)) return false;
    if (!stops_reading_) builder_.end_array(array);
    return true;
}

// The fields of a tag, each behind its size.
bool MetadataRows::read_array_fields(PartReader& tag, unsigned depth) {
    uint64_t count = 0, ignored = 0;
    if (!read_count(tag, kFieldOfRow<"field_count">, kLeastTagField, count)) return false;
    if (count == 0 && depth > 0) builder_.add(PayloadStep::Kind::unknown);
    for (uint64_t i = 0; i < count && !stops_reading_; ++i) {
        uint64_t size = 0;
        const uint64_t left = tag.left();
        if (!tag.fixed(kFieldOfTag<"size">, 4, size)) return false;
        size = static_cast<uint64_t>(sign_extended(size, 4));
        if (size < 4 || size > left) return tag.fail(kInnerSize, tag.last(), {size, left});
        PartReader field = tag.part(size - 4);
        if (!field.text16(kFieldOfField<"name">, ignored) || !read_type(field, depth, true)) {
            tag.take_fault_of(field);
            return false;
        }
    }
    return true;
}

bool MetadataRows::read_tags(PartReader& row, bool has_fields) {
    std::array<bool, 256> met{};
    for (uint64_t i = 0; !row.is_at_end(); ++i) {
        row.be_of(kMetadataTag);
        row.be_element(&kFieldOfRow<"tags">, i);
        if (!read_tag(row, has_fields, met)) return false;
    }
    return true;
}

bool MetadataRows::read_tag(PartReader& row, bool has_fields, std::array<bool, 256>& met) {
    enum : uint64_t { opcode = 1, fields = 2 };
    uint64_t size = 0, kind = 0, ignored = 0;
    if (!row.fixed(kFieldOfTag<"size">, 4, size)) return false;
    const Place size_place = row.last();
    size = static_cast<uint64_t>(sign_extended(size, 4));
    if (!row.fixed(kFieldOfTag<"kind">, 1, kind)) return false;
    const Place kind_place = row.last();
    if (size > row.left()) return row.fail(kInnerSize, size_place, {size, row.left()});
    if (std::exchange(met[kind], true)) findings_.add<kDuplicateMetadataTag>(kind_place, {kind});
    if (kind != opcode && kind != fields) {
        findings_.add<kUnknownMetadataTag>(kind_place, {kind});
        row.pass(size);
        return true;
    }
    if (kind == fields && has_fields) return row.fail(kBothFieldLists, kind_place);
    PartReader tag = row.part(size);
    if (kind == fields) builder_.clear();
    const bool is_read = kind == opcode ? tag.fixed(kFieldOfTag<"content">, 1, ignored) : read_array_fields(tag, 0);
    if (!is_read) row.take_fault_of(tag);
    return is_read;
}

bool MetadataRows::read_plain_fields(PartReader& part, unsigned depth) {
    uint64_t count = 0;
    if (!read_count(part, kFieldOfPlain<"field_count">, kLeastPlainField, count)) return false;
    if (count == 0 && depth > 0) builder_.add(PayloadStep::Kind::unknown);
    for (uint64_t i = 0; i < count; ++i) {
        uint64_t size = 0;
        if (!part.size(kFieldOfPlainField<"field_size">, 2, size)) return false;
        PartReader field = part.part(size);
        if (depth == 0) field.be_element(&kFieldOfPlain<"fields">, i);
        Bytes name;
        bool is_fixed = true;
        if (!field.text8(kFieldOfPlainField<"name_size">, kFieldOfPlainField<"name">, name) ||
            !read_plain_type(field, depth, is_fixed)) {
            part.take_fault_of(field);
            return false;
        }
        if (stops_reading_ && depth > 0) return true;
        stops_reading_ = false;
    }
    return true;
}

// `is_fixed` is cleared if the type, or a part of it, has no fixed size.
bool MetadataRows::read_plain_type(PartReader& part, unsigned depth, bool& is_fixed) {
    uint64_t code = 0, count = 0;
    if (!part.fixed(kFieldOfPlainField<"type">, 1, code)) return false;
    const Place place = part.last();
    const bool nests =
        code == kObjectType || code == kArray || code == kFixedArray || code == kRelLoc || code == kDataLoc;
    if (nests && too_deep(place, depth)) return true;
    switch (code) {
        case kObjectType: is_fixed = false; return read_plain_fields(part, depth + 1);
        case kArray:
        case kFixedArray: {
            const bool counts = code == kArray;
            if (counts) is_fixed = false;
            const size_t array =
                builder_.begin_array(counts ? PayloadStep::Kind::array : PayloadStep::Kind::fixed_array, 0);
            if (!read_plain_type(part, depth + 1, is_fixed)) return false;
            if (stops_reading_) return true;
            if (!counts && !part.fixed(kFieldOfPlainField<"type_details">, 2, count)) return false;
            builder_.end_array(array, count);
            return true;
        }
        case kRelLoc:
        case kDataLoc: {
            bool is_element_fixed = true;
            const size_t array = builder_.begin_array(PayloadStep::Kind::array, 0);
            if (!read_plain_type(part, depth + 1, is_element_fixed)) return false;
            if (stops_reading_) return true;
            builder_.drop(array);
            builder_.add(PayloadStep::Kind::unknown);
            return is_element_fixed || part.fail(kLocElementType, place, {code});
        }
        case kText:
        case kZigzag:
        case kVarint: is_fixed = false; [[fallthrough]];
        default: return add_type(part, code, place);
    }
}

bool MetadataRows::read_optional(PartReader& row) {
    uint64_t size = 0;
    if (!row.size(kFieldOfPlain<"optional_size">, 2, size)) return false;
    PartReader items = row.part(size);
    for (uint64_t i = 0; !items.is_at_end(); ++i) {
        uint64_t kind = 0;
        items.be_element(&kFieldOfPlain<"optional">, i);
        if (items.fixed(kFieldOfOptional<"kind">, 1, kind) && read_optional_item(items, kind)) continue;
        row.take_fault_of(items);
        return false;
    }
    return true;
}

bool MetadataRows::read_optional_item(PartReader& items, uint64_t kind) {
    uint64_t ignored = 0;
    Bytes text;
    const auto read_text = [&] { return items.text8(kFieldOfOptional<"text_size">, kFieldOfOptional<"text">, text); };
    switch (kind) {
        case 1:  // opcode
        case 8:  // level
        case 9:  // version
            return items.fixed(kFieldOfOptional<"small">, 1, ignored);
        case 3: return items.fixed(kFieldOfOptional<"keywords">, 8, ignored);
        case 4:  // message template
        case 5:  // description
            return read_text();
        case 6:  // key and value
            return read_text() && items.text8(kFieldOfOptional<"value_size">, kFieldOfOptional<"value">, text);
        case 7: return items.skip(kFieldOfOptional<"guid">, 16);  // of the provider
        default: return items.fail(kUnknownOptionalMetadata, items.last(), {kind});
    }
}

constinit const RuleList kMetadataFieldRules =
    rules<&kFieldCount, &kTypeCode, &kTypeNesting, &kLocElementType, &kBothFieldLists, &kUnknownMetadataTag,
          &kDuplicateMetadataTag, &kUnknownOptionalMetadata>;

}  // namespace tracelint::nettrace
