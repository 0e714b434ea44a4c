// pprof, section 5.2: the string table, and the indexes into it.
#include "grammars/pprof/checks/strings.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint::pprof {
namespace {

const Member& kStringMember = *kProfile.find(OfProfile::string_table);

constexpr size_t count_indexes(std::initializer_list<const Message*> messages) {
    size_t count = 0;
    for (const Message* const message : messages)
        for (const Member& member : message->members())
            if (member.meaning == Meaning::index) ++count;
    return count;
}

// [A-Za-z_][A-Za-z0-9_]*
bool is_label_name(Bytes text) {
    const auto is_letter = [](uint8_t c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
    const auto fits = [&](uint8_t c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); };
    return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), fits);
}

Spot inside(const Mark& field, uint64_t offset, uint64_t length) {
    Mark mark = mark_of({offset, length}, 0);
    mark.record = field.record;
    return place_of(mark, &kStringMember);
}

constexpr Rule kStringTableFirst{
    .id = "pprof/string-table-first",
    .severity = Severity::error,
    .statement = "the first entry of the string table is empty",
    .message = "string_table[0] has {0 byte|bytes}, expected none: every index may be off by one",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "3.3 What the text demands; 5.2 Strings",
    .since = "0.2.0",
};

constexpr Rule kStringNotUtf8{
    .id = "pprof/string-not-utf8",
    .severity = Severity::error,
    .statement = "a string is UTF-8",
    .message = "string {0} is not UTF-8 from byte {1} on",
    .why = "pyroscope and parsers in C++ refuse the profile",
    .spec = "5.2 Strings",
    .since = "0.2.0",
};

constexpr Rule kStringNul{
    .id = "pprof/string-nul",
    .severity = Severity::note,
    .statement = "a string has no NUL",
    .message = "string {0} contains NUL ({3 place|places} in this file)",
    .why = "programs in C end the string there",
    .spec = "5.2 Strings",
    .since = "0.2.0",
};

}  // namespace

void Strings::check_text(Bytes text, uint64_t offset, const Mark& field) {
    if (size() == 0 && !text.empty() && !certainty_.is_unread(OfProfile::string_table)) {
        context_.report.add<kStringTableFirst>(inside(field, offset, text.size()), {text.size()});
        certainty_.are_indexes_shifted = true;
    }
    const TextScan scan = scan_text(text);
    if (scan.ill_formed != kNone)
        context_.report.add<kStringNotUtf8>(inside(field, offset + scan.ill_formed, scan.ill_formed_length),
                                            {size(), scan.ill_formed});
    if (const uint64_t nul = length_to_nul(text); nul != kNone)
        aggregates_.add(kStringNul, inside(field, offset + nul, 1), {size()});
}

void Strings::add(Bytes text, uint64_t offset, const Mark& field) {
    check_text(text, offset, field);
    context_.work.add(text.size());
    if (context_.limit_hit) return add_unread();
    const uint64_t hash = std::max<uint64_t>(seeded(text, seed_), 1);
    const uint64_t text_size = std::min<uint64_t>(text.size(), 2);
    hashes_.prefetch(hash);
    if (!entries_.push_back({.hash = hash,
                             .offset = field.offset & Entry::kLargestOffset,
                             .text_size = static_cast<uint8_t>(text_size & 3),
                             .is_name = is_label_name(text),
                             .length = field.length,
                             .record = field.record})) {
        note_limit(context_, field.offset);
        return add_unread();
    }
    waiting_.add({hash, entries_.size() - 1, field.offset}, [this](const DelayedText& one) { look_up(one); });
}

void Strings::look_up(const DelayedText& text) {
    if (context_.limit_hit) return;
    const size_t before = hashes_.size();
    if (hashes_.find_or_insert({text.hash}) == nullptr) return note_limit(context_, text.offset);
    if (hashes_.size() == before && duplicates_++ == 0) first_duplicate_ = text.index;
}

