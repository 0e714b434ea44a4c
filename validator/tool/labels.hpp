// Labels for the elements of a record's lists, so that an index into a list can be shown with its meaning.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validator/decode.hpp"
#include "validator/limits.hpp"

namespace tracelint {

class Labels {
  public:
    // `record`, `bytes` and `work` must outlive the labels. Uses 8 bytes for each element of a list that some field
    // indexes.
    Labels(const Record& record, Bytes bytes, const Layout& layout, WorkCounter& work);

    // The label of an element: the first bytes of its string, or of that of the element that it refers to; empty if it
    // has none. Looks at a bounded number of bytes, since any number of elements may refer to one long string.
    std::string of(std::string_view list, uint64_t index) const;

  private:
    // The labels of one list.
    struct List {
        const Field* by = nullptr;     // a string, or an index into another list
        std::vector<uint64_t> values;  // by element: the string's offset in the record, or the index
    };

    Bytes bytes_;
    WorkCounter& work_;
    std::map<std::string_view, List> lists_;
};

}  // namespace tracelint
