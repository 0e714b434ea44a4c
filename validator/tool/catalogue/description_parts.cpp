#include "validator/tool/catalogue/description_parts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "validator/tables/text_scan.hpp"
#include "validator/tool/catalogue/description.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kLargestEnumValue = 0x7fffffff;  // larger ones do not fit the numbers of all languages

bool has_flags(const Field& field) {
    return std::ranges::any_of(field.checks,
                               [](const Check& check) { return check.must == Check::Must::be_within_mask; });
}

// "legal: at most 1, else jitdump/unsupported-version".
std::string check_text(const Check& check) {
    const std::string rule = check.rule == nullptr ? "" : fmt::format(", else {}", check.rule->id);
    return fmt::format("legal: {}{}", demand_of(check), rule);
}

// The values of the first field of such records: the tag, and those on which other fields depend.
std::vector<uint64_t> kinds_of(const Record& record) {
    std::vector<uint64_t> kinds{record.tag};
    for (const Field& field : record.fields()) {
        if (field.condition.field != record.fields()[0].name) continue;
        for (uint8_t i = 0; i < field.condition.count; ++i)
            if (std::ranges::count(kinds, field.condition.values[i]) == 0) kinds.push_back(field.condition.values[i]);
    }
    return kinds;
}

// Whether kind and size are in the record where they are in all others.
bool is_like(const Record& record, const Sequence& sequence) {
    const Field& kind = record.fields()[0];
    if (!record.numbered || record.first_version != 0 || record.last_version != kEveryVersion) return false;
    if (kind.name != sequence.kind->name || kind.type != sequence.kind->type || kind.width != sequence.kind->width)
        return false;
    if (sequence.size == nullptr) return true;
    const Field* const size = record.find(sequence.size->name);
    return size != nullptr && size->is_record_size && fixed_offset(record, size->name, {}) == sequence.size_at;
}

}  // namespace

std::string plain_id(std::string_view name) {
    std::string id;
    for (const char c : name) {
        const bool is_upper = c >= 'A' && c <= 'Z';
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (is_upper)
            id += static_cast<char>(c - 'A' + 'a');
        else if (is_plain)
            id += c;
        else if (!id.empty() && id.back() != '_')
            id += '_';
    }
    while (id.ends_with('_')) id.pop_back();
    if (id.empty() || (id[0] >= '0' && id[0] <= '9')) id.insert(0, "n");
    return id;
}

std::string Ids::unique(const std::string& wanted) {
    std::string id = wanted;
    for (int number = 2; !taken_.insert(id).second; ++number) id = wanted + "_" + std::to_string(number);
    return id;
}

std::string decimal_text(const Field& field, uint64_t value) {
    return field.type == Type::signed_number ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : std::string(between)) + part;
    return text;
}

bool has_enum(const Field& field) {
    return !field.names.empty() && !has_flags(field) && field.is_fixed() &&
           std::ranges::all_of(field.names, [](const NamedValue& named) { return named.value <= kLargestEnumValue; });
}

std::string note_of(const Field& field) {
    std::vector<std::string> parts;
    if (!field.doc.empty()) parts.emplace_back(field.doc);
    if (field.is_record_size) parts.emplace_back("size of the whole record in bytes");
    if (field.base != 0)
        parts.push_back(fmt::format("not resolved: add {}{}", field.base_name,
                                    field.is_running ? ", then keep the sum in its place" : ""));
    if (field.shift != 0) parts.push_back(fmt::format("then shift left by {}", field.shift));
    if (field.nests) parts.emplace_back("depth in a tree that is stored in pre-order");
    if (!field.indexed.empty()) parts.push_back(fmt::format("index into {}", field.indexed));
    if (!field.taken.empty()) parts.push_back(fmt::format("how many of {} belong to this element", field.taken));
    if (field.is_streamed) parts.emplace_back("part of a stream of records that continues in the next one");
    if (has_flags(field))
        for (const NamedValue& named : field.names)
            parts.push_back(fmt::format("{} is {}", number_text(named.value), named.name));
    for (const Check& check : field.checks)
        if (check.must != Check::Must::nothing) parts.push_back(check_text(check));
    return joined(parts, "; ");
}

std::optional<Sequence> sequence_of(const Format& format) {
    std::vector<const Record*> records = records_of(format);
    Sequence found;
    if (!records.front()->numbered) {
        found.header = records.front();
        records.erase(records.begin());
    }
    const auto fallback = std::ranges::find(records, true, &Record::fallback);
    if (fallback == records.end()) return std::nullopt;
    found.fallback = *fallback;
    found.kind = &found.fallback->fields()[0];
    const auto size = std::ranges::find(found.fallback->fields(), true, &Field::is_record_size);
    if (size != found.fallback->fields().end()) {
        found.size = &*size;
        found.size_at = fixed_offset(*found.fallback, size->name, {});
    }
    for (const Record* record : records) {
        if (!is_like(*record, found)) return std::nullopt;
        if (record->tag != kNoTag) found.cases.push_back({record, kinds_of(*record)});
    }
    return found;
}

}  // namespace tracelint
