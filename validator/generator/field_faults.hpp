// Faults that follow from the tables alone: a value that breaks one check of its field and no other.
#pragma once

#include "validator/generator/edit.hpp"

namespace tracelint {

struct RuledCheck {
    const Field* field = nullptr;
    const Check* check = nullptr;
};

// The check of the record's table that raises the rule.
constexpr RuledCheck check_of(const Record& record, const Rule& rule) {
    for (const Field& field : record.fields())
        for (const Check& check : field.checks)
            if (check.rule == &rule) return {&field, &check};
    return {};
}

// A value that breaks `broken` and obeys the other checks of the field; nothing if 64 draws give none.
inline std::optional<uint64_t> disobedient(const Field& field, const Check& broken, const Layout& layout,
                                           Random& random) {
    const unsigned width = width_of(field, layout);
    const unsigned bits = field.type == Type::bits ? field.bit_width : width == 0 ? 64 : 8 * width;
    const uint64_t all = bits == 64 ? kNone : (uint64_t{1} << bits) - 1;
    for (unsigned i = 0; i < 64; ++i) {
        const uint64_t near = broken.value + below(random, 3) - 1;
        const uint64_t value = (one_in(random, 2) ? near : edge_number(random, bits)) & all;
        const auto as_wished = [&](const Check& check) { return (&check == &broken) != obeys(field, check, value); };
        if (std::all_of(field.checks.begin(), field.checks.end(), as_wished)) return value;
    }
    return std::nullopt;
}

// Breaks the rule in one record of the kind; the finding is at the field.
template <const Record& R, const Rule& Broken>
std::optional<PlantedFault::Planted> plant_check(std::vector<RecordValues>& file, Random& random) {
    constexpr RuledCheck ruled = check_of(R, Broken);
    static_assert(ruled.field != nullptr, "no check of this record raises the rule");
    std::vector<size_t> places;
    for (size_t i = 0; i < file.size(); ++i)
        if (file[i].record == &R && file[i].find(ruled.field->name) != nullptr) places.push_back(i);
    if (places.empty()) return std::nullopt;
    const size_t at = pick_of(random, places);
    const std::optional<uint64_t> value = disobedient(*ruled.field, *ruled.check, file[at].layout, random);
    if (!value) return std::nullopt;
    file[at].set(ruled.field->name, *value);
    return PlantedFault::Planted{at, ruled.field->name, kNone, 0, 0, {}};
}

// The field's check that raises the rule.
inline const Check* check_of(const Field& field, const Rule& rule) {
    for (const Check& check : field.checks)
        if (check.rule == &rule) return &check;
    return nullptr;
}

// Breaks the rule in one value of the file, of any record and also of elements of lists, for which
// `fits(its record, the value)` holds; `may_be(the number)` says which numbers do.
template <class Fits, class MayBe>
std::optional<ValuePlace> break_check(FileRecords& file, Random& random, const Rule& rule, Fits fits, MayBe may_be) {
    const auto at = choose_value(file, random, [&](const RecordValues& draft, const Value& value) {
        return value.leaf.field != nullptr && check_of(*value.leaf.field, rule) != nullptr && fits(draft, value);
    });
    if (!at) return std::nullopt;
    RecordValues& draft = file[at->record];
    Value& value = draft.values[at->value];
    const std::optional<uint64_t> number =
        disobedient(*value.leaf.field, *check_of(*value.leaf.field, rule), draft.layout, random);
    if (!number || !may_be(*number)) return std::nullopt;
    value.leaf.number = *number;
    return at;
}

}  // namespace tracelint
