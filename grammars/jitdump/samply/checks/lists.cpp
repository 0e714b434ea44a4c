// What tree and positions share: lists, strings and code offsets (sections 3.3 and 5.1).
#include "grammars/jitdump/samply/checks/lists.hpp"

#include <array>
#include <bit>
#include <tuple>

#include "validator/memory/hash_table.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint::samply {

Findings::Findings(Report& report, uint64_t load) : report_(report) {
    if (load == kNone) return;
    finding_.related_offset = load;
    finding_.related_length = fixed_size(kPrefix);
}

void Findings::add(const Rule& rule, Severity severity, const Place& place, std::span<const uint64_t> numbers) {
    if (silent_) return;
    finding_.rule = &rule;
    finding_.place = place;
    finding_.is_overridden = severity != rule.severity;
    for (size_t i = 0; i < finding_.numbers.size(); ++i) finding_.numbers[i] = i < numbers.size() ? numbers[i] : 0;
    report_.add(finding_);
    faults_ += severity != Severity::note;
    if (severity != Severity::error) return;
    ++errors_;
    silent_ = in_doubt_;
}

constexpr Rule kRecordTooShort{
    .id = "samply/record-too-short",
    .severity = Severity::error,
    .statement = "a DEBUG_INFO2 has all its fixed fields, 48 bytes with the record header",
    .message = "total_size is {0}; a DEBUG_INFO2 has at least 48 bytes",
    .why = "readers cannot use the record: the function has no lines and no inlined calls",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

bool has_fixed_fields(const Info2& info, const Place& total_size, Findings& findings) {
    static_assert(fixed_size(kTree) == fixed_size(kPositions));
    if (info.total_size >= fixed_size(kTree)) return true;
    findings.add<kRecordTooShort>(total_size, {info.total_size});
    return false;
}

constexpr Rule kListExceedsRecord{
    .id = "samply/list-exceeds-record",
    .severity = Severity::error,
    .statement = "every list fits into the rest of the record",
    .message = "a list of {0} times {1 byte|bytes} does not fit into the {2 byte|bytes} left in the record",
    .why =
        "nothing after it can be located; readers drop the record, and samply's reader panics if the size overflows 64 "
        "bits",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

// Counts of positions have 64 bits, so their products could overflow.
uint64_t ListLayout::place(uint64_t count, uint64_t size, const Place& counter) {
    const uint64_t at = at_;
    if (failed_) return at;
    failed_ = count > left_ / size;
    if (failed_) {
        findings_.add<kListExceedsRecord>(counter, {count, size, left_});
        return at;
    }
    at_ += count * size;
    left_ -= count * size;
    return at;
}

constexpr Rule kStringListShort{
    .id = "samply/string-list-short",
    .severity = Severity::error,
    .statement = "every announced string ends in a NUL inside its list",
    .message = "string {0} of {1} has no terminating NUL in the {2 byte|bytes} left in the list",
    .why = "samply's reader stops silently: the function has no lines and no inlined calls",
    .spec = "3.3.2 Strings",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

bool Strings::locate(uint64_t count, Findings& findings) {
    // Each string takes at least one byte.
    short_of_memory_ = !scratch_.reserve(starts_, std::min(count, end_ - at_));
    if (short_of_memory_) return false;
    for (uint64_t i = 0; i < count; ++i) {
        const EndedText text = ended_text(info_.bytes.subspan(after_, end_ - after_));
        if (text.length == kNone) {
            findings.add<kStringListShort>(place(i, after_, end_ - after_), {i, count, end_ - after_});
            return false;
        }
        starts_.push_back(static_cast<uint32_t>(after_));
        after_ += text.length + 1;
        all_ascii_ = all_ascii_ && text.is_ascii;
        if (text.length == 0) ++empty_;
    }
    context_.work.add(after_ - at_);
    return true;
}

constexpr Rule kStringNotUtf8{
    .id = "samply/string-not-utf8",
    .severity = Severity::warning,
    .statement = "strings are valid UTF-8",
    .message = "string {0} has invalid UTF-8 at byte {1} ({2x})",
    .why = "readers show replacement characters",
    .spec = "3.3.2 Strings",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDuplicateString{
    .id = "samply/duplicate-string",
    .severity = Severity::note,
    .statement = "the strings of a list differ",
    .message = "string {0} equals string {1}",
    .why = "it wastes space; a list exists so that each string is written once",
    .spec = "3.3.2 Strings",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

bool Strings::check(Findings& findings) {
    if (!find_alike()) return false;
    for (uint64_t i = 0; i < count(); ++i) {
        const Bytes text = text_of(i);
        context_.work.add(text.size());
        if (const uint64_t bad = all_ascii_ ? kNone : scan_text(text).ill_formed; bad != kNone)
            findings.add<kStringNotUtf8>(place(i, starts_[i] + bad, 1), {i, bad, text[bad]});
        if (first_alike_[i] != i)
            findings.add<kDuplicateString>(place(i, starts_[i], text.size() + 1), {i, first_alike_[i]});
    }
    return true;
}

bool Strings::find_alike() {
    if (!scratch_.assign(first_alike_, count(), uint32_t{0})) return false;
    if (count() <= kFew) {
        find_alike_by_comparing();
        return true;
    }
    return find_alike_by_hash() || find_alike_by_order();
}

void Strings::find_alike_by_comparing() {
    std::array<std::string_view, kFew> texts;
    const auto are_alike = [&](std::string_view a, std::string_view b) {
        context_.work.add(a.size() == b.size() ? 1 + a.size() : 1);
        return a == b;
    };
    for (uint32_t i = 0; i < count(); ++i) {
        texts[i] = as_text(text_of(i));
        while (!are_alike(texts[first_alike_[i]], texts[i])) ++first_alike_[i];
    }
}

// With a hash table of open addressing, at most half full. Empty strings need none. False if memory is short.
bool Strings::find_alike_by_hash() {
    constexpr uint32_t kFree = ~uint32_t{0};
    const uint64_t slots = std::bit_ceil(2 * (count() - empty_) + 1);
    Scratch scratch(scratch_.memory());
    ScratchVector<uint32_t> table;
    if (!scratch.assign(table, slots, kFree)) return false;
    const auto shift = 64 - static_cast<unsigned>(std::countr_zero(slots));
    uint32_t first_empty = kFree;
    for (uint32_t i = 0; i < count(); ++i) {
        const std::string_view text = as_text(text_of(i));
        context_.work.add(text.size() + 1);
        if (text.empty()) {
            first_empty = std::min(first_empty, i);
            first_alike_[i] = first_empty;
            continue;
        }
        uint64_t slot = seeded(as_bytes(text), hash_seed()) >> shift;
        for (; table[slot] != kFree; slot = (slot + 1) & (slots - 1)) {
            context_.work.add(1);
            if (as_text(text_of(table[slot])) == text) break;
        }
        if (table[slot] == kFree) table[slot] = i;
        first_alike_[i] = table[slot];
    }
    return true;
}

// Slower, but with less memory.
bool Strings::find_alike_by_order() {
    Scratch scratch(scratch_.memory());
    ScratchVector<uint32_t> order;
    if (!scratch.reserve(order, count())) return false;
    for (uint32_t i = 0; i < count(); ++i) order.push_back(i);
    const auto key_of = [&](uint32_t i) {
        const std::string_view text = as_text(text_of(i));
        return std::tuple(text.size(), text, i);  // most differ in length or in their first bytes
    };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key_of(a) < key_of(b); });
    for (size_t i = 0; i < order.size(); ++i) {
        const bool alike = i > 0 && as_text(text_of(order[i])) == as_text(text_of(order[i - 1]));
        first_alike_[order[i]] = alike ? first_alike_[order[i - 1]] : order[i];
    }
    return true;
}

Place Strings::place(uint64_t i, uint64_t at, uint64_t length) const {
    const View<kString> string(info_.bytes.data() + at, info_.offset + at, info_.order, info_.index, list_, i);
    return string.place<"text">(0, length);
}

constexpr Rule kNoLineAtStart{
    .id = "samply/no-line-at-start",
    .severity = Severity::note,
    .statement = "the first entry is at the start of the code",
    .message = "the first code_offset is {0x}",
    .why = "the code before it has no location; normal for prologues",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kCodeOffsetOrder{
    .id = "samply/code-offset-order",
    .severity = Severity::error,
    .statement = "code offsets ascend",
    .message = "code_offset {0x} is below {1x}, the code_offset of the previous entry",
    .why = "readers use binary search and show the wrong function or line",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kCodeOffsetDuplicate{
    .id = "samply/code-offset-duplicate",
    .severity = Severity::warning,
    .statement = "no two entries have the same code offset",
    .message = "code_offset {0x} is that of the previous entry, but the entries differ",
    .why = "which of the two a reader shows is undefined",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::note, "the two entries are equal",
                         "code_offset {0x} and all other fields are those of the previous entry", "it wastes space"},
};

constexpr Rule kCodeOffsetBeyondCode{
    .id = "samply/code-offset-beyond-code",
    .severity = Severity::warning,
    .statement = "code offsets are within the code of the function",
    .message = "code_offset {0x} is past the end of the code of {1 byte|bytes}",
    .why = "no sample ever shows this entry",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::note, "it is the end of the code", "code_offset {0x} is the end of the code",
                         "some writers mark the end of the code like this; no sample ever shows this entry"},
};

template <const auto& Element>
void report_code_offset(const Info2& info, const Elements<Element>& list, uint64_t i, Findings& findings) {
    const View<Element> entry = list[i];
    const uint64_t offset = entry.template get<"code_offset">();
    const uint64_t before = i == 0 ? 0 : list[i - 1].template get<"code_offset">();
    const Place place = entry.template place<"code_offset">();
    if (i == 0 && offset != 0) findings.add<kNoLineAtStart>(place, {offset});
    if (i > 0 && offset < before) findings.add<kCodeOffsetOrder>(place, {offset, before});
    if (i > 0 && offset == before) {
        const bool same = std::equal(entry.data(), entry.data() + list.kSize, list[i - 1].data());
        same ? findings.add_overridden<kCodeOffsetDuplicate>(place, {offset})
             : findings.add<kCodeOffsetDuplicate>(place, {offset});
    }
    if (!info.code_size || offset < *info.code_size) return;
    offset == *info.code_size ? findings.add_overridden<kCodeOffsetBeyondCode>(place, {offset, *info.code_size})
                              : findings.add<kCodeOffsetBeyondCode>(place, {offset, *info.code_size});
}
template void report_code_offset(const Info2&, const Elements<kLineRecord>&, uint64_t, Findings&);
template void report_code_offset(const Info2&, const Elements<kCodeOffset>&, uint64_t, Findings&);

constexpr Rule kLineBeforeFunctionStart{
    .id = "samply/line-before-function-start",
    .severity = Severity::note,
    .statement = "no line of a function is before its start line",
    .message = "line {0} is before line {1}, where its function starts",
    .why = "the line or the start line may be wrong; macros and includes also cause this",
    .spec = "3.3.4 Lines",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void check_line_in_function(uint64_t line, uint64_t function_start, const Place& place, Findings& findings) {
    if (line != 0 && line < function_start) findings.add<kLineBeforeFunctionStart>(place, {line, function_start});
}

constexpr Rule kRecordTrailingBytes{
    .id = "samply/record-trailing-bytes",
    .severity = Severity::warning,
    .statement = "the record ends at the end of its last list",
    .message = "{0 byte follows|bytes follow} the last list",
    .why = "a count or size is probably wrong, so that readers look for the lists in the wrong places",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{Severity::note, "up to 7 zero bytes pad the record",
                                          "{0 zero byte of padding follows|zero bytes of padding follow} the last list",
                                          "readers can skip it"},
};

void check_trailing_bytes(const Info2& info, const Record& record, uint64_t after, Findings& findings) {
    const uint64_t left = info.total_size - after;
    if (left == 0) return;
    const Place place{info.offset + after, left, &record, record.find("padding"), nullptr, info.index, kNone};
    if (left > kMostPadding) return findings.add<kRecordTrailingBytes>(place, {left});
    if (!info.is_whole()) return;  // they are out of view and may be padding
    all_zero(info.bytes.subspan(after)) ? findings.add_overridden<kRecordTrailingBytes>(place, {left})
                                        : findings.add<kRecordTrailingBytes>(place, {left});
}

constexpr Rule kUnreferencedEntry{
    .id = "samply/unreferenced-entry",
    .severity = Severity::note,
    .statement = "every entry of a list is used by another",
    .message = "{0 entry is|entries are} unused, out of {1} in the list; the first has index {2}",
    .why = "they waste space, or what should use them has a wrong index",
    .spec = "3.3.5 Use of entries",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void check_references(const ScratchVector<uint8_t>& used, const Place& counter, Findings& findings) {
    const auto* const first = std::find(used.begin(), used.end(), 0);
    if (first == used.end()) return;
    const auto unused = static_cast<uint64_t>(std::count(first, used.end(), 0));
    findings.add<kUnreferencedEntry>(counter, {unused, used.size(), static_cast<uint64_t>(first - used.begin())});
}

constinit const RuleList kListRules =
    rules<&kRecordTooShort, &kListExceedsRecord, &kStringListShort, &kStringNotUtf8, &kDuplicateString, &kNoLineAtStart,
          &kCodeOffsetOrder, &kCodeOffsetDuplicate, &kCodeOffsetBeyondCode, &kLineBeforeFunctionStart,
          &kRecordTrailingBytes, &kUnreferencedEntry>;

}  // namespace tracelint::samply
