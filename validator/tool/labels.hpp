// What the elements of a record's lists are called, so that a number that is an index into one of them can be
// shown with its meaning.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "validator/decode.hpp"

namespace tracelint {

class Labels {
  public:
    // `record` must outlive the labels. Takes 8 bytes for each element of a list that something is an index into.
    Labels(const Record& record, Bytes bytes, const Layout& layout);

    // The text of an element, or that of an element that it is an index into in turn; empty where there is none.
    std::string of(std::string_view list, uint64_t index) const;

  private:
    // What tells an element's label.
    struct List {
        const Field* by = nullptr;     // a string, or an index into another list
        std::vector<uint64_t> values;  // by element: where the string starts in the record, or the index
    };

    Bytes bytes_;
    std::map<std::string_view, List> lists_;
};

}  // namespace tracelint
