// nettrace, section 3.12: reads numbers and texts of a bounded part of a block, one after the other.
#pragma once

#include <optional>

#include "grammars/nettrace/checks/findings.hpp"
#include "grammars/nettrace/records.hpp"
#include "validator/tables/leb128.hpp"

namespace tracelint::nettrace {

enum class NumberFault : uint8_t { none, absent, cut, too_long, overflow };

// A varint, of at most 32 or 64 bits.
struct Number {
    uint64_t value = 0;
    uint8_t length = 0;  // bytes read
    NumberFault fault = NumberFault::none;
    bool is_shortest = true;
};

inline constexpr size_t kLongestNarrow = 5;  // bytes of a number of 32 bits

inline Number read_number(const uint8_t* from, const uint8_t* end, bool is_wide) {
    if (from == end) return {.fault = NumberFault::absent};
    if (*from < 0x80) [[likely]]
        return {.value = *from, .length = 1};
    const size_t left = static_cast<size_t>(end - from), most = is_wide ? kLongestLeb : kLongestNarrow;
    const LebNumber read = read_leb<false>(from, from + std::min(left, most));
    Number number{read.value, read.length, NumberFault::none, read.is_canonical};
    if (read.fault == LebNumber::Fault::cut)
        number.fault = left < most ? NumberFault::cut : NumberFault::too_long;
    else if (read.fault == LebNumber::Fault::too_long)
        number.fault = NumberFault::too_long;
    else if (read.fault == LebNumber::Fault::overflow || (!is_wide && read.value > 0xffffffff))
        number.fault = NumberFault::overflow;
    return number;
}

// What a part is read as, for the places of findings.
struct PartOf {
    const Record* record;
    uint64_t index;  // of the record
    const Field* list = nullptr;
    uint64_t element = kNone;
};

class PartReader {
  public:
    PartReader(Findings& findings, Bytes bytes, uint64_t offset, const PartOf& of)
        : findings_(findings), bytes_(bytes), offset_(offset), of_(of) {}

    // --- Each of these reads a field and passes it. False: a framing fault, which fault() holds.
    bool fixed(const Field& field, unsigned width, uint64_t& value);
    bool number(const Field& field, bool is_wide, uint64_t& value);
    bool skip(const Field& field, uint64_t bytes);
    // UTF-16 up to a zero.
    bool text16(const Field& field, uint64_t& length);
    // UTF-8 after its size.
    bool text8(const Field& size, const Field& field, Bytes& text);
    // A size of what follows. `most`: what is left for it at least.
    bool size(const Field& field, unsigned width, uint64_t& value);

    bool fail(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}, bool at_end = false);

    const Diagnostic& fault() const { return *fault_; }
    // The fault is that something does not fit.
    bool is_fault_of_end() const { return is_fault_of_end_; }

    uint64_t left() const { return bytes_.size() - at_; }
    uint64_t at() const { return offset_ + at_; }  // offset of the cursor in the file
    bool is_at_end() const { return at_ == bytes_.size(); }
    // The field that was read last.
    const Place& last() const { return last_; }
    const PartOf& of() const { return of_; }
    Findings& findings() { return findings_; }
    Bytes rest() const { return bytes_.subspan(at_); }

    // The next `size` bytes, which are there, as a part of its own; this one goes on behind them.
    PartReader part(uint64_t size) {
        PartReader inner(findings_, bytes_.subspan(at_, size), at(), of_);
        at_ += size;
        return inner;
    }
    void take_fault_of(const PartReader& inner) {
        fault_ = inner.fault_;
        is_fault_of_end_ = inner.is_fault_of_end_;
    }
    void pass(uint64_t bytes) { at_ += bytes; }
    void be_element(const Field* list, uint64_t element) {
        of_.list = list;
        of_.element = element;
    }
    void be_of(const Record& record) { of_.record = &record; }

    Place place(const Field* field, uint64_t offset, uint64_t length) const {
        return {offset, length, of_.record, field, of_.list, of_.index, of_.element};
    }
    Place here(const Field* field, uint64_t length) const { return place(field, at(), length); }

  private:
    Findings& findings_;
    Bytes bytes_;
    uint64_t offset_;
    PartOf of_;
    size_t at_ = 0;
    Place last_;
    std::optional<Diagnostic> fault_;  // not made for each part: most have none
    bool is_fault_of_end_ = false;
};

inline constexpr Rule kVarintNonCanonical{
    .id = "nettrace/varint-non-canonical",
    .severity = Severity::warning,
    .statement = "a number takes no more bytes than it needs",
    .message = "{1} is written in {0} bytes and needs fewer",
    .why = "readers accept it; no runtime writes it, so the number or the bytes around it may be damaged",
    .spec = "3.12 Numbers and texts",
    .since = "0.2.0",
};

extern const Rule kVarintTruncated, kVarintTooLong, kVarintOverflow, kFieldOverrunsItem, kInnerSize;
extern const RuleList kPartRules;

// The rule that a fault breaks.
const Rule& rule_of(NumberFault fault);

}  // namespace tracelint::nettrace
