// The record tables as a pattern for ImHex.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/catalogue/description_parts.hpp"
#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

// Words of the pattern language, and names of this pattern, that a field cannot have.
constexpr auto kReserved = std::to_array<std::string_view>({
    "_",         "addressof", "any",    "as",    "auto",     "be",         "bitfield",   "bool",    "break",  "builtin",
    "catch",     "char",      "char16", "const", "continue", "double",     "else",       "enum",    "false",  "float",
    "fn",        "for",       "from",   "if",    "import",   "in",         "inf",        "is",      "le",     "match",
    "namespace", "nan",       "null",   "out",   "padding",  "parent",     "record_end", "ref",     "return", "s128",
    "s16",       "s24",       "s32",    "s48",   "s64",      "s8",         "s96",        "signed",  "sizeof", "std",
    "str",       "struct",    "this",   "true",  "try",      "typenameof", "u128",       "u16",     "u24",    "u32",
    "u48",       "u64",       "u8",     "u96",   "union",    "unsigned",   "using",      "version", "while",  "Word",
});

using TypeNames = std::map<const Record*, std::string>;

// "jit_code_load" -> "JitCodeLoad". Types and fields cannot have the same name then.
std::string type_name(const std::string& id) {
    std::string name;
    bool is_start = true;
    for (const char c : id) {
        if (c != '_') name += is_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        is_start = c == '_';
    }
    return name;
}

std::string version_condition(uint16_t first, uint16_t last) {
    std::vector<std::string> parts;
    if (first != 0) parts.push_back(fmt::format("version >= {}", first));
    if (last != kEveryVersion) parts.push_back(fmt::format("version <= {}", last));
    return joined(parts, " && ");
}

// "0 is plain; 1 is nested", for fields whose names cannot be an enum.
std::string names_note(const Field& field) {
    std::vector<std::string> parts;
    for (const NamedValue& named : field.names)
        parts.push_back(fmt::format("{} is {}", number_text(named.value), named.name));
    return joined(parts, "; ");
}

// The fields of one record as members of a struct, with the enums and bit fields that it uses.
class StructText {
  public:
    StructText(const Record& record, const TypeNames& types, Ids& type_ids, bool ends_list)
        : record_(record), types_(types), type_ids_(type_ids), ends_list_(ends_list) {
        for (const Field& field : record.fields()) {
            const auto same = names_.find(field.name);
            ids_.push_back(same != names_.end() ? same->second : unique_.unique(plain_id(field.name)));
            names_.emplace(field.name, ids_.back());
        }
    }

    std::string text() {
        for (size_t i = 0; i < record_.fields().size(); ++i) add(i);
        if (has_size_ && !fills_record_) add_guarded({"record_end > $"}, {"u8 undescribed[record_end - $];"});
        if (ends_list_) add_guarded({ids_[0] + " == 0"}, {"break;"});
        std::string text = fmt::format("\n// {}{}{}\n", record_.name, record_.doc.empty() ? "" : ": ", record_.doc);
        return text + types_text_ + fmt::format("struct {} {{\n{}}};\n", types_.at(&record_), members_);
    }

    static std::string number_type(const Field& field) {
        switch (field.type) {
            case Type::number: return fmt::format("u{}", 8 * field.width);
            case Type::signed_number: return fmt::format("s{}", 8 * field.width);
            case Type::word: return "Word";
            case Type::uleb128: return "type::uLEB128";
            default: return "type::sLEB128";
        }
    }

  private:
    using Levels = std::vector<std::string>;  // conditions, each of which needs the ones before it to hold
    using Lines = std::vector<std::string>;

    const Field& field(size_t i) const { return record_.fields()[i]; }

    // How other fields refer to the number of this one.
    std::string value_of(size_t i) const {
        return field(i).type == Type::bits ? holders_.at(i) + '.' + ids_[i] : ids_[i];
    }

    std::vector<size_t> fields_named(std::string_view name) const {
        std::vector<size_t> found;
        for (size_t i = 0; i < record_.fields().size(); ++i)
            if (field(i).name == name) found.push_back(i);
        return found;
    }
    // Fields of one name are never there at once, so that all of them may have one id.
    std::string value_named(std::string_view name) const { return value_of(fields_named(name).at(0)); }

