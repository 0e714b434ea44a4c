// Redaction: texts and payloads become filler of the same length, as far as the finding allows.
#include <algorithm>

#include "validator/generator/edit.hpp"
#include "validator/shrink/small_file.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kFewestTogether = 4;  // bytes that are kept or replaced as a whole

bool is_between(char c, char first, char last) { return first <= c && c <= last; }
bool is_digit(char c) { return is_between(c, '0', '9'); }
bool is_letter(char c) { return is_between(c, 'a', 'z') || is_between(c, 'A', 'Z'); }
bool is_printable(char c) { return is_between(c, ' ', '~'); }

// What a byte becomes. An 'a' is a letter, and a digit of hexadecimal numbers.
char uniform(char, bool is_text) { return is_text ? 'a' : '\0'; }
char of_its_class(char c, bool) {
    if (is_digit(c)) return '0';
    if (is_letter(c)) return 'a';
    return is_printable(c) || c == '\0' || c == '\n' || c == '\t' ? c : '\1';
}

}  // namespace

bool SmallFile::redact(std::vector<KeptText>& kept_texts) {
    for (size_t piece = 0; piece < pieces_.size(); ++piece) {
        const RecordValues record = values_of(piece);
        for (const Value& value : record.values) {
            if (!value.is_text()) continue;
            const Field* const field = value.leaf.field;
            const bool is_string = field != nullptr && value.leaf.kind == Leaf::Kind::value && field->is_string();
            const unsigned unit = is_string && field->type == Type::string16 ? 2 : 1;
            const bool has_end = is_string && value.text.ends_with('\0');
            const uint64_t offset = pieces_[piece].offset + value.leaf.offset;
            const uint64_t length = value.text.size() - (has_end ? std::min<size_t>(unit, value.text.size()) : 0);
            std::string name;
            if (field != nullptr && record.record != nullptr)
                name = std::string(record.record->name) + "." + std::string(field->name);
            if (!redact_range(name, offset, length, unit, is_string || (field != nullptr && field->is_text),
                              kept_texts))
                return false;
        }
    }
    return true;
}

// Replaces a range by filler, as large a part of it as possible. False: it is over.
bool SmallFile::redact_range(const std::string& field, uint64_t offset, uint64_t length, unsigned unit, bool is_text,
                             std::vector<KeptText>& kept_texts) {
    if (length == 0) return true;
    if (is_over()) return false;
    for (const auto filler : {uniform, of_its_class}) {
        std::string candidate = bytes_;
        for (uint64_t at = offset; at < offset + length; at += unit) {
            candidate[at] = filler(candidate[at], is_text);
            if (unit == 2 && at + 1 < offset + length) candidate[at + 1] = '\0';
        }
        if (candidate == bytes_) return true;
        const uint64_t place = kept_.finding.place.offset;
        if (take(std::move(candidate), {place, place})) return true;
    }
    if (length > kFewestTogether) {
        const uint64_t half = length / 2 / unit * unit;
        return redact_range(field, offset, half, unit, is_text, kept_texts) &&
               redact_range(field, offset + half, length - half, unit, is_text, kept_texts);
    }
    if (!kept_texts.empty() && kept_texts.back().offset + kept_texts.back().length == offset &&
        kept_texts.back().field == field)
        kept_texts.back().length += length;
    else
        kept_texts.push_back({offset, length, field});
    return !is_over();
}

}  // namespace tracelint
