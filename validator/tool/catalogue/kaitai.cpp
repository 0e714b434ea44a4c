// The record tables as a specification for Kaitai Struct.
#include "validator/tool/catalogue/description.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "validator/tool/catalogue/description_parts.hpp"
#include "validator/tool/json/json_text.hpp"

namespace tracelint {
namespace {

constexpr unsigned kMostLebBytes = 10;
constexpr unsigned kWholeFile = 65535;  // the number of the case

// Words that cannot be names in the languages that Kaitai compiles to.
constexpr auto kWordsOfLanguages = std::to_array<std::string_view>({
    "abstract", "and",        "as",       "assert", "async",   "await",     "boolean",  "break",     "byte",
    "case",     "catch",      "char",     "class",  "const",   "continue",  "def",      "default",   "del",
    "do",       "double",     "elif",     "else",   "end",     "enum",      "except",   "extends",   "false",
    "final",    "finally",    "float",    "for",    "from",    "func",      "function", "global",    "goto",
    "if",       "implements", "import",   "in",     "int",     "interface", "is",       "lambda",    "length",
    "long",     "match",      "mod",      "native", "new",     "nil",       "none",     "nonlocal",  "not",
    "null",     "object",     "operator", "or",     "package", "pass",      "private",  "protected", "public",
    "raise",    "return",     "root",     "self",   "short",   "static",    "struct",   "super",     "switch",
    "template", "then",       "this",     "throw",  "throws",  "true",      "try",      "type",      "union",
    "unless",   "unsigned",   "until",    "use",    "var",     "virtual",   "void",     "volatile",  "while",
    "with",     "yield",
});

std::string version_condition(const Field& field) {
    std::vector<std::string> parts;
    if (field.first_version != 0) parts.push_back(fmt::format("_root.version >= {}", field.first_version));
    if (field.last_version != kEveryVersion) parts.push_back(fmt::format("_root.version <= {}", field.last_version));
    return joined(parts, " and ");
}

// The fields of one record as attributes and instances.
class RecordType {
  public:
    using TypeIds = std::map<const Record*, std::string>;

    RecordType(const Record& record, const TypeIds& types) : record_(record), types_(types) {
        for (const Field& field : record.fields()) ids_.push_back(unique_.unique(plain_id(field.name)));
    }

    std::string text(const std::string& id) {
        for (size_t i = 0; i < record_.fields().size(); ++i) add(i);
        std::string text = fmt::format("  {}:\n    -orig-id: {}\n", id, json_string(record_.name));
        if (!record_.doc.empty()) text += fmt::format("    doc: {}\n", json_string(record_.doc));
        text += "    seq:" + (attributes_.empty() ? " []\n" : '\n' + attributes_);
        if (!instances_.empty()) text += "    instances:\n" + instances_;
        if (!enums_.empty()) text += "    enums:\n" + enums_;
        return text + areas_;
    }

  private:
    const Field& field(size_t i) const { return record_.fields()[i]; }

    // How other fields refer to the number of this one.
    std::string value_of(size_t i) const { return ids_[i] + (field(i).is_leb() ? ".value" : ""); }

    // Calls `visit` for each field of the name: there is one for each range of versions.
    template <class Visit>
    void for_each_named(std::string_view name, Visit visit) const {
        for (size_t i = 0; i < record_.fields().size(); ++i)
            if (field(i).name == name) visit(i);
    }

    // Empty: it is always there.
    std::string condition_of(size_t i) const {
        std::vector<std::string> parts;
        if (std::string versions = version_condition(field(i)); !versions.empty()) parts.push_back(versions);
        if (field(i).is_optional()) {
            std::vector<std::string> ways;
            for_each_named(field(i).condition.field, [&](size_t decider) {
                const std::string there = condition_of(decider);
                ways.push_back('(' + (there.empty() ? "" : '(' + there + ") and ") +
                               has_value(decider, field(i).condition) + ')');
            });
            parts.push_back('(' + joined(ways, " or ") + ')');
        }
        return joined(parts, " and ");
    }

    std::string has_value(size_t decider, const Condition& condition) const {
        std::vector<std::string> cases;
        for (uint8_t i = 0; i < condition.count; ++i) {
            const std::string number = decimal_text(field(decider), condition.values[i]);
            cases.push_back(fmt::format("{} {} {}", value_of(decider), condition.negated ? "!=" : "==", number));
        }
        return '(' + joined(cases, condition.negated ? " and " : " or ") + ')';
    }

