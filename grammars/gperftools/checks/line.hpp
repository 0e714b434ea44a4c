// gperftools, sections 3.4 and 3.5: the kinds of lines. Every function takes time linear in the length of the line.
#pragma once

#include <optional>

#include "grammars/gperftools/records.hpp"
#include "validator/tables/bytes.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::gperftools {

// What begins where a text may begin (section 4.2, "text opening").
enum class TextOpening : uint8_t { none, mappings, locations };

// Bytes that opening_of() looks at, at most.
inline constexpr size_t kOpeningBytes = 112;

TextOpening opening_of(Bytes bytes);
// Whether the bytes are a text opening for a profile of this format version.
bool is_text_opening(Bytes bytes, uint64_t version);

// Bytes of a line that are looked at, at most: Go pprof refuses longer lines.
inline constexpr size_t kLongestLine = 65535;

// A line without its line end.
using LineText = std::string_view;

// A piece of a line.
struct Piece {
    size_t at = 0;
    size_t length = 0;
    LineText of(LineText line) const { return line.substr(at, length); }
};

// A hexadecimal number.
struct Number {
    uint64_t value = 0;
    bool fits = true;  // into 64 bits; if not, the value is 2^64 - 1
};

// A mapping line (section 3.4.3).
struct Mapping {
    bool is_cooked = false;  // START-END: PATH; a full line otherwise
    size_t blanks = 0;       // before the start address
    Number start, end;
    Piece range;             // from the first digit of start to the last digit of end
    Piece permissions;       // of a full line
    bool has_inode = false;  // a number other than 0
    Piece path;              // may be empty
    bool is_glued = false;   // no blank separates the path from the inode
};
std::optional<Mapping> mapping_in(LineText line);
// The value of a build specifier: everything after the "=", blanks included.
std::optional<Piece> build_specifier_in(LineText line);
bool is_blank(LineText line);

// How Go pprof's second pattern reads a line that is not a mapping (section 3.4.1).
struct Misreading {
    Number start, end;
    bool is_executable = false;
};
std::optional<Misreading> misreading_of(LineText line);

// A Java location line (section 3.5).
struct Location {
    Number id;
    Piece digits;  // after 0x
};
std::optional<Location> location_in(LineText line);

// gperftools, section 3.4.1: a line of the text, with what every rule needs to know about it.

struct Line {
    View<kLine> record;    // its place; the bytes may be gone
    LineText text;         // without its line end; at most the first kLongestLine bytes
    uint64_t length = 0;   // of the whole line in bytes, without its line end
    bool is_long = false;  // longer than kLongestLine: only `text` is looked at

    Place whole() const { return record.place<"text">(0, length); }
    Place place(const Piece& piece) const { return record.place<"text">(piece.at, piece.length); }
};

}  // namespace tracelint::gperftools
