// The description layer: a format's records and fields as constexpr tables, in the order and terms of its
// specification.
//
// A layout is written once. A Record is a list of Fields; a Field has a name, a Type, the versions that have it,
// perhaps a condition or a count that an earlier field gives, and the Checks of its values with the rules that they
// break. Code never adds offsets: View (view.hpp) turns a field's name into a constant offset at compile time, and
// decode() (decode.hpp) interprets any table at run time.
//
// Everything else is a loop over the tables: dump, encoder, generator, mutator, fuzz dictionary and reference. So a
// field that is described wrongly is wrong everywhere at once, and hand-typed files of the corpus notice it. The
// consteval checks below reject tables that cannot be meant: two fields of one name, gaps between bit fields, counts
// without a field.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>

#include "validator/tables/bytes.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {

struct Record;

enum class Type : uint8_t {
    number,         // unsigned, `width` bytes in the file's byte order
    signed_number,  // the same, in two's complement
    word,           // unsigned, as wide as the file's word (4 or 8 bytes)
    bits,           // `bit_width` bits of an integer of `width` bytes
    uleb128,        // unsigned LEB128
    sleb128,        // signed LEB128
    string,         // bytes up to and including a NUL
    string16,       // units of UTF-16, the least significant byte first, up to and including a zero
    bytes,          // opaque; of a fixed `width`, `sized_by`, or the rest of the record
    list,           // elements of one record type; `counted_by`, `sized_by`, `to_zero`, or the rest of the record
};

// What a number measures, which decides how people read it.
enum class Quantity : uint8_t {
    plain,    // a count, an id, or anything that is best read as the number it is
    address,  // or an offset
    size,     // bytes
    time,     // a moment: ns on a clock of the traced system
    ticks,    // a moment on a clock of another rate
    nanoseconds,
    microseconds,
    date_ms,  // a moment: ms since 1970, UTC
    date_ns,
};
constexpr bool is_moment(Quantity quantity) { return quantity == Quantity::time || quantity == Quantity::ticks; }

// A constraint on the values of a field. One without a rule only guides the generator.
struct Check {
    enum class Must : uint8_t { nothing, equal, differ, be_at_most, be_at_least, be_within_mask, be_known };
    Must must = Must::nothing;
    uint64_t value = 0;
    const Rule* rule = nullptr;
};

// A value with a name in the specification.
struct NamedValue {
    uint64_t value;
    std::string_view name;
};

inline constexpr uint16_t kEveryVersion = 0xffff;

// What relative numbers are relative to: Layout::bases[number], and its name in the specification.
struct Base {
    uint8_t number;
    std::string_view name;
};

// The condition of an optional field: an earlier field of the same record is present and has one of the values or, if
// negated, none of them.
struct Condition {
    std::string_view field;  // empty: none
    std::array<uint64_t, 4> values{};
    uint8_t count = 0;
    bool negated = false;

    constexpr bool holds_for(uint64_t number) const {
        const auto end = values.begin() + count;
        return (std::find(values.begin(), end, number) != end) != negated;
    }
};

struct Field {
    std::string_view name;
    Type type = Type::number;
    uint8_t width = 0;       // bytes: of the number, of the integer that holds the bits, or of opaque bytes
    uint8_t bit_offset = 0;  // from the least significant bit in little-endian files, from the most in big-endian ones
    uint8_t bit_width = 0;
    uint8_t base = 0;  // the LEB128 number is relative to Layout::bases[base]; 0: absolute
    // Its bits are in reverse order in big-endian files, as those of a C struct are: bit n of both means the same.
    bool is_mirrored = false;
    std::string_view base_name;
    uint8_t shift = 0;            // the number is stored shifted right by this many bits
    bool is_running = false;      // the next number with the same base is relative to this one
    bool is_record_size = false;  // holds the size of the whole record in bytes
    bool nests = false;           // holds the depth of its element in a tree stored in pre-order
    bool holds_numbers = false;   // opaque bytes whose meaning depends on the byte order
    bool is_text = false;         // bytes that are text of UTF-8
    bool is_streamed = false;     // a part of a stream of records, which may end in the part of a later record
    bool ends_with_zero = false;  // the list ends after the first element whose first number is 0
    Quantity quantity = Quantity::plain;
    uint16_t first_version = 0;
    uint16_t last_version = kEveryVersion;
    Condition condition{};
    std::string_view counter;  // the field that holds the number of elements
    std::string_view sizer;    // the field that holds the number of bytes
    std::string_view filled;   // the field that holds the number of bytes from behind it to the end of this one
    std::string_view indexed;  // the list of the outermost record that the number is an index into
    // The number is a count of elements of this list of the outermost record: those after the ones that earlier
    // elements claimed.
    std::string_view taken;
    const Record* element = nullptr;
    std::array<Check, 3> checks{};
    std::span<const NamedValue> names{};
    std::string_view doc;

