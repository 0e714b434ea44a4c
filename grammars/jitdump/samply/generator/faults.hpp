// Faults to plant in samply's records of a generated file, and what they share. Each changes one thing, in a place
// where it breaks no other rule.
#pragma once

#include "grammars/jitdump/generator/faults.hpp"
#include "grammars/jitdump/samply/generator/model.hpp"
#include "grammars/jitdump/samply/records.hpp"

namespace tracelint::samply::faults {

using jitdump::faults::next_load;

// An element of a list in one of the file's records.
struct Entry {
    size_t record = 0;
    uint64_t element = 0;
};

// Access to the lists of a record by name. Elements are numbers or strings.
uint64_t count_of(const RecordValues& record, std::string_view list);
uint64_t get(const RecordValues& record, std::string_view list, uint64_t element, std::string_view field);
void set(RecordValues& record, std::string_view list, uint64_t element, std::string_view field, uint64_t number);
const std::string& text_of(const RecordValues& record, std::string_view list, uint64_t element);
void set_text(RecordValues& record, std::string_view list, uint64_t element, std::string text);
// These do not change counts and sizes; see update_sizes().
void insert_row(RecordValues& record, std::string_view list, uint64_t before, const std::vector<uint64_t>& numbers);
void erase_row(RecordValues& record, std::string_view list, uint64_t element);
std::vector<uint64_t> row_of(const RecordValues& record, std::string_view list, uint64_t element);

// The offset of a list, or of a field of an element, in its record, in bytes.
uint64_t offset_of(const RecordValues& record, std::string_view list);
uint64_t offset_of(const RecordValues& record, std::string_view list, uint64_t element, std::string_view field);
// The finding is at a field of an element. A `length` of 0 means that of a u32.
Planted at_entry(const FileRecords& file, const Entry& entry, std::string_view list, std::string_view field,
                 uint64_t length = 0);

// The size of the first `count` strings of a list, in bytes.
uint64_t size_of_strings(const RecordValues& record, std::string_view list, uint64_t count);
// The bytes between the last string of a list and the end of the list.
std::string padding_of(const RecordValues& tree, std::string_view list);
void set_padding(RecordValues& tree, std::string_view list, const std::string& bytes);
// Pads the list with zeros to a multiple of four bytes.
void align(RecordValues& tree, std::string_view list);

// Whether a neighbouring entry has the same code_offset. Both are identical then, and must stay so.
bool shares_offset(const RecordValues& record, std::string_view list, uint64_t element);
// code_size of the LOAD that the record belongs to.
uint64_t code_size_of(const FileRecords& file, size_t record);
// A number from `least` to `most`, which is one of the two half of the time.
uint64_t near_edge(Random& random, uint64_t least, uint64_t most);

// An element of the list, in any record of the kind, for which `fits(entry)` holds.
template <class Fits>
std::optional<Entry> choose_entry(const FileRecords& file, Random& random, const Record& record, std::string_view list,
                                  Fits fits) {
    std::vector<Entry> entries;
    for (size_t i = 0; i < file.size(); ++i) {
        if (file[i].record != &record) continue;
        for (uint64_t element = 0; element < count_of(file[i], list); ++element)
            if (fits(Entry{i, element})) entries.push_back({i, element});
    }
    if (entries.empty()) return std::nullopt;
    return pick_of(random, entries);
}

// Sets an index of some element to a number outside the indexed list.
struct IndexField {
    const Record& record;
    std::string_view list, field, indexed;
    uint64_t most = 0xffffffff;  // the largest number that is out of range
};
std::optional<Planted> index_out_of_range(FileRecords& file, Random& random, const IndexField& index);

}  // namespace tracelint::samply::faults
