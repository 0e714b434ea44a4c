// The pattern for ImHex, as far as it can be checked without ImHex: it has each record and field of the tables, its
// names are declared before they are used and none is a keyword, and what the language cannot say is in its comments.
#include <doctest/doctest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/tool/workplace.hpp"
#include "validator/tool/catalogue/description.hpp"
#include "validator/tool/catalogue/description_parts.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using Names = std::vector<std::string>;

std::string pattern_of(const Format& format) {
    StringSink sink;
    write_imhex(format, sink);
    return sink.text;
}

// Keywords, constants, types and operators of the language.
const std::set<std::string, std::less<>> kReservedWords = {
    "if",     "else", "while", "for",    "match",    "return",    "break",   "continue",   "struct",    "enum",
    "union",  "fn",   "le",    "be",     "bitfield", "unsigned",  "signed",  "parent",     "namespace", "using",
    "this",   "in",   "out",   "ref",    "null",     "const",     "_",       "try",        "catch",     "import",
    "as",     "is",   "true",  "false",  "nan",      "inf",       "padding", "auto",       "any",       "float",
    "double", "bool", "char",  "char16", "str",      "addressof", "sizeof",  "typenameof", "u8",        "u16",
    "u24",    "u32",  "u48",   "u64",    "u96",      "u128",      "s8",      "s16",        "s24",       "s32",
    "s48",    "s64",  "s96",   "s128"};

const std::set<std::string, std::less<>> kBuiltinTypes = {
    "u8", "u16", "u24", "u32", "u64", "s8", "s16", "s32", "s64", "char", "char16", "type::uLEB128", "type::sLEB128"};

// Without comments; strings are empty, unless `keeps_strings`.
std::string code_of(const std::string& pattern, bool keeps_strings = false) {
    std::string code;
    for (size_t i = 0; i < pattern.size(); ++i) {
        if (pattern.compare(i, 2, "//") == 0) {
            i = pattern.find('\n', i) - 1;
        } else if (pattern[i] == '"') {
            const size_t start = i;
            for (++i; pattern.at(i) != '"'; ++i)
                if (pattern[i] == '\\') ++i;
            code += keeps_strings ? pattern.substr(start, i + 1 - start) : "\"\"";
        } else {
            code += pattern[i];
        }
    }
    return code;
}

// A type that the pattern declares.
struct Declared {
    std::string kind, name, body;
};

std::vector<Declared> types_of(const std::string& code) {
    static const std::regex kStart(R"((struct|bitfield|enum) (\w+)(?: : [us]\d+)? \{)");
    std::vector<Declared> types;
    std::istringstream lines(code);
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, kStart))
            types.push_back({match[1], match[2], ""});
        else if (is_inside)
            types.back().body += line + '\n';
        is_inside = line != "};" && (is_inside || !match.empty());
    }
    return types;
}

// A member of a struct or bitfield.
struct Member {
    std::string type, name, shape, attributes;
    bool is_local = false;
};

std::vector<Member> members_of(const Declared& type) {
    static const std::regex member(
        R"( +(?:le )?(?:([\w:]+) )?(\w+)(\[[^\n]*?\]| : \d+| = [^\n]*?| @ [^\n]*?)?( \[\[[^\n]*\]\])?;)");
    std::vector<Member> members;
    std::istringstream lines(type.body);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, member) && match[2] != "break")
            members.push_back({match[1], match[2], match[3], match[4], match[3].str().starts_with(" = ")});
    }
    return members;
}