  private:
    template <class Change>
    constexpr Field with(Change change) const {
        Field copy = *this;
        change(copy);
        return copy;
    }
    constexpr Field must(Check::Must demand, uint64_t value, const Rule* rule) const {
        return with([=](Field& f) {
            for (Check& check : f.checks) {
                if (check.must != Check::Must::nothing) continue;
                check = {demand, value, rule};
                return;
            }
            throw "a field holds three checks at most";
        });
    }
    static constexpr Condition one_of(std::string_view field, std::initializer_list<uint64_t> values, bool negated) {
        Condition condition;
        if (values.size() > condition.values.size()) throw "a condition names too many values";
        condition.field = field;
        condition.negated = negated;
        for (const uint64_t value : values) condition.values[condition.count++] = value;
        return condition;
    }

  public:
    constexpr Field since(uint16_t version) const {
        return with([=](Field& f) { f.first_version = version; });
    }
    constexpr Field until(uint16_t version) const {
        return with([=](Field& f) { f.last_version = version; });
    }
    constexpr Field only_if(std::string_view field, uint64_t value) const { return only_if(field, {value}); }
    constexpr Field only_if(std::string_view field, std::initializer_list<uint64_t> values) const {
        return with([=](Field& f) { f.condition = one_of(field, values, false); });
    }
    constexpr Field unless(std::string_view field, uint64_t value) const { return unless(field, {value}); }
    constexpr Field unless(std::string_view field, std::initializer_list<uint64_t> values) const {
        return with([=](Field& f) { f.condition = one_of(field, values, true); });
    }
    constexpr Field says(std::string_view text) const {
        return with([=](Field& f) { f.doc = text; });
    }
    constexpr Field holds(Quantity what) const {
        return with([=](Field& f) { f.quantity = what; });
    }
    constexpr Field counted_by(std::string_view field) const {
        return with([=](Field& f) { f.counter = field; });
    }
    constexpr Field sized_by(std::string_view field) const {
        return with([=](Field& f) { f.sizer = field; });
    }
    constexpr Field fills(std::string_view field) const {
        return with([=](Field& f) { f.filled = field; });
    }
    constexpr Field as_text() const {
        return with([](Field& f) { f.is_text = true; });
    }
    constexpr Field index_of(std::string_view list) const {
        return with([=](Field& f) { f.indexed = list; });
    }
    constexpr Field takes_from(std::string_view list) const {
        return with([=](Field& f) { f.taken = list; });
    }
    constexpr Field is_depth() const {
        return with([](Field& f) { f.nests = true; });
    }
    constexpr Field with_numbers() const {
        return with([](Field& f) { f.holds_numbers = true; });
    }
    constexpr Field streamed() const {
        return with([](Field& f) { f.is_streamed = true; });
    }
    constexpr Field to_zero() const {
        return with([](Field& f) { f.ends_with_zero = true; });
    }
    constexpr Field record_size() const {
        return with([](Field& f) { f.is_record_size = true; });
    }
    constexpr Field relative_to(const Base& from, uint8_t right_shift = 0) const {
        return with([=](Field& f) {
            f.base = from.number;
            f.base_name = from.name;
            f.shift = right_shift;
        });
    }
    constexpr Field mirrored() const {
        return with([](Field& f) { f.is_mirrored = true; });
    }
    constexpr Field running() const {
        return with([](Field& f) { f.is_running = true; });
    }
    constexpr Field equals(uint64_t value, const Rule* rule = nullptr) const {
        return must(Check::Must::equal, value, rule);
    }
    constexpr Field differs_from(uint64_t value, const Rule* rule = nullptr) const {
        return must(Check::Must::differ, value, rule);
    }
    constexpr Field at_most(uint64_t value, const Rule* rule = nullptr) const {
        return must(Check::Must::be_at_most, value, rule);
    }
    constexpr Field at_least(uint64_t value, const Rule* rule = nullptr) const {
        return must(Check::Must::be_at_least, value, rule);
    }
    constexpr Field only_bits(uint64_t mask, const Rule* rule = nullptr) const {
        return must(Check::Must::be_within_mask, mask, rule);
    }
    constexpr Field named(std::span<const NamedValue> values) const {
        return with([=](Field& f) { f.names = values; });
    }
    constexpr Field known(std::span<const NamedValue> values, const Rule* rule = nullptr) const {
        return named(values).must(Check::Must::be_known, 0, rule);
    }