    // A field that is absent counts as 0.
    std::string number_named(std::string_view name) const {
        std::string open, close;
        std::string otherwise = "0";
        for_each_named(name, [&](size_t i) {
            if (const std::string there = condition_of(i); there.empty()) {
                otherwise = value_of(i);
            } else {
                open += fmt::format("({} ? {} : ", there, value_of(i));
                close += ')';
            }
        });
        return open + otherwise + close;
    }

    // The bytes that the fields between the one of this name and field `end` take.
    std::string bytes_between(std::string_view name, size_t end) const {
        size_t start = 0;
        for_each_named(name, [&](size_t i) { start = i; });
        std::string sum = "0";
        for (size_t i = start + 1; i < end; ++i) {
            std::string size;
            if (field(i).is_leb())
                size = ids_[i] + ".groups.size";
            else if (field(i).type == Type::bytes && !field(i).sizer.empty())
                size = number_named(field(i).sizer);
            else if (ends_its_number(field(i)))
                size = std::to_string(field(i).width);
            else
                continue;
            const std::string there = condition_of(i);
            sum += there.empty() ? " + " + size : fmt::format(" + ({} ? {} : 0)", there, size);
        }
        return sum;
    }

    void add(size_t i) {
        const Field& one = field(i);
        if (one.type == Type::bits) return add_bits(i);
        Attribute attribute(ids_[i], one.name);
        add_type(attribute, i);
        if (const std::string there = condition_of(i); !there.empty()) attribute.add("if", json_string(there));
        attribute.add_doc(note_of(one));
        attributes_ += attribute.text();
        if (has_enum(one)) add_enum(i);
    }

    // One member of a sequence of YAML.
    class Attribute {
      public:
        Attribute(const std::string& id, std::string_view name) {
            text_ = fmt::format("      - id: {}\n", id);
            if (id != name) add("-orig-id", json_string(name));
        }
        void add(std::string_view key, const std::string& value) {
            text_ += fmt::format("        {}: {}\n", key, value);
        }
        void add_doc(const std::string& doc) {
            if (!doc.empty()) add("doc", json_string(doc));
        }
        const std::string& text() const { return text_; }

      private:
        std::string text_;
    };

    void add_type(Attribute& attribute, size_t i) {
        const Field& one = field(i);
        switch (one.type) {
            case Type::number: return attribute.add("type", "u" + std::to_string(one.width));
            case Type::signed_number: return attribute.add("type", "s" + std::to_string(one.width));
            case Type::word: return attribute.add("type", "{switch-on: _root.word_size, cases: {4: u4, 8: u8}}");
            case Type::uleb128: return attribute.add("type", "uleb128");
            case Type::sleb128: return attribute.add("type", "sleb128");
            case Type::string: return attribute.add("terminator", "0");
            case Type::string16:
                attribute.add("type", "u2le");
                attribute.add("repeat", "until");
                return attribute.add("repeat-until", "_ == 0");
            case Type::list: return add_list(attribute, i);
            default: return add_size(attribute, i);
        }
    }

    void add_size(Attribute& attribute, size_t i) {
        const Field& one = field(i);
        if (one.width != 0)
            attribute.add("size", std::to_string(one.width));
        else if (!one.sizer.empty())
            attribute.add("size", json_string(number_named(one.sizer)));
        else if (!one.filled.empty())
            attribute.add("size", json_string(number_named(one.filled) + " - (" + bytes_between(one.filled, i) + ')'));
        else
            attribute.add("size-eos", "true");
    }

    // Sets how often the elements are repeated. `count` is empty if no field holds their number.
    static void add_repeat(Attribute& attribute, const Field& list, const std::string& count) {
        if (list.ends_with_zero) {
            const Field& first = list.element->fields()[0];
            const std::string zero = fmt::format("_.{}{} == 0", plain_id(first.name), first.is_leb() ? ".value" : "");
            attribute.add("repeat", "until");
            attribute.add("repeat-until", json_string(count.empty() ? zero : zero + " or _index == " + count + " - 1"));
        } else if (count.empty()) {
            attribute.add("repeat", "eos");
        } else {
            attribute.add("repeat", "expr");
            attribute.add("repeat-expr", json_string(count));
        }
    }

    void add_list(Attribute& attribute, size_t i) {
        const Field& list = field(i);
        const std::string& element = types_.at(list.element);
        const std::string count = list.counter.empty() ? "" : number_named(list.counter);
        if (list.sizer.empty()) {
            attribute.add("type", element);
            return add_repeat(attribute, list, count);
        }
        // Its bytes are a stream of their own.
        const std::string area = types_.at(&record_) + "_" + ids_[i];
        attribute.add("type", json_string(count.empty() ? area : fmt::format("{}({})", area, count)));
        add_size(attribute, i);
        Attribute items("items", "items");
        items.add("type", element);
        add_repeat(items, list, count.empty() ? "" : "count");
        areas_ += fmt::format("  {}:\n    doc: \"the bytes of {}\"\n", area, list.name);
        if (!count.empty()) areas_ += "    params:\n      - id: count\n        type: u8\n";
        areas_ += "    seq:\n" + items.text();
        if (!count.empty()) areas_ += "      - id: rest\n        size-eos: true\n";
    }

