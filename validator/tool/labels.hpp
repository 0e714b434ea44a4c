// Labels for the elements of a record's lists, so that an index into a list can be shown with its meaning.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validator/decode.hpp"

namespace tracelint {

class Labels {
  public:
    // `record` and `bytes` must outlive the labels. Uses 8 bytes for each element of a list that some field indexes.
    Labels(const Record& record, Bytes bytes, const Layout& layout);

    // The label of an element: its string, or that of the element that it refers to; empty if it has none.
    std::string of(std::string_view list, uint64_t index) const;

  private:
    // The labels of one list.
    struct List {
        const Field* by = nullptr;     // a string, or an index into another list
        std::vector<uint64_t> values;  // by element: the string's offset in the record, or the index
    };

    Bytes bytes_;
    std::map<std::string_view, List> lists_;
};

}  // namespace tracelint