void Strings::settle() {
    waiting_.take_all([this](const DelayedText& text) { look_up(text); });
}

void Strings::use_first(uint64_t index, const Member& member, const Mark& value) {
    if (context_.limit_hit) return;
    Use* const use = uses_.find_or_add(index);
    if (use == nullptr) return note_limit(context_, value.offset);
    if (used_.reach(index, uses_.size())) used_.set(index, true);
    if (use->member != 0) return;
    use->offset = value.offset & Entry::kLargestOffset;
    use->length = static_cast<uint8_t>(std::min<uint64_t>(value.length, kLongestLeb));
    use->record = value.record;
    use->member = position_of(member);
}

uint32_t Strings::position_of(const Member& member) {
    static_assert(count_indexes({&kProfile, &kValueType, &kSampleMessage, &kLabel, &kMappingMessage, &kLocationMessage,
                                 &kLine, &kFunctionMessage}) < kMostMembers);
    const auto end = std::find(members_.begin(), members_.end(), nullptr);
    const auto found = std::find(members_.begin(), end, &member);
    *found = &member;
    return static_cast<uint32_t>(found - members_.begin()) + 1;
}

namespace {

constexpr Rule kStringTableMissing{
    .id = "pprof/string-table-missing",
    .severity = Severity::error,
    .statement = "there is at least one entry in the string table",
    .message = "no string table; its first entry has to be \"\"",
    .why = "pprof refuses the profile without saying why",
    .spec = "3.3 What the text demands; 5.2 Strings",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kStringIndexOutOfRange{
    .id = "pprof/string-index-out-of-range",
    .severity = Severity::error,
    .statement = "an index is below the number of strings",
    .message = "{text} is {0d}, the string table has {1 entry|entries}",
    .why = "pprof refuses the profile without saying why; Parca uses negative indexes and crashes",
    .spec = "3.2 Messages; 5.2 Strings",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .absence = true},
};

constexpr Rule kStringDuplicate{
    .id = "pprof/string-duplicate",
    .severity = Severity::note,
    .statement = "strings are distinct",
    .message = "string {0} is the same as an earlier one ({3 place|places} in this file)",
    .why = "legal; the file is larger than necessary",
    .spec = "5.2 Strings",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kStringUnused{
    .id = "pprof/string-unused",
    .severity = Severity::note,
    .statement = "each string is used",
    .message = "string {0} is not used ({3 place|places} in this file)",
    .why = "legal; the file is larger than necessary",
    .spec = "5.2 Strings",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

}  // namespace

void Strings::finish(uint64_t size) {
    if (!certainty_.knows_all() || context_.limit_hit || certainty_.is_unread(OfProfile::string_table)) return;
    if (is_missing()) return context_.report.add<kStringTableMissing>({.offset = size});
    for (const Use& use : uses_) {
        if (use.key < this->size()) continue;
        const Member& member = *members_[use.member - 1];
        context_.report.add({.rule = &kStringIndexOutOfRange,
                             .place = place_of(use.value(), &member),
                             .numbers = {use.key, this->size()},
                             .text = member.path});
    }
    if (duplicates_ != 0)
        aggregates_.add_many(kStringDuplicate, duplicates_,
                             place_of(entries_[first_duplicate_].field(), &kStringMember), {first_duplicate_});
    if (!certainty_.has_wire_fault) report_unused();
}

void Strings::report_unused() {
    for (uint64_t i = 1; i < entries_.size(); ++i)
        if (!used_.find(i) && uses_.find(i) == nullptr)
            aggregates_.add(kStringUnused, place_of(entries_[i].field(), &kStringMember), {i});
}

constinit const RuleList kStringRules = rules<&kStringTableFirst, &kStringNotUtf8, &kStringNul, &kStringTableMissing,
                                              &kStringIndexOutOfRange, &kStringDuplicate, &kStringUnused>;

}  // namespace tracelint::pprof
