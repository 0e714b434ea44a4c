#include "grammars/nettrace/checks/part_reader.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint::nettrace {

constexpr Rule kVarintTruncated{
    .id = "nettrace/varint-truncated",
    .severity = Severity::error,
    .statement = "a number ends inside its row, event or block",
    .message = "the number does not end in the {0 byte|bytes} left",
    .why =
        "TraceEvent stops with a FormatException and drops the rest of the file; others read the next bytes as a part "
        "of the number",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kVarintTooLong{
    .id = "nettrace/varint-too-long",
    .severity = Severity::error,
    .statement = "a number of 32 bits takes at most 5 bytes, one of 64 bits at most 10",
    .message = "the number does not end within {0 byte|bytes}",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kVarintOverflow{
    .id = "nettrace/varint-overflow",
    .severity = Severity::error,
    .statement = "a number fits into its 32 or 64 bits",
    .message = "the number of {0 byte|bytes} does not fit into {1} bits",
    .why = "readers drop the high bits and use another number",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kFieldOverrunsItem{
    .id = "nettrace/field-overruns-item",
    .severity = Severity::error,
    .statement = "a field ends inside its row, payload, tag or block",
    .message = "{0 byte|bytes} are left for a field of {1 byte|bytes}",
    .why = "TraceEvent stops with a FormatException, or drops the fields of this kind of event",
    .spec = "3.8 Stacks, sequence points, threads and labels; 3.9 Metadata of versions 1 to 5",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kInnerSize{
    .id = "nettrace/inner-size",
    .severity = Severity::error,
    .statement = "a row, field or tag ends inside the block, row or list that it is in",
    .message = "the size is {0d}, but {1 byte is|bytes are} left",
    .why = "TraceEvent stops with a FormatException, or drops the fields of this kind of event",
    .spec = "3.9 Metadata of versions 1 to 5; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kStringUnterminated{
    .id = "nettrace/string-unterminated",
    .severity = Severity::error,
    .statement = "a UTF-16 text ends with a zero inside its row or tag",
    .message = "the text has no terminator in the {0 byte|bytes} that are left",
    .why = "TraceEvent stops with a FormatException, or drops the fields of this kind of event",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kStringOverrunsItem{
    .id = "nettrace/string-overruns-item",
    .severity = Severity::error,
    .statement = "a UTF-8 text ends inside its row, list or block",
    .message = "the text has {0 byte|bytes}, but {1 byte is|bytes are} left",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

constexpr Rule kInvalidUtf16{
    .id = "nettrace/invalid-utf16",
    .severity = Severity::warning,
    .statement = "a UTF-16 text has surrogates only in pairs",
    .message = "the unit {0x} is a surrogate without its other half",
    .why = "readers show U+FFFD in its place",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kInvalidUtf8{
    .id = "nettrace/invalid-utf8",
    .severity = Severity::warning,
    .statement = "a text of version 6 is UTF-8",
    .message = "the byte {0x} is not UTF-8",
    .why = "readers show U+FFFD in its place",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
};

const Rule& rule_of(NumberFault fault) {
    switch (fault) {
        case NumberFault::absent: return kFieldOverrunsItem;
        case NumberFault::cut: return kVarintTruncated;
        case NumberFault::too_long: return kVarintTooLong;
        default: return kVarintOverflow;
    }
}

bool PartReader::fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers, bool at_end) {
    Diagnostic& fault = fault_.emplace(Diagnostic{.rule = &rule, .place = place});
    std::copy_n(numbers.begin(), std::min(numbers.size(), fault.numbers.size()), fault.numbers.begin());
    is_fault_of_end_ = at_end;
    return false;
}

bool PartReader::fixed(const Field& field, unsigned width, uint64_t& value) {
    if (left() < width) return fail(kFieldOverrunsItem, here(&field, left()), {left(), width}, true);
    value = load(bytes_.data() + at_, width, ByteOrder::little);
    last_ = here(&field, width);
    at_ += width;
    return true;
}

bool PartReader::number(const Field& field, bool is_wide, uint64_t& value) {
    const uint8_t* const from = bytes_.data() + at_;
    const Number read = read_number(from, bytes_.data() + bytes_.size(), is_wide);
    last_ = here(&field, read.length);
    switch (read.fault) {
        case NumberFault::none: break;
        case NumberFault::absent: return fail(kFieldOverrunsItem, last_, {0, 1}, true);
        case NumberFault::cut: return fail(kVarintTruncated, last_, {read.length}, true);
        case NumberFault::too_long: return fail(kVarintTooLong, last_, {read.length});
        default: return fail(kVarintOverflow, last_, {read.length, is_wide ? 64u : 32u});
    }
    if (!read.is_shortest) findings_.add<kVarintNonCanonical>(last_, {read.length, read.value});
    value = read.value;
    at_ += read.length;
    return true;
}

bool PartReader::skip(const Field& field, uint64_t bytes) {
    if (left() < bytes) return fail(kFieldOverrunsItem, here(&field, left()), {left(), bytes}, true);
    last_ = here(&field, bytes);
    at_ += bytes;
    return true;
}

bool PartReader::text16(const Field& field, uint64_t& length) {
    const uint64_t nul = length_to_nul16(rest());
    if (nul == kNone) return fail(kStringUnterminated, here(&field, left()), {left()}, true);
    const uint64_t bad = lone_surrogate(rest().first(nul));
    if (bad != kNone) {
        const uint64_t unit = load(bytes_.data() + at_ + bad, 2, ByteOrder::little);
        findings_.add<kInvalidUtf16>(place(&field, at() + bad, 2), {unit});
    }
    length = nul;
    last_ = here(&field, nul + 2);
    at_ += nul + 2;
    return true;
}

bool PartReader::text8(const Field& size, const Field& field, Bytes& text) {
    uint64_t length = 0;
    if (!number(size, false, length)) return false;
    if (length > left()) return fail(kStringOverrunsItem, last_, {length, left()}, true);
    text = rest().first(length);
    const uint64_t bad = scan_text(text).ill_formed;
    if (bad != kNone) findings_.add<kInvalidUtf8>(place(&field, at() + bad, 1), {text[bad]});
    at_ += length;
    return true;
}

bool PartReader::size(const Field& field, unsigned width, uint64_t& value) {
    if (!fixed(field, width, value)) return false;
    if (width == 4) value = static_cast<uint64_t>(sign_extended(value, 4));
    return value <= left() || fail(kInnerSize, last_, {value, left()}, true);
}

constinit const RuleList kPartRules =
    rules<&kVarintTruncated, &kVarintTooLong, &kVarintOverflow, &kVarintNonCanonical, &kFieldOverrunsItem, &kInnerSize,
          &kStringUnterminated, &kStringOverrunsItem, &kInvalidUtf16, &kInvalidUtf8>;

}  // namespace tracelint::nettrace
