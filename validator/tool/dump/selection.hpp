// The part of a trace that a dump shows.
#pragma once

#include <optional>
#include <string>

#include "validator/readers/record_walk.hpp"
#include "validator/tool/dump/field_name.hpp"

namespace tracelint {

// All records, those with some numbers, or what lies around an offset; all of these, or those of one kind, or those
// that have a field, of which only this field is shown.
struct Selection {
    // Bytes before and after the offset of `around` that are shown with it.
    static constexpr uint64_t kReach = 64;

    uint64_t first = 0, last = kNone;  // numbers of records, as in findings
    std::optional<uint64_t> around;    // an offset in the trace; then `first` and `last` do not count
    std::string kind;                  // the name of the records; empty: any
    FieldName field{};

    bool is_all() const { return !around && first == 0 && last == kNone && kind.empty() && !field.is_given(); }

    // Whether nothing from here on is selected.
    bool is_over(uint64_t offset, uint64_t next_index) const {
        return around ? offset > saturating_add(*around, kReach) : next_index > last;
    }
    bool has(const FramedRecord& record) const {
        if (!kind.empty() && record.record->name != kind) return false;
        if (field.is_given() && !field.may_be_in(record)) return false;
        return around ? overlaps(record.offset, record.length) : has_number(record.index, record.next_index);
    }
    bool has(const Gap& gap) const {
        if (!kind.empty() || field.is_given()) return false;
        return around ? overlaps(gap.offset, gap.length) : has_number(kNone, gap.next_index);
    }
    // Whether a leaf of a selected record is shown: near an offset, the elements of a list that are there, and the
    // record's own fields.
    bool has(const SeenRecord& record, const Leaf& leaf) const {
        if (field.is_given() && !field.matches(record, leaf)) return false;
        return !around || leaf.depth == 0 || overlaps(record.offset + leaf.offset, leaf.length);
    }
    // Whether the bytes hold the offset.
    bool marks(uint64_t offset, uint64_t length) const {
        return around && *around >= offset && *around - offset < length;
    }

  private:
    bool overlaps(uint64_t offset, uint64_t length) const {
        return offset <= saturating_add(*around, kReach) &&
               saturating_add(offset, length) > saturating_sub(*around, kReach);
    }
    // What has no number is between the records before and after it.
    bool has_number(uint64_t index, uint64_t next_index) const {
        if (first == 0 && last == kNone) return true;
        return index != kNone ? index >= first && index <= last : next_index > first && next_index <= last;
    }
};

}  // namespace tracelint