    constexpr bool exists_in(uint16_t version) const { return first_version <= version && version <= last_version; }
    constexpr bool is_optional() const { return !condition.field.empty(); }
    constexpr bool is_fixed() const {
        return type == Type::number || type == Type::signed_number || type == Type::word || type == Type::bits;
    }
    constexpr bool is_string() const { return type == Type::string || type == Type::string16; }
    constexpr bool is_leb() const { return type == Type::uleb128 || type == Type::sleb128; }
    // Whether it occupies the same number of bytes in every record of one layout.
    constexpr bool has_fixed_width() const {
        return !is_optional() && (is_fixed() || (type == Type::bytes && width != 0));
    }
};

// Whether `value` obeys the check.
constexpr bool obeys(const Field& field, const Check& check, uint64_t value) {
    switch (check.must) {
        case Check::Must::nothing: return true;
        case Check::Must::equal: return value == check.value;
        case Check::Must::differ: return value != check.value;
        case Check::Must::be_at_most: return value <= check.value;
        case Check::Must::be_at_least: return value >= check.value;
        case Check::Must::be_within_mask: return (value & ~check.value) == 0;
        case Check::Must::be_known:
            return std::any_of(field.names.begin(), field.names.end(),
                               [=](const NamedValue& n) { return n.value == value; });
    }
    return true;
}

// Constructors for the tables. Numbers are unsigned unless the name begins with i.
constexpr Field number(std::string_view name, uint8_t width, Type type = Type::number) {
    Field field;
    field.name = name;
    field.type = type;
    field.width = width;
    return field;
}
constexpr Field u8(std::string_view name) { return number(name, 1); }
constexpr Field u16(std::string_view name) { return number(name, 2); }
constexpr Field u32(std::string_view name) { return number(name, 4); }
constexpr Field u64(std::string_view name) { return number(name, 8); }
constexpr Field i32(std::string_view name) { return number(name, 4, Type::signed_number); }
constexpr Field i64(std::string_view name) { return number(name, 8, Type::signed_number); }
constexpr Field word(std::string_view name) { return number(name, 0, Type::word); }
constexpr Field uleb128(std::string_view name) { return number(name, 0, Type::uleb128); }
constexpr Field sleb128(std::string_view name) { return number(name, 0, Type::sleb128); }
constexpr Field string(std::string_view name) { return number(name, 0, Type::string); }
constexpr Field string16(std::string_view name) { return number(name, 0, Type::string16); }
constexpr Field bytes(std::string_view name, uint8_t width = 0) { return number(name, width, Type::bytes); }
constexpr Field list(std::string_view name, const Record& element) {
    Field field = number(name, 0, Type::list);
    field.element = &element;
    return field;
}
// Bit fields follow each other from the least significant bit of a little-endian integer of `width` bytes.
constexpr Field bits(std::string_view name, uint8_t width, uint8_t bit_offset, uint8_t bit_width) {
    Field field = number(name, width, Type::bits);
    field.bit_offset = bit_offset;
    field.bit_width = bit_width;
    return field;
}

