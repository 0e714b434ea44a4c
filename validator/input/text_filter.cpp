// The traces of a text filter. A filter replaces every byte above 7F that it cannot decode, so what is left is UTF-8
// throughout; or it puts a carriage return before every line feed. Only bytes next to binary ones count: names and
// lists of mappings are text even in a sound file.
#include "validator/input/text_filter.hpp"

#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kFewestReplaced = 4;  // bytes replaced with U+FFFD, which no sound file has between binary ones
constexpr uint64_t kFewestMarks = 8;     // bytes replaced with a question mark, which may also be the number 63
constexpr uint64_t kFewestLineEnds = 4;  // line ends among binary bytes
constexpr uint8_t kReplacement[] = {0xef, 0xbf, 0xbd};  // U+FFFD in UTF-8

constexpr bool is_text(uint8_t byte) {
    return (byte >= 0x20 && byte < 0x7f) || byte == '\t' || byte == '\n' || byte == '\r';
}

// Counts the places that show a kind of damage.
class Places {
  public:
    void add(uint64_t offset, uint64_t length) {
        if (damage_.count++ > 0) return;
        damage_.first_offset = offset;
        damage_.first_length = length;
    }
    // The damage, if there are enough places.
    TextDamage at_least(uint64_t fewest, std::string_view trace) const {
        if (damage_.count < fewest) return {};
        TextDamage damage = damage_;
        damage.trace = trace;
        return damage;
    }

  private:
    TextDamage damage_;
};

// Whether the bytes are UTF-8, but for a sequence that their end cuts.
bool is_utf8(Bytes bytes) {
    const TextScan scan = scan_text(bytes);
    return scan.ill_formed == kNone || bytes.size() - scan.ill_formed == scan.ill_formed_length;
}

TextDamage replaced_with_fffd(Bytes bytes) {
    Places places;
    const std::string_view text = as_text(bytes), wanted = as_text(kReplacement);
    for (size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + wanted.size()))
        places.add(at, wanted.size());
    return places.at_least(
        kFewestReplaced,
        "EF BF BD is U+FFFD, which a decoder of UTF-8 puts in the place of a byte that it cannot decode");
}

TextDamage replaced_with_marks(Bytes bytes) {
    Places places;
    for (size_t at = 1; at + 1 < bytes.size(); ++at)
        if (bytes[at] == '?' && (!is_text(bytes[at - 1]) || !is_text(bytes[at + 1]))) places.add(at, 1);
    return places.at_least(kFewestMarks,
                           "3F is a question mark, which a converter of text puts in the place of any byte above 7F");
}

TextDamage carriage_returns(Bytes bytes) {
    Places places;
    const std::string_view text = as_text(bytes);
    for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
        if (at == 0 || text[at - 1] != '\r') return {};
        if (at > 1 && !is_text(bytes[at - 2])) places.add(at - 1, 2);
    }
    return places.at_least(kFewestLineEnds, "every 0A has a 0D before it, as the line ends of Windows have");
}

}  // namespace

TextDamage text_damage(Bytes start) {
    if (const TextDamage damage = carriage_returns(start); damage.count > 0) return damage;
    if (length_to_nul(start) == kNone || !is_utf8(start)) return {};
    if (const TextDamage damage = replaced_with_fffd(start); damage.count > 0) return damage;
    return replaced_with_marks(start);
}

}  // namespace tracelint
