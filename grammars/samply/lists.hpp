// samply, section 5.1: what tree and positions share. Their lists, strings and code offsets.
#pragma once

#include <vector>

#include "grammars/samply/records.hpp"
#include "validator/format.hpp"
#include "validator/scratch.hpp"
#include "validator/view.hpp"

namespace tracelint::samply {

inline constexpr Rule kRecordTooShort{
    .id = "samply/record-too-short",
    .severity = Severity::error,
    .statement = "a DEBUG_INFO2 holds its fixed fields, 48 bytes with the prefix",
    .message = "total_size is {0}, and a DEBUG_INFO2 has at least 48 bytes",
    .why = "a reader can make nothing of it: the function has no lines and no inlined calls",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kListExceedsRecord{
    .id = "samply/list-exceeds-record",
    .severity = Severity::error,
    .statement = "every list fits into what the lists before it leave of the record",
    .message = "the list would take {0} times {1 byte|bytes}, and {2 byte is|bytes are} left in the record",
    .why =
        "nothing behind it can be found; readers drop the record, and samply's reader panics where counts times sizes "
        "exceed 2^64",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kRecordTrailingBytes{
    .id = "samply/record-trailing-bytes",
    .severity = Severity::warning,
    .statement = "the record ends where its last list does",
    .message = "{0 byte follows|bytes follow} the last list",
    .why = "a count or a size is likely wrong, and then the lists are read at wrong places",
    .spec = "3.3.1 Sizes and counts",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "up to 7 zero bytes pad the record",
                         "{0 zero byte pads|zero bytes pad} the record", "a reader can step over them"}};

inline constexpr Rule kStringListShort{
    .id = "samply/string-list-short",
    .severity = Severity::error,
    .statement = "every announced string ends in a NUL inside its list",
    .message = "string {0} of the announced {1} has no NUL in the rest of the list, {2 byte|bytes}",
    .why = "samply's reader gives up: the function has no lines and no inlined calls, and nobody is told",
    .spec = "3.3.2 Strings",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kStringNotUtf8{.id = "samply/string-not-utf8",
                                     .severity = Severity::warning,
                                     .statement = "strings are UTF-8",
                                     .message = "string {0} is not UTF-8 from its byte {1} on ({2x})",
                                     .why = "readers show replacement characters",
                                     .spec = "3.3.2 Strings",
                                     .since = "0.1.0",
                                     .decided_later = true};

inline constexpr Rule kDuplicateString{.id = "samply/duplicate-string",
                                       .severity = Severity::note,
                                       .statement = "no string is twice in a list",
                                       .message = "string {0} is the same as string {1}",
                                       .why = "it only takes space; lists exist so that a string is written once",
                                       .spec = "3.3.2 Strings",
                                       .since = "0.1.0",
                                       .decided_later = true};

inline constexpr Rule kCodeOffsetOrder{.id = "samply/code-offset-order",
                                       .severity = Severity::error,
                                       .statement = "code offsets ascend",
                                       .message = "code_offset {0x} is below {1x} of the entry before",
                                       .why = "readers search them binarily and show the wrong function or line",
                                       .spec = "3.3.3 Code offsets",
                                       .since = "0.1.0",
                                       .decided_later = true};

inline constexpr Rule kCodeOffsetDuplicate{
    .id = "samply/code-offset-duplicate",
    .severity = Severity::warning,
    .statement = "no two entries have the same code offset",
    .message = "code_offset {0x} is that of the entry before, and what they say of it differs",
    .why = "which of them a reader shows is chance",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override = SeverityOverride{Severity::note, "the two entries are the same",
                                          "code_offset {0x} is that of the entry before, and so is all the rest",
                                          "it only takes space"}};

inline constexpr Rule kCodeOffsetBeyondCode{
    .id = "samply/code-offset-beyond-code",
    .severity = Severity::warning,
    .statement = "code offsets lie in the code of the function",
    .message = "code_offset {0x} is beyond the code, {1 byte|bytes}",
    .why = "no sample will show this entry",
    .spec = "3.3.3 Code offsets",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "it is the end of the code", "code_offset {0x} is the end of the code",
                         "writers mark the end like this; no sample will show this entry"}};

inline constexpr Rule kNoLineAtStart{.id = "samply/no-line-at-start",
                                     .severity = Severity::note,
                                     .statement = "the first entry is about the start of the code",
                                     .message = "the first code_offset is {0x}",
                                     .why = "the code before it has no location; usual for prologues",
                                     .spec = "3.3.3 Code offsets",
                                     .since = "0.1.0",
                                     .decided_later = true};

inline constexpr Rule kLineBeforeFunctionStart{
    .id = "samply/line-before-function-start",
    .severity = Severity::note,
    .statement = "lines of a function do not lie before its start line",
    .message = "line {0} is before the start of its function, line {1}",
    .why = "the line or the start line may be wrong; macros and includes make such lines, too",
    .spec = "3.3.4 Lines",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kUnreferencedEntry{
    .id = "samply/unreferenced-entry",
    .severity = Severity::note,
    .statement = "every entry of a list is used by another",
    .message = "{0 entry is|entries are} used by nothing, of {1} in the list; the first has index {2}",
    .why = "it only takes space, or what should use it has a wrong index",
    .spec = "3.3.5 Use of entries",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr const Rule* kListRules[] = {&kRecordTooShort,  &kListExceedsRecord,       &kRecordTrailingBytes,
                                             &kStringListShort, &kStringNotUtf8,           &kDuplicateString,
                                             &kCodeOffsetOrder, &kCodeOffsetDuplicate,     &kCodeOffsetBeyondCode,
                                             &kNoLineAtStart,   &kLineBeforeFunctionStart, &kUnreferencedEntry};

// A record whose wait is over.
struct Info2 {
    Bytes bytes;          // from its prefix on: all of it, or too little to look into its lists
    uint64_t offset = 0;  // in the file
    uint64_t index = 0;   // among all records
    uint64_t total_size = 0;
    ByteOrder order = ByteOrder::little;
    std::optional<uint64_t> code_size;  // of its LOAD, in bytes; empty where that is not known
    uint64_t load = kNone;              // offset of its LOAD

    bool is_whole() const { return bytes.size() == total_size; }
};

// Reports on one record, and knows what that silences (section 4.2).
class Findings {
  public:
    // `load`: offset of the LOAD that findings are related to; kNone: there is none.
    Findings(Report& report, uint64_t load) : report_(report), load_(load) {}

    void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add(rule, rule.severity, place, numbers);
    }
    void add_overridden(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        add(rule, rule.severity_override->severity, place, numbers);
    }
    // A list may not be where it seems to be: the record's first error, once it comes, is its last finding.
    void doubt() { in_doubt_ = true; }
    uint64_t errors() const { return errors_; }
    // Errors and warnings.
    uint64_t faults() const { return faults_; }

  private:
    void add(const Rule& rule, Severity severity, const Place& place, std::initializer_list<uint64_t> numbers) {
        if (silent_) return;
        Diagnostic finding{.rule = &rule, .place = place, .is_overridden = severity != rule.severity};
        std::copy(numbers.begin(), numbers.end(), finding.numbers.begin());
        if (load_ != kNone) {
            finding.related_offset = load_;
            finding.related_length = fixed_size(kPrefix);
        }
        report_.add(finding);
        faults_ += severity != Severity::note;
        if (severity != Severity::error) return;
        ++errors_;
        silent_ = in_doubt_;
    }

    Report& report_;
    uint64_t load_;
    bool in_doubt_ = false, silent_ = false;
    uint64_t errors_ = 0, faults_ = 0;
};

// A list of elements of fixed size that lies whole in the record.
template <const Record& Element>
class Elements {
  public:
    static constexpr uint64_t kSize = fixed_size(Element);

    Elements() = default;
    Elements(const Info2& info, const Field& list, uint64_t at, uint64_t count)
        : info_(&info), list_(&list), at_(at), count_(count) {}

    uint64_t count() const { return count_; }
    uint64_t end() const { return at_ + kSize * count_; }  // from the record's start
    View<Element> operator[](uint64_t i) const {
        const uint64_t at = at_ + kSize * i;
        return {info_->bytes.data() + at, info_->offset + at, info_->order, info_->index, *list_, i};
    }

  private:
    const Info2* info_ = nullptr;
    const Field* list_ = nullptr;
    uint64_t at_ = 0;
    uint64_t count_ = 0;
};

// Strings one behind the other, each ending in a NUL.
class Strings {
  public:
    // [at, end) of the record holds them.
    Strings(const Info2& info, const Field& list, uint64_t at, uint64_t end, ValidationContext& context)
        : info_(info), list_(list), context_(context), scratch_(context.budget), at_(at), end_(end), after_(at) {}

    // Finds `count` strings (S4), and says where one is missing. False also when memory is short.
    bool locate(uint64_t count, Findings& findings);
    // S5 and S6, string by string. Afterwards equal strings are known as such. False when memory is short.
    bool check(Findings& findings);

    // Whether locate() failed for want of memory only.
    bool is_short_of_memory() const { return short_of_memory_; }
    uint64_t after() const { return after_; }  // the first byte behind the located strings, from the record's start
    uint64_t end() const { return end_; }      // of the list
    uint64_t count() const { return starts_.size(); }
    // After check().
    bool differ(uint64_t i, uint64_t j) const { return first_alike_[i] != first_alike_[j]; }
    // Bytes [at, at + length) of the record, which lie in string i.
    Place place(uint64_t i, uint64_t at, uint64_t length) const;

  private:
    uint64_t end_of(uint64_t i) const { return i + 1 < starts_.size() ? starts_[i + 1] : after_; }
    Bytes text_of(uint64_t i) const { return info_.bytes.subspan(starts_[i], end_of(i) - starts_[i] - 1); }
    bool find_alike();
    bool find_alike_by_hash();
    bool find_alike_by_order();

    const Info2& info_;
    const Field& list_;
    ValidationContext& context_;
    Scratch scratch_;
    uint64_t at_, end_, after_;
    bool short_of_memory_ = false;
    std::vector<uint32_t> starts_;       // from the record's start
    std::vector<uint32_t> first_alike_;  // the first string with the same bytes
};

// S7 to S10 for entry `i` of a list whose elements begin with their code_offset.
template <const Record& Element>
void check_code_offset(const Info2& info, const Elements<Element>& list, uint64_t i, Findings& findings) {
    const View<Element> entry = list[i];
    const uint64_t offset = entry.template get<"code_offset">();
    const Place place = entry.template place<"code_offset">();
    if (i == 0 && offset != 0) findings.add(kNoLineAtStart, place, {offset});
    if (i > 0) {
        const View<Element> before = list[i - 1];
        const uint64_t offset_before = before.template get<"code_offset">();
        if (offset < offset_before) findings.add(kCodeOffsetOrder, place, {offset, offset_before});
        if (offset == offset_before) {
            const bool same = std::equal(entry.data(), entry.data() + list.kSize, before.data());
            same ? findings.add_overridden(kCodeOffsetDuplicate, place, {offset})
                 : findings.add(kCodeOffsetDuplicate, place, {offset});
        }
    }
    if (!info.code_size || offset < *info.code_size) return;
    offset == *info.code_size ? findings.add_overridden(kCodeOffsetBeyondCode, place, {offset})
                              : findings.add(kCodeOffsetBeyondCode, place, {offset, *info.code_size});
}

inline constexpr uint64_t kMostPadding = 7;  // zero bytes behind the last list, up to an alignment of 8

// S3: [after, end of the record) belongs to no list. `padding`: the field of the record that covers it.
void check_trailing_bytes(const Info2& info, const Record& record, uint64_t after, Findings& findings);

// S12 for one list: whether every one of its entries is marked as used. `counter`: the place of its count.
void check_references(const std::vector<bool>& used, const Place& counter, Findings& findings);

}  // namespace tracelint::samply
