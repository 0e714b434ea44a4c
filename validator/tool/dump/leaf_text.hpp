// The name, value and meaning of a leaf of a record, as text.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "validator/memory/vectors.hpp"
#include "validator/readers/record_walk.hpp"
#include "validator/tables/decode.hpp"

namespace tracelint {

// What the outputs for programs show of one field at most.
inline constexpr size_t kTextShown = 4096;  // bytes of a string
inline constexpr size_t kBytesShown = 32;   // of opaque bytes

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

// "entries[12].line", as findings name fields within their record; empty for bytes that no field describes.
std::string path_of(const Leaf& leaf);
void append_element(std::string& path, const Field& list, uint64_t element);  // "entries[12]"

// Bytes of a string that value_of() shows.
inline constexpr size_t kTextOfLeaf = 160;

// Whether the leaf is text, not a number or opaque bytes.
bool is_text(const Leaf& leaf);

// Bytes of a text, without what ends it.
Bytes text_in(const Leaf& leaf, Bytes bytes);

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
    // Both must outlive the meanings.
    Meanings(const SeenRecord& record, DumpContext& context) : record_(record), context_(context) {}

    // The name of the value, the names of the flags that are set, the text or the elements that the number refers to.
    // Empty: the number means nothing but itself.
    std::string of(const Leaf& leaf);
    // Takes note of a leaf whose meaning is not asked for.
    void pass(const Leaf& leaf);

  private:
    std::string take(std::string_view list, uint64_t count);
    const Labels& labels();

    const SeenRecord& record_;
    DumpContext& context_;
    std::optional<Labels> labels_;  // made for the first leaf that is an index: they take a second reading
    std::map<std::string_view, uint64_t> taken_;  // elements claimed so far, by list
};

// A field with its bytes, for pages that show the fields around a place.
struct NamedField {
    uint64_t offset = 0;   // in the trace
    uint64_t length = 0;   // bytes; for bits, those of the integer that holds them
    std::string path;      // within the record
    std::string value;     // as people read it: a size with its unit, a time as such
    std::string meaning;   // of this value; may be empty
    std::string_view doc;  // what the field holds; may be empty
    // The more informative of the two; may be empty.
    std::string_view explanation() const { return meaning.empty() ? doc : std::string_view(meaning); }
};
NamedField named_field(const SeenRecord& record, const Leaf& leaf, Meanings& meanings);

}  // namespace tracelint