    // Bit fields are taken from the number that holds them, since its byte order is known only when it is read.
    void add_bits(size_t i) {
        const Field& one = field(i);
        const unsigned total = 8u * one.width;
        if (one.bit_offset == 0) {
            Attribute attribute(holder_ = unique_.unique(ids_[i] + "_bits"), "");
            attribute.add("type", "u" + std::to_string(one.width));
            if (const std::string there = condition_of(i); !there.empty()) attribute.add("if", json_string(there));
            attributes_ += attribute.text();
        }
        std::string value =
            fmt::format("(_root.is_big_endian ? {0} >> {1} : {0} >> {2}) & {3}", holder_,
                        total - one.bit_offset - one.bit_width, one.bit_offset, (uint64_t{1} << one.bit_width) - 1);
        if (one.is_mirrored && one.bit_width > 1) {
            std::vector<std::string> mirrored;
            for (unsigned bit = 0; bit < one.bit_width; ++bit)
                mirrored.push_back(fmt::format("({} >> {} & 1) << {}", holder_, total - 1 - one.bit_offset - bit, bit));
            value = fmt::format("_root.is_big_endian ? {} : {} >> {} & {}", joined(mirrored, " | "), holder_,
                                one.bit_offset, (uint64_t{1} << one.bit_width) - 1);
        }
        add_instance(ids_[i], one.name, value, condition_of(i), note_of(one));
        if (has_enum(one)) add_enum(i);
    }

    void add_instance(const std::string& id, std::string_view name, const std::string& value, const std::string& there,
                      const std::string& doc, const std::string& of_enum = {}) {
        instances_ += fmt::format("      {}:\n", id);
        if (id != name && !name.empty()) instances_ += fmt::format("        -orig-id: {}\n", json_string(name));
        instances_ += fmt::format("        value: {}\n", json_string(value));
        if (!of_enum.empty()) instances_ += fmt::format("        enum: {}\n", of_enum);
        if (!there.empty()) instances_ += fmt::format("        if: {}\n", json_string(there));
        if (!doc.empty()) instances_ += fmt::format("        doc: {}\n", json_string(doc));
    }

    // The name of the value is an instance: the number itself may be any.
    void add_enum(size_t i) {
        const std::string id = ids_[i] + "_values";
        enums_ += fmt::format("      {}:\n", id);
        Ids names(kWordsOfLanguages);
        std::set<uint64_t> values;
        for (const NamedValue& named : field(i).names)
            if (values.insert(named.value).second)
                enums_ += fmt::format("        {}: {{id: {}, -orig-id: {}}}\n", named.value,
                                      names.unique(plain_id(named.name)), json_string(named.name));
        add_instance(unique_.unique(ids_[i] + "_name"), "", ids_[i], condition_of(i), "", id);
    }

