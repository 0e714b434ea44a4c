// gperftools, section 5.3: a line of the text with what every rule needs of it.
#pragma once

#include "grammars/gperftools/lines.hpp"
#include "grammars/gperftools/records.hpp"
#include "validator/view.hpp"

namespace tracelint::gperftools {

struct Line {
    View<kLine> record;    // its place; the bytes may be gone
    LineText text;         // without its line end, kLongestLine bytes of it at most
    uint64_t length = 0;   // without its line end
    bool is_long = false;  // not all of it is looked into

    Place whole() const { return record.place<"text">(0, length); }
    Place place(const Piece& piece) const { return record.place<"text">(piece.at, piece.length); }
};

}  // namespace tracelint::gperftools
