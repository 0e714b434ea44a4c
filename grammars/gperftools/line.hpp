// gperftools, section 3.4.1: a line of the text, with what every rule needs to know about it.
#pragma once

#include "grammars/gperftools/line_grammar.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::gperftools {

struct Line {
    View<kLine> record;    // its place; the bytes may be gone
    LineText text;         // without its line end; at most the first kLongestLine bytes
    uint64_t length = 0;   // of the whole line in bytes, without its line end
    bool is_long = false;  // longer than kLongestLine: only `text` is looked at

    Place whole() const { return record.place<"text">(0, length); }
    Place place(const Piece& piece) const { return record.place<"text">(piece.at, piece.length); }
};

}  // namespace tracelint::gperftools