    const Record& record_;
    const TypeIds& types_;
    Ids unique_{kWordsOfLanguages};
    std::vector<std::string> ids_;  // of the fields
    std::string holder_;            // of the current bit fields
    std::string attributes_, instances_, enums_, areas_;
};

// LEB128 numbers, which the language does not know.
std::string leb_type(std::string_view id, bool is_signed) {
    std::vector<std::string> terms;
    for (unsigned i = 0; i < kMostLebBytes; ++i)
        terms.push_back(i == 0 ? "(groups[0] & 127)"
                               : fmt::format("(groups.size > {0} ? (groups[{0}] & 127) << {1} : 0)", i, 7 * i));
    const std::string sum = joined(terms, " + ");
    std::string text = fmt::format(
        "  {}:\n    doc: \"{} LEB128, of at most {} bytes\"\n    seq:\n      - id: groups\n        type: u1\n"
        "        repeat: until\n        repeat-until: \"_ < 128 or _index == {}\"\n    instances:\n",
        id, is_signed ? "signed" : "unsigned", kMostLebBytes, kMostLebBytes - 1);
    if (!is_signed) return text + fmt::format("      value:\n        value: \"{}\"\n", sum);
    return text + fmt::format(
                      "      written:\n        value: \"{}\"\n"
                      "      value:\n        value: \"(groups.last & 64) == 0 ? written : written - (1 << (7 * "
                      "groups.size))\"\n",
                      sum);
}

// The root of a format that has a sequence: the whole file.
std::string file_types(const Sequence& sequence, const RecordType::TypeIds& types) {
    std::string text = "  whole_file:\n    seq:\n";
    const std::string kind = sequence.kind->is_leb() ? "kind.value" : "kind",
                      size = sequence.size != nullptr ? "size" : "";
    if (sequence.header != nullptr)
        text += fmt::format("      - id: header\n        type: {}\n", types.at(sequence.header));
    text +=
        "      - id: records\n        type: any_record\n        repeat: eos\n  any_record:\n    seq:\n      - id: "
        "record\n";
    if (!size.empty()) text += "        size: size\n";
    std::string cases, too_small;
    for (const Sequence::Case& one : sequence.cases)
        for (const uint64_t value : one.kinds) {
            cases += fmt::format("            {}: {}\n", value, types.at(one.record));
            if (size.empty()) continue;
            const uint64_t least = minimum_size(*one.record);
            if (least > minimum_size(*sequence.fallback))
                too_small +=
                    fmt::format("{}({} == {} and size < {})", too_small.empty() ? "" : " or ", kind, value, least);
        }
    const std::string chosen = too_small.empty() ? kind : fmt::format("({}) ? -1 : {}", too_small, kind);
    text += fmt::format("        type:\n          switch-on: {}\n          cases:\n{}            _: {}\n",
                        json_string(chosen), cases, types.at(sequence.fallback));
    text += fmt::format("    instances:\n      start: {{value: _io.pos}}\n      kind: {{pos: start, type: {}}}\n",
                        sequence.kind->is_leb() ? "uleb128" : fmt::format("u{}", sequence.kind->width));
    if (!size.empty())
        text += fmt::format("      size: {{pos: start + {}, type: u{}}}\n", sequence.size_at, sequence.size->width);
    return text;
}

void collect(const Record& record, Ids& ids, RecordType::TypeIds& types, std::vector<const Record*>& order) {
    if (!types.emplace(&record, "").second) return;
    types[&record] = ids.unique(plain_id(record.name));
    order.push_back(&record);
    for (const Field& field : record.fields())
        if (field.element != nullptr) collect(*field.element, ids, types, order);
}

}  // namespace

void write_kaitai(const Format& format, Sink& sink) {
    Ids ids(kWordsOfLanguages);
    RecordType::TypeIds types;
    std::vector<const Record*> order;
    for (const char* const own : {"uleb128", "sleb128", "whole_file", "any_record"}) ids.unique(own);
    const std::vector<const Record*> records = records_of(format);
    const std::optional<Sequence> sequence = sequence_of(format);
    for (const Record* record : records) collect(*record, ids, types, order);
    std::string text = fmt::format(
        "meta:\n  id: tracelint_{}\n  title: {}\n  endian:\n    switch-on: is_big_endian\n"
        "    cases:\n      true: be\n      false: le\n",
        plain_id(format.id), json_string(format.title));
    text +=
        "doc: |\n"
        "  A type for each record. Give a record its bytes as a stream of their own, since some fields extend to its "
        "end.\n";
    text += sequence.has_value()
                ? fmt::format(
                      "  The record type {} is the whole file. Records that the format tells apart by more than their "
                      "kind are read as\n  those of their kind.\n",
                      kWholeFile)
                : "  Which record comes where is not part of it: `tracelint dump --output json` lists name, offset and "
                  "length of each.\n";
    text +=
        "  What a format demands of values is in the comments of the fields, with the rule that `tracelint explain` "
        "describes.\n"
        "params:\n"
        "  - {id: record_type, type: u2, doc: \"which type to read: the number of its case below\"}\n"
        "  - {id: version, type: u2, doc: \"of the layout; a format may count it in its own way\"}\n"
        "  - {id: word_size, type: u1, doc: \"4 or 8 bytes; for formats whose numbers are as wide as a word\"}\n"
        "  - {id: is_big_endian, type: bool}\n"
        "seq:\n  - id: record\n    type:\n      switch-on: record_type\n      cases:\n";
    for (size_t i = 0; i < records.size(); ++i) text += fmt::format("        {}: {}\n", i, types[records[i]]);
    if (sequence.has_value()) text += fmt::format("        {}: whole_file\n", kWholeFile);
    sink.write(text + "types:\n");
    for (const Record* record : order) sink.write(RecordType(*record, types).text(types[record]));
    if (sequence) sink.write(file_types(*sequence, types));
    sink.write(leb_type("uleb128", false) + leb_type("sleb128", true));
}

}  // namespace tracelint
