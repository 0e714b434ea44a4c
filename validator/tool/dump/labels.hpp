// Labels for the elements of a record's lists, so that an index into a list can be shown with its meaning.
#pragma once

#include <map>
#include <string>

#include "validator/memory/vectors.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint {

class Labels {
  public:
    // `record`, `bytes`, `budget` and `work` must outlive the labels. Takes 8 bytes from the budget for each element of
    // a list that some field indexes; if it does not allow for them, no element has a label.
    Labels(const Record& record, Bytes bytes, const Layout& layout, Budget& budget, WorkCounter& work);

    // Whether there was no memory for the labels.
    bool are_missing() const { return are_missing_; }

    // The label of an element: the first bytes of its string, or of that of the element that it refers to; empty if it
    // has none. Looks at a bounded number of bytes, since any number of elements may refer to one long string.
    std::string of(std::string_view list, uint64_t index) const;

  private:
    // The labels of one list.
    struct List {
        List(const Field* field, Budget& budget) : by(field), values(budget) {}
        const Field* by;                  // a string, or an index into another list; may be null
        BudgetedVector<uint64_t> values;  // by element: the string's offset in the record, or the index
    };

    Bytes bytes_;
    WorkCounter& work_;
    std::map<std::string_view, List> lists_;
    bool are_missing_ = false;
};

}  // namespace tracelint
