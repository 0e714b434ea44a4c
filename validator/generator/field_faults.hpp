// Faults that set one field of a record.
#pragma once

#include "validator/generator/edit.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

// Bytes that are invalid in certain places whatever the format.

// Text that is valid UTF-8 up to offset `bad_at`, and ends in a NUL.
struct BadText {
    std::string text;
    uint64_t bad_at;
};

inline BadText draw_bad_text(Random& random) {
    // A lone continuation byte, a byte that UTF-8 never uses, overlong forms, a surrogate, code points above U+10FFFF,
    // and truncated sequences.
    static constexpr std::string_view kBad[] = {
        "\x80",
        "\xfe",
        "\xc0\x80",
        "\xc1\xbf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xc3",
        "\xe2\x82",
        "\xf0\x9f\x8e",
        "\xc3(",
        "\xff\xff",
    };
    const std::string before = pick<std::string>(random, {"", "f", "jit_add", "\xc3\xbc", "\xf0\x9f\x8e\x89 "});
    // None of these completes a truncated sequence.
    const std::string after = pick<std::string>(random, {"", "x", "/a.c", "\xc3\xbc"});
    const std::string_view bad = pick_of(random, kBad);
    return {before + std::string(bad) + after + '\0', before.size()};
}

// Invalid padding, where up to 7 zero bytes are valid: more than 7 bytes, or bytes that are not all zero.
inline std::string draw_bad_padding(Random& random) {
    std::string bytes(one_in(random, 2) ? between(random, 8, 40) : between(random, 1, 7), '\0');
    if (bytes.size() < 8) bytes[below(random, bytes.size())] = static_cast<char>(between(random, 1, 255));
    return bytes;
}

// Faults that follow only from the tables: a value that breaks one check of its field and passes the others.

// The field's check that raises the rule; null if none does.
inline const Check* check_of(const Field& field, std::string_view rule) {
    for (const Check& check : field.checks)
        if (check.rule != nullptr && check.rule->id == rule) return &check;
    return nullptr;
}

// A value that breaks `broken` and passes the field's other checks; nothing if 64 draws find none.
inline std::optional<uint64_t> violating_value(const Field& field, const Check& broken, const Layout& layout,
                                               Random& random) {
    const unsigned width = width_of(field, layout);
    const unsigned bits = field.type == Type::bits ? field.bit_width : width == 0 ? 64 : 8 * width;
    const uint64_t all = bits == 64 ? kNone : (uint64_t{1} << bits) - 1;
    for (unsigned i = 0; i < 64; ++i) {
        const uint64_t near = broken.value + below(random, 3) - 1;
        const uint64_t value = (one_in(random, 2) ? near : edge_number(random, bits)) & all;
        const auto breaks_only_one = [&](const Check& check) {
            return (&check == &broken) != obeys(field, check, value);
        };
        if (std::all_of(field.checks.begin(), field.checks.end(), breaks_only_one)) return value;
    }
    return std::nullopt;
}

// Breaks the check that raises the rule in one record of the kind; the finding is at the field.
inline std::optional<Planted> plant_check(FileRecords& file, Random& random, const Record& kind,
                                          std::string_view rule) {
    const auto fields = kind.fields();
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return check_of(f, rule) != nullptr; });
    if (field == fields.end()) return std::nullopt;
    const auto at = choose(file, random, kind, [&](size_t i) { return file[i].find(field->name) != nullptr; });
    if (!at) return std::nullopt;
    const auto value = violating_value(*field, *check_of(*field, rule), file[*at].layout, random);
    if (!value) return std::nullopt;
    file[*at].set(field->name, *value);
    return at_field(*at, field->name);
}

// Whether other fields of the record would be there, or be longer or shorter, if the number in this one were `changed`.
inline bool changes_others(const Leaf& leaf, uint64_t changed) {
    return std::ranges::any_of(leaf.record->fields(), [&](const Field& other) {
        const std::string_view name = leaf.field->name;
        return other.counter == name || other.sizer == name || other.filled == name ||
               (other.condition.field == name &&
                other.condition.holds_for(leaf.number) != other.condition.holds_for(changed));
    });
}

// Breaks the check that raises the rule in one value of the file, list elements included, for which `fits(its record,
// the value)` holds. Other fields stay as they are. Fails if `is_allowed(the number drawn)` does not hold.
template <class Fits, class IsAllowed>
std::optional<ValuePlace> break_check(FileRecords& file, Random& random, std::string_view rule, Fits fits,
                                      IsAllowed is_allowed) {
    const auto at = choose_value(file, random, [&](const RecordValues& record, const Value& value) {
        return value.leaf.field != nullptr && check_of(*value.leaf.field, rule) != nullptr && fits(record, value);
    });
    if (!at) return std::nullopt;
    const RecordValues& record = file[at->record];
    Leaf& leaf = file[at->record].values[at->value].leaf;
    const auto number = violating_value(*leaf.field, *check_of(*leaf.field, rule), record.layout, random);
    if (!number || changes_others(leaf, *number) || !is_allowed(*number)) return std::nullopt;
    leaf.number = *number;
    leaf.length = 0;  // as short as possible
    return at;
}

inline std::optional<ValuePlace> break_check(FileRecords& file, Random& random, std::string_view rule) {
    return break_check(
        file, random, rule, [](const RecordValues&, const Value&) { return true; }, [](uint64_t) { return true; });
}

}  // namespace tracelint
