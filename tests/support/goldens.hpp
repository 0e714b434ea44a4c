// The hand-typed base files as goldens: their records, taken apart by tables of the caller's choice, and
// what their authors say that the fields hold.
#pragma once

#include <deque>
#include <memory>
#include <set>

#include "tests/support/corpus.hpp"
#include "validator/tables/decode.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {

// A copy of all records of a format and of the elements of their lists, which a test may change.
class Tables {
  public:
    explicit Tables(const Format& format) {
        for (const Record* record : records_of(format)) copy(record);
    }
    Tables(const Tables& other) : originals_(other.originals_), copies_(other.copies_) { point_to_copies(); }

    // In the order of the format, elements before the records that list them.
    const std::vector<const Record*>& originals() const { return originals_; }
    Record& at(size_t which) { return copies_[which]; }
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
        copies_.push_back(*record);
        point_to_copies();
    }

    void point_to_copies() {
        for (size_t i = 0; i < copies_.size(); ++i)
            for (size_t f = 0; f < originals_[i]->count; ++f)
                if (originals_[i]->slots[f].element != nullptr)
                    copies_[i].slots[f].element = of(originals_[i]->slots[f].element);
    }

    std::vector<const Record*> originals_;
    std::deque<Record> copies_;
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

inline Values asserted(const Golden& golden) {
    Values values;
    for (const Assertion& assertion : golden.file.assertions) values.push_back(assertion.field + "=" + assertion.value);
    return values;
}

inline Values decoded(const Golden& golden, const Tables& tables, bool with_lengths) {
    Values values;
    for (const Golden::Part& part : golden.parts) {
        const Bytes bytes = golden.bytes_of(part);
        const auto visit = [&](const Leaf& leaf) {
            if (leaf.kind == Leaf::Kind::list) return;
            const bool pads_list = leaf.field != nullptr && leaf.field->type == Type::list;  // of a size of its own
            if (leaf.kind == Leaf::Kind::raw) return pads_list ? void() : values.push_back("?");
            const bool opaque = leaf.field->type == Type::bytes;
            if (opaque && !with_lengths) return;
            const std::string value = opaque ? text_of(leaf.length)
                                      : leaf.field->type == Type::string
                                          ? text_of(as_text(bytes.subspan(leaf.offset, leaf.length - 1)))
                                      : leaf.field->type == Type::string16
                                          ? text_of(utf8_of_utf16(bytes.subspan(leaf.offset, leaf.length - 2)))
                                          : text_of(leaf.number);
            values.push_back(std::string(leaf.field->name) + "=" + value);
        };
        if (part.record == nullptr || !decode(*tables.of(part.record), bytes, part.layout, true, visit).complete)
            values.push_back("?");
    }
    return values;
}

inline std::vector<Golden> goldens_of(const Format& format, Errors& errors,
                                      const CorpusFolder& corpus = tested_corpus()) {
    std::vector<Golden> goldens;
    const Tables tables(format);
    for (const auto& path : corpus.files(format, "base", ".hex")) {
        Golden golden;
        golden.path = corpus.shown(path);
        golden.file = read_hex(read_file(path).value_or(""), golden.path, errors);
        const std::unique_ptr<Framer> framer = format.framer({});
        for (uint64_t at = 0; at < golden.file.bytes.size();) {
            const Bytes rest = as_bytes(golden.file.bytes).subspan(at);
            const Framer::Frame frame = framer->next_of_all(rest);
            const bool known = frame.record != nullptr && frame.length > 0;
            const uint64_t length = known ? std::min<uint64_t>(frame.length, rest.size()) : rest.size();
            golden.parts.push_back({known ? frame.record : nullptr, framer->layout(), at, length});
            at += length;
        }
        golden.shows_lengths = decoded(golden, tables, true) == asserted(golden);
        goldens.push_back(std::move(golden));
    }
    return goldens;
}

// Whether the tables read the file as its author did.
inline bool agrees(const Golden& golden, const Tables& tables) {
    return decoded(golden, tables, golden.shows_lengths) == asserted(golden);
}

}  // namespace tracelint