std::string original_name(const Member& member) {
    static const std::regex named(R"(name\("([^"]*)\"\))");
    std::smatch match;
    return std::regex_search(member.attributes, match, named) ? match[1].str() : member.name;
}

// The fields of a struct under their names in the tables, those of a bitfield in its place.
Names fields_of(const std::vector<Declared>& types, const Declared& type) {
    Names names;
    for (const Member& member : members_of(type)) {
        if (member.is_local || member.name == "undescribed" || member.name.ends_with("_rest")) continue;
        if (member.name == "padding" && type.kind == "bitfield") continue;
        const auto bits = std::ranges::find(types, member.type, &Declared::name);
        if (bits != types.end() && bits->kind == "bitfield") {
            const Names inner = fields_of(types, *bits);
            names.insert(names.end(), inner.begin(), inner.end());
        } else {
            names.push_back(original_name(member));
        }
    }
    return names;
}

Names fields_of(const Record& record) {
    Names names;
    for (const Field& field : record.fields()) names.emplace_back(field.name);
    return names;
}

// Visits the record and the elements of its lists.
template <class Visit>
void for_each_record(const Record& record, std::set<const Record*>& seen, const Visit& visit) {
    if (!seen.insert(&record).second) return;
    for (const Field& field : record.fields())
        if (field.element != nullptr) for_each_record(*field.element, seen, visit);
    visit(record);
}

template <class Visit>
void for_each_record(const Format& format, const Visit& visit) {
    std::set<const Record*> seen;
    for (const Record* record : records_of(format)) for_each_record(*record, seen, visit);
}

size_t count_of(const std::string& text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("a pattern has a struct for each record, with its fields in their order") {
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::vector<Declared> types = types_of(code_of(pattern_of(*format), true));
        std::vector<Names> described;
        for (const Declared& type : types)
            if (type.kind == "struct" && type.name != "AnyRecord" && type.name != "WholeFile")
                described.push_back(fields_of(types, type));
        size_t records = 0;
        for_each_record(*format, [&](const Record& record) {
            CAPTURE(record.name);
            REQUIRE(records < described.size());
            CHECK(described[records] == fields_of(record));
            ++records;
        });
        CHECK(records == described.size());
    }
}

TEST_CASE("each type is declared once and before it is used, and no name is a word of the language") {
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::string code = code_of(pattern_of(*format));
        std::set<std::string, std::less<>> declared = kBuiltinTypes;
        if (has(code, "using Word = u64;")) declared.insert("Word");
        for (const Declared& type : types_of(code)) {
            CAPTURE(type.name);
            CHECK(!kReservedWords.contains(type.name));
            for (const Member& member : members_of(type)) {
                CAPTURE(member.name);
                if (type.kind == "struct" || !member.type.empty()) CHECK(declared.contains(member.type));
                CHECK((!kReservedWords.contains(member.name) || (type.kind == "bitfield" && member.name == "padding")));
            }
            CHECK(declared.insert(type.name).second);
        }
    }
}

TEST_CASE("conditions and sizes name what is declared before them") {
    static const std::regex expression(R"(if \((.*)\) \{|\w\[(.*?)\](?: \[\[.*)?;| = (.*);)"),
        name(R"([A-Za-z_][\w.]*)");
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::string code = code_of(pattern_of(*format));
        const std::vector<Declared> types = types_of(code);
        for (const Declared& type : types) {
            if (type.kind != "struct") continue;
            std::set<std::string, std::less<>> known = {"this", "addressof", "while", "std", "mem", "eof"};
            if (has(code, "\nu16 version = ")) known.insert("version");
            std::istringstream lines(type.body);
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                std::smatch match;
                if (std::regex_search(line, match, expression)) {
                    const std::string used = match[1].str() + match[2].str() + match[3].str();
                    for (std::sregex_iterator it(used.begin(), used.end(), name), end; it != end; ++it)
                        CHECK_MESSAGE(known.contains(it->str()), it->str());
                }
                for (const Member& member : members_of({type.kind, type.name, line})) {
                    known.insert(member.name);
                    const auto bits = std::ranges::find(types, member.type, &Declared::name);
                    if (bits != types.end() && bits->kind == "bitfield")
                        for (const Member& field : members_of(*bits)) known.insert(member.name + '.' + field.name);
                }
            }
        }
    }
}

TEST_CASE("every line is one that the language has, and brackets are balanced") {
    static const std::regex kLine(
        R"(#pragma (?:description .+|endian little)|#include <(?:std/mem|type/leb128)\.pat>|u16 version = \d+;|)"
        R"(using Word = u64;|(?:struct|bitfield) \w+ \{|enum \w+ : [us](?:8|16|32|64) \{|\};|WholeFile file @ 0x00;|)"
        R"( +(?:\} else )?if \([^;{}]+\) \{| +\}(?: else \{)?| +break;| +\w+ = \d+,|)"
        R"( +(?:[\w:]+ )?\w+ : \d+(?: \[\[.*\]\])?;|)"
        R"( +(?:le )?[\w:]+ \w+(?:\[[^;]*\]| @ \$(?: \+ \d+)?)?(?: \[\[.*\]\])?;| +u64 \w+ = [^;]+;|)");
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::string code = code_of(pattern_of(*format));
        std::istringstream lines(code);
        for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(std::regex_match(line, kLine), line);
        for (const auto& [open, close] : {std::pair{'{', '}'}, {'(', ')'}, {'[', ']'}})
            CHECK(std::ranges::count(code, open) == std::ranges::count(code, close));
    }
}