inline constexpr size_t kMaxFields = 24;

template <size_t kCapacity>
struct RecordOf;

// A record of any number of fields. Tables are RecordOf<N>, which has room for its own fields and no more: hundreds of
// them hold pointers, and their pages are written when a process starts.
struct Record {
    std::string_view name;  // as in the specification
    std::string_view doc;
    uint64_t tag = kNone;   // the value of the kind field that identifies it; kNone: identified by position
    bool numbered = true;   // counted as records[n] in field paths; a header is not
    bool fallback = false;  // describes records that no other table of the format fits
    uint16_t first_version = 0;
    uint16_t last_version = kEveryVersion;

    constexpr virtual std::span<const Field> fields() const = 0;
    constexpr const Field* find(std::string_view field) const {
        for (const Field& own : fields())
            if (own.name == field) return &own;
        return nullptr;
    }
    constexpr bool exists_in(uint16_t version) const { return first_version <= version && version <= last_version; }

    // A copy that fields may be added to.
    template <size_t kMost>
    constexpr RecordOf<kMost> with_room_for() const;

  protected:
    constexpr Record() = default;
    constexpr Record(const Record&) = default;
    constexpr Record& operator=(const Record&) = default;
    constexpr ~Record() = default;
};

template <size_t kCapacity>
struct RecordOf final : Record {
    std::array<Field, kCapacity> slots{};
    size_t count = 0;  // of the slots that are fields

    constexpr std::span<const Field> fields() const override { return {slots.data(), count}; }
    constexpr void add(const Field& field) {
        if (count == kCapacity) throw "too many fields";
        slots[count++] = field;
    }
    constexpr RecordOf not_numbered() const {
        RecordOf copy = *this;
        copy.numbered = false;
        return copy;
    }
    constexpr RecordOf as_fallback() const {
        RecordOf copy = *this;
        copy.fallback = true;
        return copy;
    }
    constexpr RecordOf versions(uint16_t first, uint16_t last = kEveryVersion) const {
        RecordOf copy = *this;
        copy.first_version = first;
        copy.last_version = last;
        return copy;
    }
};

template <size_t kMost>
constexpr RecordOf<kMost> Record::with_room_for() const {
    RecordOf<kMost> copy;
    static_cast<Record&>(copy) = *this;
    for (const Field& field : fields()) copy.add(field);
    return copy;
}

using RecordList = std::initializer_list<const Record*>;

// `condition ? first : second`, of records whose numbers of fields may differ.
constexpr const Record& either(bool condition, const Record& first, const Record& second) {
    return condition ? first : second;
}

// Builds a record. An inconsistent one is a compile error.
template <size_t kCount>
consteval RecordOf<kCount> record(std::string_view name, uint64_t tag, std::string_view doc,
                                  const Field (&fields)[kCount]) {
    static_assert(kCount <= kMaxFields, "too many fields: raise kMaxFields");
    RecordOf<kCount> made;
    made.name = name;
    made.tag = tag;
    made.doc = doc;
    unsigned open_bits = 0;  // bits of the current integer that are described so far
    for (const Field& field : fields) {
        for (const Field& before : made.fields())
            if (before.name == field.name && before.first_version <= field.last_version &&
                field.first_version <= before.last_version)
                throw "two fields of one version have the same name";
        if (field.type == Type::bits) {
            if (field.bit_offset != open_bits) throw "bit fields must follow each other without a gap";
            open_bits += field.bit_width;
            if (open_bits > 8u * field.width) throw "bit fields exceed their number";
            if (open_bits == 8u * field.width) open_bits = 0;
        } else if (open_bits != 0) {
            throw "bit fields end before their number does";
        }
        if (field.is_optional() && made.find(field.condition.field) == nullptr) throw "only_if names no earlier field";
        if (!field.counter.empty() && made.find(field.counter) == nullptr) throw "counted_by names no earlier field";
        if (!field.sizer.empty() && made.find(field.sizer) == nullptr) throw "sized_by names no earlier field";
        if (!field.filled.empty() && made.find(field.filled) == nullptr) throw "fills names no earlier field";
        made.add(field);
    }
    if (open_bits != 0) throw "the record does not end on a byte boundary";
    for (const Field& list : made.fields()) {
        if (list.element == nullptr) continue;
        for (const Field& inner : list.element->fields())
            for (const std::string_view other : {inner.indexed, inner.taken})
                if (!other.empty() && made.find(other) == nullptr)
                    throw "index_of or takes_from names no list of the record";
    }
    return made;
}
inline constexpr uint64_t kNoTag = kNone;