    static void append(Levels& levels, const Levels& more) {
        for (const std::string& level : more)
            if (std::ranges::find(levels, level) == levels.end()) levels.push_back(level);
    }

    // When a field of the name is there.
    Levels levels_of(std::string_view name) const {
        const std::vector<size_t> variants = fields_named(name);
        if (variants.size() == 1) return levels_of(variants[0]);
        std::vector<std::string> ways;
        for (const size_t variant : variants) {
            const Levels levels = levels_of(variant);
            if (levels.empty()) return {};
            ways.push_back('(' + joined(levels, " && ") + ')');
        }
        return {joined(ways, " || ")};
    }

    // When the field is there. The language evaluates both sides of "&&", so that what names a field that may be absent
    // is a level of its own.
    Levels levels_of(size_t i) const {
        Levels levels;
        if (std::string versions = version_condition(field(i).first_version, field(i).last_version); !versions.empty())
            levels.push_back(std::move(versions));
        for (const std::string_view needed :
             {field(i).condition.field, field(i).counter, field(i).sizer, field(i).filled})
            if (!needed.empty()) append(levels, levels_of(needed));
        if (field(i).is_optional()) append(levels, {has_value(field(i).condition)});
        return levels;
    }

    std::string has_value(const Condition& condition) const {
        const size_t decider = fields_named(condition.field).at(0);
        std::vector<std::string> cases;
        for (uint8_t i = 0; i < condition.count; ++i) {
            const std::string number = decimal_text(field(decider), condition.values[i]);
            cases.push_back(fmt::format("{} {} {}", value_of(decider), condition.negated ? "!=" : "==", number));
        }
        return joined(cases, condition.negated ? " && " : " || ");
    }

    void add_guarded(const Levels& levels, const Lines& lines) {
        std::string indentation(4, ' ');
        for (const std::string& level : levels) {
            members_ += fmt::format("{}if ({}) {{\n", indentation, level);
            indentation += "    ";
        }
        for (const std::string& line : lines) members_ += indentation + line + '\n';
        for (size_t i = levels.size(); i > 0; --i) members_ += std::string(4 * i, ' ') + "}\n";
    }

    // A member. `shape`: "" or "[16]". What the language cannot say of the field is in its attributes.
    std::string member(size_t i, const std::string& type, const std::string& shape) const {
        return fmt::format("{} {}{}{};", type, ids_[i], shape, attributes_of(i));
    }

    std::string attributes_of(size_t i) const {
        std::vector<std::string> attributes, notes;
        if (ids_[i] != field(i).name) attributes.push_back(fmt::format("name({})", json_string(field(i).name)));
        for (const std::string& note : {note_of(field(i)), is_plain(field(i)) ? names_note(field(i)) : std::string()})
            if (!note.empty()) notes.push_back(note);
        if (field(i).is_mirrored) notes.emplace_back("in big-endian files, the bits are in reverse order");
        if (!notes.empty()) attributes.push_back(fmt::format("comment({})", json_string(joined(notes, "; "))));
        return attributes.empty() ? "" : fmt::format(" [[{}]]", joined(attributes, ", "));
    }

    // Whether the field has names that are not those of an enum, nor of flags, which the note has.
    static bool is_plain(const Field& field) {
        return !field.names.empty() && !is_enum(field) && std::ranges::none_of(field.checks, [](const Check& check) {
            return check.must == Check::Must::be_within_mask;
        });
    }
    static bool is_enum(const Field& field) { return has_enum(field) && field.type != Type::word; }

    void add(size_t i) {
        const Field& one = field(i);
        if (one.type == Type::bits) return add_bits(i);
        if (one.type == Type::list) return add_list(i);
        if (one.type == Type::bytes) return add_bytes(i);
        Lines lines{one.type == Type::string     ? member(i, "char", "[]")
                    : one.type == Type::string16 ? member(i, "le char16", "[]")
                                                 : member(i, is_enum(one) ? enum_of(i) : number_type(one), "")};
        if (one.is_record_size) {
            lines.push_back(fmt::format("u64 record_end = addressof(this) + {};", ids_[i]));
            has_size_ = true;
        }
        if (std::ranges::find(record_.fields(), one.name, &Field::filled) != record_.fields().end())
            lines.push_back(fmt::format("u64 {}_end = $ + {};", ids_[i], ids_[i]));
        add_guarded(levels_of(i), lines);
    }

