// What a leaf of a record is called, what it holds and what that means, as text.
#pragma once

#include "validator/readers/record_walk.hpp"
#include "validator/tool/dump/labels.hpp"

namespace tracelint {

// "entries[12].line", as findings name fields within their record; empty for bytes that no field describes.
std::string path_of(const Leaf& leaf);

// The value for people: "42", "4096 = 0x1000", "\"name\"", "<12 bytes>", "3 elements". `bytes`: those of the leaf; none
// for a list.
std::string value_of(const Leaf& leaf, Bytes bytes);

// Whether the number is below zero when it is read as the field says.
bool is_negative(const Leaf& leaf);

// Whether the elements of a list are shown in one line each: they consist of numbers and strings.
bool fits_a_line(const Record& element);

// The meanings of one record's leaves. It is to see every leaf of the record in order: what an element takes from
// another list depends on the elements before it.
class Meanings {
  public:
    Meanings(const SeenRecord& record, DumpContext& context);

    // The name of the value, the names of the flags that are set, the text or the elements that the number refers to.
    // Empty: the number means nothing but itself.
    std::string of(const Leaf& leaf);
    // Takes note of a leaf whose meaning is not asked for.
    void pass(const Leaf& leaf);

  private:
    std::string take(std::string_view list, uint64_t count);

    Labels labels_;
    std::map<std::string_view, uint64_t> taken_;  // elements claimed so far, by list
};

// A field with its bytes, for whoever shows the fields around a place.
struct NamedField {
    uint64_t offset = 0;  // in the trace
    uint64_t length = 0;  // bytes; for bits, those of the integer that holds them
    std::string path;     // within the record
    std::string value;
    std::string meaning;   // of this value; may be empty
    std::string_view doc;  // what the field holds; may be empty
    // The more telling of the two; may be empty.
    std::string_view explanation() const { return meaning.empty() ? doc : std::string_view(meaning); }
};
NamedField named_field(const SeenRecord& record, const Leaf& leaf, Meanings& meanings);

}  // namespace tracelint
