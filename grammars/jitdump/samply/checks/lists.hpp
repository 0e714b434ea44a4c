// What tree and positions share: lists, strings and code offsets (sections 3.3 and 5.1).
#pragma once

#include "grammars/jitdump/samply/records.hpp"
#include "validator/format.hpp"
#include "validator/memory/vectors.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::samply {

// A record whose wait is over.
struct Info2 {
    Bytes bytes;          // from its prefix on: the whole record, or only its fixed part
    uint64_t offset = 0;  // in the file
    uint64_t index = 0;   // counted from 0 over all records of the file
    uint64_t total_size = 0;
    ByteOrder order = ByteOrder::little;
    std::optional<uint64_t> code_size;  // of its LOAD, in bytes; empty: unknown
    uint64_t load = kNone;              // file offset of its LOAD

    bool is_whole() const { return bytes.size() == total_size; }
};

// Reports on one record. Knows which findings silence others (section 4.2).
class Findings {
  public:
    // `load`: file offset of the LOAD that findings are related to; kNone if absent.
    Findings(Report& report, uint64_t load);

    // As those of Report.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        add(R, R.severity, place, {});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add(R, R.severity, place, numbers);
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add(R, R.severity_override->severity, place, numbers);
    }
    // From here on a list may not be where it seems to be: the next error is the last finding about the record.
    void doubt() { in_doubt_ = true; }
    uint64_t errors() const { return errors_; }
    // Errors and warnings.
    uint64_t faults() const { return faults_; }

  private:
    void add(const Rule& rule, Severity severity, const Place& place, std::span<const uint64_t> numbers);

    Report& report_;
    Diagnostic finding_;  // the one that is added; a file may hold one for each byte, so it is not made anew
    bool in_doubt_ = false, silent_ = false;
    uint64_t errors_ = 0, faults_ = 0;
};

// Whether the record has room for the fixed fields of its layout. `total_size`: the place of that field.
bool has_fixed_fields(const Info2& info, const Place& total_size, Findings& findings);

// Places lists one after the other, as long as they fit into the record.
class ListLayout {
  public:
    // The first list begins at byte `at` of the record, where `left` bytes are left.
    ListLayout(Findings& findings, uint64_t at, uint64_t left) : findings_(findings), at_(at), left_(left) {}

    // Where a list of `count` elements of `size` bytes begins. `counter`: the place of that count.
    uint64_t place(uint64_t count, uint64_t size, const Place& counter);
    bool failed() const { return failed_; }
    // The first byte after the lists so far.
    uint64_t end() const { return at_; }

  private:
    Findings& findings_;
    uint64_t at_, left_;
    bool failed_ = false;
};

// A list of fixed-size elements that lies completely in the record.
template <const auto& Element>
class Elements {
  public:
    static constexpr uint64_t kSize = fixed_size(Element);

    Elements() = default;
    Elements(const Info2& info, const Field& list, uint64_t at, uint64_t count)
        : data_(info.bytes.data() + at),
          offset_(info.offset + at),
          record_index_(info.index),
          list_(&list),
          at_(at),
          count_(count),
          order_(info.order) {}

    uint64_t count() const { return count_; }
    uint64_t end() const { return at_ + kSize * count_; }  // offset in the record
    View<Element> operator[](uint64_t i) const {
        return {data_ + kSize * i, offset_ + kSize * i, order_, record_index_, *list_, i};
    }

  private:
    const uint8_t* data_ = nullptr;
    uint64_t offset_ = 0;  // in the file
    uint64_t record_index_ = 0;
    const Field* list_ = nullptr;
    uint64_t at_ = 0;
    uint64_t count_ = 0;
    ByteOrder order_ = ByteOrder::little;
};

// A list of NUL-terminated strings.
class Strings {
  public:
    // They are in bytes [at, end) of the record.
    Strings(const Info2& info, const Field& list, uint64_t at, uint64_t end, ValidationContext& context,
            Scratch& scratch)
        : info_(info), list_(list), context_(context), scratch_(scratch), at_(at), end_(end), after_(at) {}

    // Finds `count` strings and reports the first that is missing. False if one is, or if memory is short.
    bool locate(uint64_t count, Findings& findings);
    // Checks each string, and finds equal ones. False if memory is short.
    bool check(Findings& findings);

    // Whether locate() failed because memory is short.
    bool is_short_of_memory() const { return short_of_memory_; }
    uint64_t after() const { return after_; }  // offset of the first byte after the located strings
    uint64_t end() const { return end_; }      // of the list
    uint64_t count() const { return starts_.size(); }
    // Passes each string to the listener.
    void tell(NameListener& listener) const {
        for (uint64_t i = 0; i < count(); ++i) listener.on_name(text_of(i));
    }
    // Whether two strings differ. Call check() before.
    bool differ(uint64_t i, uint64_t j) const { return first_alike_[i] != first_alike_[j]; }
    // Bytes [at, at + length) of the record, which are in string i.
    Place place(uint64_t i, uint64_t at, uint64_t length) const;

  private:
    uint64_t end_of(uint64_t i) const { return i + 1 < starts_.size() ? starts_[i + 1] : after_; }
    Bytes text_of(uint64_t i) const { return info_.bytes.subspan(starts_[i], end_of(i) - starts_[i] - 1); }
    static constexpr uint64_t kFew = 8;  // strings that are compared with each other

    bool find_alike();
    void find_alike_by_comparing();
    bool find_alike_by_hash();
    bool find_alike_by_order();

    const Info2& info_;
    const Field& list_;
    ValidationContext& context_;
    Scratch& scratch_;
    uint64_t at_, end_, after_;
    bool short_of_memory_ = false;
    bool all_ascii_ = true;                // the located strings
    uint64_t empty_ = 0;                   // how many of them are empty
    ScratchVector<uint32_t> starts_;       // offsets in the record
    ScratchVector<uint32_t> first_alike_;  // the first string with the same bytes
};

// Reports what is unusual about the code_offset of entry `i` of a list.
template <const auto& Element>
void report_code_offset(const Info2& info, const Elements<Element>& list, uint64_t i, Findings& findings);

// Checks the code_offset of entry `i` of a list. Its elements begin with their code_offset.
template <const auto& Element>
void check_code_offset(const Info2& info, const Elements<Element>& list, uint64_t i, Findings& findings) {
    const uint64_t offset = list[i].template get<"code_offset">();
    const bool ascends = i == 0 ? offset == 0 : offset > list[i - 1].template get<"code_offset">();
    const bool is_within = !info.code_size || offset < *info.code_size;
    if (!ascends || !is_within) [[unlikely]]
        report_code_offset(info, list, i, findings);
}

// Checks a line against the line where its function starts; 0: unknown. `place`: that of the line.
void check_line_in_function(uint64_t line, uint64_t function_start, const Place& place, Findings& findings);

inline constexpr uint64_t kMostPadding = 7;  // zero bytes that may follow the last list

// Checks the bytes from `after` to the end of the record, which belong to no list. `record`: its layout.
void check_trailing_bytes(const Info2& info, const Record& record, uint64_t after, Findings& findings);

// Checks that all entries of a list are used: 1, or else 0. `counter`: the place of its count.
void check_references(const ScratchVector<uint8_t>& used, const Place& counter, Findings& findings);

extern const RuleList kListRules;

}  // namespace tracelint::samply