    void add_bytes(size_t i) {
        const Field& one = field(i);
        const std::string type = one.is_text ? "char" : "u8";
        Levels levels = levels_of(i);
        std::string size;
        if (one.width != 0) {
            size = std::to_string(one.width);
        } else if (!one.sizer.empty()) {
            size = value_named(one.sizer);
            levels.push_back(size + " > 0");
        } else {
            std::string end = one.filled.empty() ? "record_end" : value_named(one.filled) + "_end";
            fills_record_ |= one.filled.empty();
            const bool has_end = has_size_ || !one.filled.empty();
            levels.push_back(has_end ? end + " > $" : "!std::mem::eof()");
            size = has_end ? end + " - $" : "while(!std::mem::eof())";
        }
        add_guarded(levels, {member(i, type, '[' + size + ']')});
    }

    void add_list(size_t i) {
        const Field& list = field(i);
        Levels levels = levels_of(i);
        const std::string& element = types_.at(list.element);
        std::string end = "record_end";
        if (!list.sizer.empty()) {
            end = unique_.unique(ids_[i] + "_end");
            add_guarded(levels, {fmt::format("u64 {} = $ + {};", end, value_named(list.sizer))});
        }
        const bool has_end = has_size_ || !list.sizer.empty();
        std::string size;
        Levels own = levels;
        if (!list.counter.empty()) {
            size = value_named(list.counter);
            own.push_back(size + " > 0");
        } else if (has_end && !list.ends_with_zero) {
            size = fmt::format("while($ < {})", end);
            fills_record_ |= list.sizer.empty();
        } else {
            size = "while(!std::mem::eof())";
        }
        add_guarded(own, {member(i, element, '[' + size + ']')});
        if (list.sizer.empty() || list.counter.empty()) return;
        levels.push_back(end + " > $");
        add_guarded(levels, {fmt::format("u8 {}[{} - $];", unique_.unique(ids_[i] + "_rest"), end)});
    }

    // Bit fields begin at the least significant bit of a little-endian number and at the most significant one of a
    // big-endian one: in the tables and in the language.
    void add_bits(size_t i) {
        const Field& one = field(i);
        if (one.bit_offset == 0) {
            holder_ = unique_.unique("bits");
            bits_text_.clear();
        }
        holders_[i] = holder_;
        bits_text_ += fmt::format("    {}{} : {}{};\n", has_enum(one) ? enum_of(i) + ' ' : "", ids_[i], one.bit_width,
                                  attributes_of(i));
        if (!ends_its_number(one)) return;
        const unsigned used = one.bit_offset + one.bit_width, total = 8u * one.width;
        if (used < total) bits_text_ += fmt::format("    padding : {};\n", total - used);
        const std::string type = type_ids_.unique(types_.at(&record_) + type_name(holder_));
        types_text_ += fmt::format("bitfield {} {{\n{}}};\n", type, bits_text_);
        add_guarded(levels_of(i), {fmt::format("{} {};", type, holder_)});
    }

    std::string enum_of(size_t i) {
        const Field& one = field(i);
        const std::string type = type_ids_.unique(types_.at(&record_) + type_name(ids_[i]));
        types_text_ += fmt::format("enum {} : {}{} {{\n", type, one.type == Type::signed_number ? 's' : 'u',
                                   one.type == Type::bits ? 64 : 8 * one.width);
        Ids names(kReserved);
        for (const NamedValue& named : one.names)
            types_text_ += fmt::format("    {} = {},\n", names.unique(plain_id(named.name)), named.value);
        types_text_ += "};\n";
        return type;
    }

    const Record& record_;
    const TypeNames& types_;
    Ids& type_ids_;
    const bool ends_list_;  // whether the list of which this is an element ends with one whose first number is 0
    Ids unique_{kReserved};
    std::map<std::string_view, std::string> names_;
    std::vector<std::string> ids_;  // of the fields
    std::map<size_t, std::string> holders_;
    std::string holder_, bits_text_;  // the current bit fields
    bool has_size_ = false, fills_record_ = false;
    std::string types_text_, members_;
};