// The list of what the language cannot say. Bits in reverse order have no other mention.
TEST_CASE("what the language cannot say of a field is in its comment") {
    std::map<std::string, size_t> wanted, found;
    for (const Format* format : formats()) {
        const std::string pattern = pattern_of(*format);
        for_each_record(*format, [&](const Record& record) {
            for (const Field& field : record.fields()) {
                wanted["not resolved: add "] += field.base != 0;
                wanted["then shift left by "] += field.shift != 0;
                wanted["depth in a tree "] += field.nests;
                wanted["index into "] += !field.indexed.empty();
                wanted["belong to this element"] += !field.taken.empty();
                wanted["part of a stream of records"] += field.is_streamed;
                wanted["the bits are in reverse order"] += field.is_mirrored;
                for (const Check& check : field.checks) wanted["legal: "] += check.must != Check::Must::nothing;
            }
        });
        for (const auto& [text, count] : wanted) found[text] += count_of(pattern, text);
        CHECK(has(pattern, "Which record comes where is not part of it") == !sequence_of(*format));
        CHECK(has(pattern, "\nWholeFile file @ 0x00;\n") == sequence_of(*format).has_value());
    }
    CHECK(found == wanted);
    for (const auto& [text, count] : wanted) CHECK_MESSAGE(count > 0, text);
}

// Such a struct ends any list that it is in, so it must be in lists of this kind only.
TEST_CASE("an element whose zero ends a list is in no list without such an end") {
    for (const Format* format : formats()) {
        std::map<const Record*, std::set<bool>> lists;
        for_each_record(*format, [&](const Record& record) {
            for (const Field& field : record.fields())
                if (field.element != nullptr) lists[field.element].insert(field.ends_with_zero);
        });
        for (const auto& [element, kinds] : lists) CHECK_MESSAGE(kinds.size() == 1, element->name);
    }
}

TEST_CASE("a pattern says what the tables say") {
    for (const auto& [format, part] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             // The size of a record, and what a name that is a keyword becomes.
             {"jitdump",
              "    u32 total_size [[comment(\"size of the whole record in bytes\")]];\n"
              "    u64 record_end = addressof(this) + total_size;\n"},
             {"jitdump", "    u8 padding_2[record_end - $] [[name(\"padding\")"},
             // Bytes that another field counts; a string.
             {"jitdump", "    char name[];\n    if (code_size > 0) {\n        u8 code[code_size]"},
             // A list that is counted; one whose bytes are counted, too.
             {"jitdump", "    if (nr_entry > 0) {\n        DebugEntry entries[nr_entry];\n"},
             {"jitdump", "    u64 file_list_end = $ + file_list_size;\n"},
             {"jitdump", "    if (file_list_end > $) {\n        u8 file_list_rest[file_list_end - $];\n"},
             // The whole file.
             {"jitdump",
              "struct WholeFile {\n    Header header;\n    AnyRecord records[while(!std::mem::eof())];\n};\n"},
             {"jitdump", "    u32 kind @ $ [[hidden]];\n    u32 size @ $ + 4 [[hidden]];\n"},
             {"jitdump", "    } else if ((kind == 1) && size >= 64) {\n        JitCodeMove record;\n"},
             {"jitdump", "    } else {\n        OtherRecord record;\n    }\n"},
             {"pprof", "    } else if (kind == 104 || kind == 106) {\n        Comment record;\n"},
             // A word, whose size the header gives.
             {"gperftools", "    Word num_pcs"},
             {"gperftools", "using Word = u64;\n"},
             // Bits, and what a number of them means.
             {"xray", "    discriminant : 1"},
             {"perfdata", "in big-endian files, the bits are in reverse order\")]];"},
             // A list that ends with an element.
             {"xray", "== 0) {\n        break;\n    }\n};\n"},
             // A field of some versions; named values.
             {"mlpd", "    if (version >= "},
             {"mlpd", "enum "},
             // A number that is relative to another one.
             {"mlpd", "not resolved: add "},
             {"mlpd", "type::sLEB128 "},
             // Text of UTF-16; a field that another one makes present, which may be absent itself.
             {"nettrace", "    le char16 provider[]"},
             {"nettrace", "    if (bits.has_thread == 1) {\n"},
             {"mlpd",
              "        if (type == 6) {\n            if (string_flag != 0) {\n                char string_value[];\n"},
         }) {
        CAPTURE(format);
        CAPTURE(part);
        CHECK(has(pattern_of(*find_format(format)), part));
    }
    CHECK(!has(pattern_of(*find_format("pprof")), "big-endian"));
}

TEST_CASE("describe prints the pattern") {
    const Workplace run;
    CHECK(run("describe xray --output imhex").out == pattern_of(*find_format("xray")));
    CHECK(has(run("describe --help").out, "json, ksy or imhex; ksy is for Kaitai Struct; imhex"));
}

}  // namespace tracelint
