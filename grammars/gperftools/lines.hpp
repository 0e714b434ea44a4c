// gperftools, sections 3.4 and 3.5: what kinds of lines there are. Every function takes time that is linear in the
// line.
#pragma once

#include <optional>

#include "validator/bytes.hpp"

namespace tracelint::gperftools {

// What stands where a text may begin: few bytes tell (section 4, "text opening").
enum class Opened : uint8_t { nothing, mappings, locations };

// Bytes that opening_of() may look at.
inline constexpr size_t kOpeningBytes = 112;

// Whether the bytes look like the beginning of a list of mapped objects or of Java locations.
Opened opening_of(Bytes bytes);
// Whether they look like the beginning of the text of a profile with this format version.
bool is_text_opening(Bytes bytes, uint64_t version);

// Bytes of a line that are looked into at most: Go pprof refuses longer lines.
inline constexpr size_t kLongestLine = 65535;

// A line without its line end.
using LineText = std::string_view;

// A piece of a line.
struct Piece {
    size_t at = 0;
    size_t length = 0;
    LineText of(LineText line) const { return line.substr(at, length); }
};

// A number as its digits say.
struct Number {
    uint64_t value = 0;
    bool fits = true;  // into 64 bits; the value is the largest one otherwise
};

// A mapping line.
struct Mapping {
    bool is_cooked = false;  // START-END: PATH; full otherwise
    size_t blanks = 0;       // before the start address
    Number start, end;
    Piece range;        // from the first digit of start to the last one of end
    Piece permissions;  // of a full one
    Piece path;         // may be empty
    bool is_glued = false;
};
std::optional<Mapping> mapping_in(LineText line);
// The value of a build specifier: what follows its sign, blanks included.
std::optional<Piece> build_specifier_in(LineText line);
bool is_blank(LineText line);

// What Go pprof's second pattern makes of a line that is no mapping.
struct Misreading {
    Number start, end;
    bool is_executable = false;
};
std::optional<Misreading> misreading_of(LineText line);

// A Java location line.
struct Location {
    Number id;
    Piece digits;  // behind 0x
};
std::optional<Location> location_in(LineText line);

}  // namespace tracelint::gperftools
