// gperftools, sections 3.4 and 3.5: the grammar of lines.
#include "grammars/gperftools/checks/line.hpp"

#include <algorithm>

#include "grammars/gperftools/records.hpp"

namespace tracelint::gperftools {
namespace {

constexpr size_t kOpeningBlanks = 64, kOpeningDigits = 16;

constexpr bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

constexpr bool is_decimal(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank_or_tab(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_go_space(char c) { return is_blank_or_tab(c) || c == '\r' || c == '\f'; }
constexpr bool is_permission(char c) { return c == '-' || c == 'r' || c == 'w' || c == 'x' || c == 'p'; }

constexpr unsigned value_of(char digit) {
    return static_cast<unsigned>(is_decimal(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
}

Number number_of(std::string_view digits) {
    Number number;
    for (const char digit : digits) {
        if (number.value >> 60 != 0) return {kNone, false};
        number.value = number.value << 4 | value_of(digit);
    }
    return number;
}

// Reads a line from its start.
class Cursor {
  public:
    explicit Cursor(LineText text, size_t at = 0) : text_(text), at_(at) {}

    size_t at() const { return at_; }
    bool at_end() const { return at_ == text_.size(); }
    char next() const { return at_end() ? '\0' : text_[at_]; }
    std::string_view rest() const { return text_.substr(at_); }

    // Steps over at most `most` characters that `belongs(character)` accepts. Returns how many.
    template <class Belongs>
    size_t skip(Belongs belongs, size_t most = ~size_t{0}) {
        const size_t from = at_;
        while (at_ < text_.size() && at_ - from < most && belongs(text_[at_])) ++at_;
        return at_ - from;
    }
    size_t skip(char wanted, size_t most = ~size_t{0}) {
        return skip([=](char c) { return c == wanted; }, most);
    }
    // The same, as a piece.
    template <class Belongs>
    Piece piece(Belongs belongs, size_t most = ~size_t{0}) {
        const size_t from = at_;
        return {from, skip(belongs, most)};
    }
    Piece to_end() {
        const size_t from = at_;
        at_ = text_.size();
        return {from, at_ - from};
    }
    // Steps over `wanted` if it is next.
    bool take(std::string_view wanted) {
        if (!rest().starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

  private:
    LineText text_;
    size_t at_;
};

// The fields of a full mapping line after its range: permissions, offset, device, inode, path.
bool read_fields(Cursor& cursor, Mapping& mapping) {
    constexpr size_t kPermissions = 4, kHexDigits = 16, kInodeDigits = 20;
    if (cursor.skip(' ') == 0) return false;
    mapping.permissions = cursor.piece([](char c) { return c != ' '; });
    if (mapping.permissions.length != kPermissions) return false;
    cursor.skip(' ');
    if (cursor.skip(is_hex, kHexDigits) == 0 || cursor.skip(' ') == 0) return false;
    if (cursor.skip(is_hex, kHexDigits) == 0 || !cursor.take(":")) return false;
    if (cursor.skip(is_hex, kHexDigits) == 0 || cursor.skip(' ') == 0) return false;
    const size_t zeros = cursor.skip('0', kInodeDigits), digits = cursor.skip(is_decimal, kInodeDigits - zeros);
    if (zeros + digits == 0 || is_decimal(cursor.next())) return false;
    mapping.has_inode = digits != 0;
    mapping.is_glued = cursor.skip(' ') == 0 && !cursor.at_end();
    mapping.path = cursor.to_end();
    return true;
}

bool opens_mappings(std::string_view text) {
    Cursor cursor(text);
    cursor.skip(' ', kOpeningBlanks);
    if (cursor.take("build=")) return true;
    if (cursor.skip(is_hex, kOpeningDigits) == 0 || !cursor.take("-")) return false;
    return cursor.skip(is_hex, kOpeningDigits) != 0 && (cursor.take(" ") || cursor.take(":"));
}

bool opens_locations(std::string_view text) {
    Cursor cursor(text);
    cursor.take("\n");
    cursor.skip(' ', kOpeningBlanks);
    return cursor.take("0x") && is_hex(cursor.next());
}

}  // namespace

TextOpening opening_of(Bytes bytes) {
    const std::string_view text = as_text(bytes);
    if (opens_mappings(text)) return TextOpening::mappings;
    return opens_locations(text) ? TextOpening::locations : TextOpening::none;
}

bool is_text_opening(Bytes bytes, uint64_t version) {
    const TextOpening opened = opening_of(bytes);
    if (version == kNativeVersion) return opened == TextOpening::mappings;
    if (version == kJavaVersion) return opened == TextOpening::locations;
    return opened != TextOpening::none;
}

std::optional<Mapping> mapping_in(LineText line) {
    Mapping mapping;
    Cursor cursor(line);
    mapping.blanks = cursor.skip(' ');
    const Piece start = cursor.piece(is_hex);
    if (start.length == 0 || !cursor.take("-")) return std::nullopt;
    const Piece end = cursor.piece(is_hex);
    if (end.length == 0) return std::nullopt;
    mapping.start = number_of(start.of(line));
    mapping.end = number_of(end.of(line));
    mapping.range = {start.at, cursor.at() - start.at};
    mapping.is_cooked = cursor.take(":");
    if (!mapping.is_cooked) return read_fields(cursor, mapping) ? std::optional(mapping) : std::nullopt;
    cursor.skip(' ');
    mapping.path = cursor.to_end();
    return mapping;
}

std::optional<Piece> build_specifier_in(LineText line) {
    Cursor cursor(line);
    cursor.skip(' ');
    return cursor.take("build=") ? std::optional(cursor.to_end()) : std::nullopt;
}

bool is_blank(LineText line) { return line.find_first_not_of(' ') == LineText::npos; }

// The pattern is W* (0x)? H+ [W-]? W* (0x)? H+ :? (W+ [-rwxp]+)? with W = SP TAB CR FF. Each part is greedy. The only
// backtracking that can turn a failure into a match gives back the last digit of the first number.
std::optional<Misreading> misreading_of(LineText line) {
    const auto read_hex = [&](Cursor& cursor) {
        Cursor digits = cursor;
        digits.take("0x");
        // Without digits after it, "0x" is the digit 0 followed by something else.
        if (is_hex(digits.next())) cursor = digits;
        return cursor.piece(is_hex);
    };
    Cursor cursor(line);
    cursor.skip(is_go_space);
    Piece start = read_hex(cursor);
    if (start.length == 0) return std::nullopt;
    Cursor rest = cursor;
    rest.take("-");
    rest.skip(is_go_space);
    Piece end = read_hex(rest);
    if (end.length == 0) {
        if (--start.length == 0) return std::nullopt;
        rest = Cursor(line, start.at + start.length);
        end = read_hex(rest);
    }
    Misreading misreading{number_of(start.of(line)), number_of(end.of(line))};
    rest.take(":");
    const bool has_gap = rest.skip(is_go_space) != 0;
    const Piece permissions = has_gap ? rest.piece(is_permission) : Piece{};
    misreading.is_executable = permissions.length == 0 || permissions.of(line).find('x') != LineText::npos;
    return misreading;
}

std::optional<Location> location_in(LineText line) {
    Location location;
    Cursor cursor(line);
    cursor.skip(is_blank_or_tab);
    if (!cursor.take("0x")) return std::nullopt;
    location.digits = cursor.piece(is_hex);
    if (location.digits.length == 0 || cursor.skip(is_blank_or_tab) == 0 || cursor.at_end()) return std::nullopt;
    location.id = number_of(location.digits.of(line));
    return location;
}

}  // namespace tracelint::gperftools