// What a file's header decides about the layout of the records after it.
struct Layout {
    ByteOrder order = ByteOrder::little;
    uint8_t word_size = 8;  // bytes: 4 or 8
    uint16_t version = 0;
    std::array<uint64_t, 4> bases{};  // for relative values; [0] stays 0
};

// The value of a LEB128 number stored as `written`. Relative values are as wide as the file's word.
constexpr uint64_t resolved(const Field& field, const Layout& layout, uint64_t written) {
    const uint64_t value = (written + layout.bases[field.base]) << field.shift;
    return field.base != 0 && layout.word_size == 4 ? value & 0xffffffff : value;
}

constexpr unsigned width_of(const Field& field, const Layout& layout) {
    return field.type == Type::word ? layout.word_size : field.width;
}

// Whether the field is the last one in its integer; true for fields that are not bits.
constexpr bool ends_its_number(const Field& field) {
    return field.type != Type::bits || field.bit_offset + field.bit_width == 8 * field.width;
}

// Offset of `field` in bytes, if only fields of fixed width precede it; else kNone.
constexpr uint64_t fixed_offset(const Record& record, std::string_view field, const Layout& layout) {
    uint64_t offset = 0;
    for (const Field& f : record.fields()) {
        if (!f.exists_in(layout.version)) continue;
        if (f.name == field) return offset;
        if (!f.has_fixed_width()) return kNone;
        if (ends_its_number(f)) offset += width_of(f, layout);
    }
    return kNone;
}

// Size in bytes of the leading fields of fixed width.
constexpr uint64_t fixed_size(const Record& record, const Layout& layout = {}) {
    uint64_t size = 0;
    for (const Field& f : record.fields()) {
        if (!f.exists_in(layout.version)) continue;
        if (!f.has_fixed_width()) break;
        if (ends_its_number(f)) size += width_of(f, layout);
    }
    return size;
}

// The minimum size of a whole record in bytes.
constexpr uint64_t minimum_size(const Record& record, const Layout& layout = {}) {
    uint64_t size = 0;
    for (const Field& f : record.fields()) {
        if (!f.exists_in(layout.version) || f.is_optional()) continue;
        if (ends_its_number(f)) size += width_of(f, layout);
        if (f.type == Type::string || f.is_leb()) size += 1;
        if (f.type == Type::string16) size += 2;
    }
    return size;
}

// The lowest `width` bits in reverse order.
constexpr uint64_t mirrored(uint64_t bits, unsigned width) {
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < width; ++bit) reversed |= (bits >> bit & 1) << (width - 1 - bit);
    return reversed;
}

// The value of a field of fixed width whose integer starts at `from`.
inline uint64_t read_fixed(const Field& field, const Layout& layout, const uint8_t* from) {
    const unsigned width = width_of(field, layout);
    const uint64_t whole = load(from, width, layout.order);
    if (field.type == Type::signed_number) return static_cast<uint64_t>(sign_extended(whole, width));
    if (field.type != Type::bits) return whole;
    const unsigned total = 8 * width;
    const unsigned shift =
        layout.order == ByteOrder::little ? field.bit_offset : total - field.bit_offset - field.bit_width;
    const uint64_t value = (whole >> shift) & ((uint64_t{1} << field.bit_width) - 1);
    return field.is_mirrored && layout.order == ByteOrder::big ? mirrored(value, field.bit_width) : value;
}

// A string as a template argument.
template <size_t N>
struct FixedName {
    char text[N];
    consteval FixedName(const char (&name)[N]) { std::copy_n(name, N, text); }
    constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace tracelint
