// toy, section 3: the fields of one record. They are read through the table interpreter, which suits every layout; a
// format whose files are large reads its frequent records through View (validator/tables/view.hpp), which is much
// faster.
#pragma once

#include "validator/report/report.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint::toy {

// Where a record is in the file.
struct RecordPlace {
    Bytes bytes;                    // exactly the record
    uint64_t offset = 0;            // of its first byte
    uint64_t record_index = kNone;  // counted from 0 after the header; kNone: the header
};

// The values of the fields of a record, without the elements of its lists.
class Fields {
  public:
    Fields(const Record& record, const RecordPlace& place) : record_(&record), place_(place) {}

    void add(const Leaf& leaf) { leaves_[count_++] = leaf; }
    bool has(std::string_view field) const { return find(field) != nullptr; }
    // The value and the place of a field that is present.
    uint64_t number(std::string_view field) const { return find(field)->number; }
    Place place(std::string_view field) const { return place_of(*find(field)); }
    // The place of the whole record.
    Place whole() const;
    Place place_of(const Leaf& leaf) const;

  private:
    const Leaf* find(std::string_view field) const;

    const Record* record_;
    RecordPlace place_;
    std::array<Leaf, kMaxFields> leaves_;
    size_t count_ = 0;
};

// Reads a record and reports the faults of its fields, each by itself. Empty if the fields do not fit into the record:
// then its values mean nothing.
std::optional<Fields> read_fields(Report& report, const Record& record, const RecordPlace& place, const Layout& layout);

extern const RuleList kFieldRules;

}  // namespace tracelint::toy