// Every record, after those that are elements of its lists.
struct Order {
    Order() {
        for (const char* const own : {"AnyRecord", "WholeFile"}) ids.unique(own);
    }

    Ids ids{kReserved};
    TypeNames types;
    std::vector<const Record*> records;
    std::vector<const Record*> ending;  // elements whose first number ends a list if it is 0

    void collect(const Record& record) {
        if (!types.emplace(&record, "").second) return;
        for (const Field& field : record.fields()) {
            if (field.element == nullptr) continue;
            collect(*field.element);
            if (field.ends_with_zero) ending.push_back(field.element);
        }
        types[&record] = ids.unique(type_name(plain_id(record.name)));
        records.push_back(&record);
    }
};

// What a format that has a sequence is as a whole.
std::string file_structs(const Sequence& sequence, const TypeNames& types) {
    std::string text =
        fmt::format("\nstruct AnyRecord {{\n    {} kind @ $ [[hidden]];\n", StructText::number_type(*sequence.kind));
    if (sequence.size != nullptr)
        text += fmt::format("    {} size @ $ + {} [[hidden]];\n", StructText::number_type(*sequence.size),
                            sequence.size_at);
    std::string start = "    if";
    for (const Sequence::Case& one : sequence.cases) {
        std::vector<std::string> kinds;
        for (const uint64_t kind : one.kinds) kinds.push_back(fmt::format("kind == {}", kind));
        std::string is_one = joined(kinds, " || ");
        if (sequence.size != nullptr) is_one = fmt::format("({}) && size >= {}", is_one, minimum_size(*one.record));
        text += fmt::format("{} ({}) {{\n        {} record;\n    }}", start, is_one, types.at(one.record));
        start = " else if";
    }
    text +=
        fmt::format(" else {{\n        {} record;\n    }}\n}};\n\nstruct WholeFile {{\n", types.at(sequence.fallback));
    if (sequence.header != nullptr) text += fmt::format("    {} header;\n", types.at(sequence.header));
    return text + "    AnyRecord records[while(!std::mem::eof())];\n};\n\nWholeFile file @ 0x00;\n";
}

// The newest layout that the tables know.
unsigned newest_version(const std::vector<const Record*>& records) {
    unsigned newest = 0;
    for (const Record* record : records) {
        newest = std::max<unsigned>(newest, record->first_version);
        for (const Field& field : record->fields()) newest = std::max<unsigned>(newest, field.first_version);
    }
    return newest;
}

}  // namespace

void write_imhex(const Format& format, Sink& sink) {
    const std::optional<Sequence> sequence = sequence_of(format);
    Order order;
    for (const Record* record : records_of(format)) order.collect(*record);
    std::string structs;
    for (const Record* record : order.records) {
        const bool ends_list = std::ranges::find(order.ending, record) != order.ending.end();
        structs += StructText(*record, order.types, order.ids, ends_list).text();
    }
    if (sequence) structs += file_structs(*sequence, order.types);
    std::string head = fmt::format("#pragma description {}\n", format.title);
    if (format.both_byte_orders) head += "// \"big\" for a big-endian file.\n";
    head += "#pragma endian little\n\n";
    if (structs.find("std::mem::") != structs.npos) head += "#include <std/mem.pat>\n";
    if (structs.find("type::") != structs.npos) head += "#include <type/leb128.pat>\n";
    head += "\n// A struct for each record";
    head += sequence.has_value() ? ", and the whole file at the end.\n"
                                 : ". Which record comes where is not part of it: `tracelint dump` lists name and "
                                   "offset\n// of each. To show one, place it there:  NameOfRecord record @ 0x40;\n";
    head +=
        "// What a format demands of values is in the comments of the fields, with the rule that `tracelint explain` "
        "describes.\n";
    if (structs.find("version ") != structs.npos)
        head += fmt::format("\n// Of the layout; a format may count it in its own way.\nu16 version = {};\n",
                            newest_version(order.records));
    if (structs.find("Word ") != structs.npos)
        head += "\n// u32 for files whose words have 4 bytes.\nusing Word = u64;\n";
    sink.write(head + structs);
}

}  // namespace tracelint
