// The hand-typed base files as goldens: their records, taken apart by tables of the caller's choice, and
// what their authors say that the fields hold.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "tests/support/corpus.hpp"

namespace tracelint {

using ChangeableRecord = RecordOf<kMaxFields>;

// A copy of all records of a format and of the elements of their lists, which a test may change.
class Tables {
  public:
    explicit Tables(const Format& format) {
        for (const Record* record : records_of(format)) copy(record);
    }
    Tables(const Tables& other) : originals_(other.originals_), copies_(other.copies_) { point_to_copies(); }

    // In the order of the format, elements before the records that list them.
    const std::vector<const Record*>& originals() const { return originals_; }
    ChangeableRecord& at(size_t which) { return copies_[which]; }
    const Record* of(const Record* original) const {
        for (size_t i = 0; i < originals_.size(); ++i)
            if (originals_[i] == original) return &copies_[i];
        return original;
    }

  private:
    void copy(const Record* record) {
        if (of(record) != record) return;
        for (const Field& field : record->fields())
            if (field.element != nullptr) copy(field.element);
        originals_.push_back(record);
        copies_.push_back(record->with_room_for<kMaxFields>());
        point_to_copies();
    }

    void point_to_copies() {
        for (size_t i = 0; i < copies_.size(); ++i)
            for (size_t f = 0; f < originals_[i]->fields().size(); ++f)
                if (originals_[i]->fields()[f].element != nullptr)
                    copies_[i].slots[f].element = of(originals_[i]->fields()[f].element);
    }

    std::vector<const Record*> originals_;
    std::deque<ChangeableRecord> copies_;
};

// "name=value" of every number and string of a file, in file order; of opaque bytes their length, where
// the author tells it. Bytes that no field explains show as "?".
using Values = std::vector<std::string>;

struct Golden {
    struct Part {
        const Record* record;  // of the format; null: the framer recognises nothing here
        Layout layout;
        uint64_t offset;
        uint64_t length;
    };
    std::string path;
    HexFile file;
    std::vector<Part> parts;
    bool shows_lengths = false;  // of opaque bytes

    Bytes bytes_of(const Part& part) const { return as_bytes(file.bytes).subspan(part.offset, part.length); }
};

// What the author says, and what the tables give. `with_lengths`: of opaque bytes, too.
Values asserted(const Golden& golden);
Values decoded(const Golden& golden, const Tables& tables, bool with_lengths);

std::vector<Golden> goldens_of(const Format& format, Errors& errors, const CorpusFolder& corpus = tested_corpus());

// Whether the tables read the file as its author did.
bool agrees(const Golden& golden, const Tables& tables);

}  // namespace tracelint
