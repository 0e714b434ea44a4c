// A field as findings name it: "records[7].entries[2].line" is "entries[2].line" of a record with a number.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "validator/readers/record_walk.hpp"

namespace tracelint {

// Without the number of its record. "entries[2]" is a whole element, "entries" all elements, "entries.line" the field
// of each; "header.magic" is also the magic of a record called header that has no number.
class FieldName {
  public:
    FieldName() = default;
    explicit FieldName(std::string name) : name_(std::move(name)) {}

    bool is_given() const { return !name_.empty(); }
    const std::string& text() const { return name_; }
    // Whether records of this kind have the field, or may have it.
    bool may_be_in(const FramedRecord& record) const;
    // Whether the leaf is the field, or a part of it.
    bool matches(const FramedRecord& record, const Leaf& leaf) const;

  private:
    // The name within the record.
    std::string_view within(const FramedRecord& record) const;

    std::string name_;
};

}  // namespace tracelint
