// The description of a format for other tools has every record and field of its tables.
#include "validator/tool/catalogue/description.hpp"

#include <doctest/doctest.h>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/json/json_text.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

Json description_of(const Format& format) {
    StringSink sink;
    write_description(format, sink);
    return Json::parse(sink.text);
}

// The names of fields, with those of elements after their list.
std::string names_of(const Record& record) {
    std::string names;
    for (const Field& field : record.fields()) {
        names += std::string(field.name) + ' ';
        if (field.element != nullptr) names += "( " + names_of(*field.element) + ") ";
    }
    return names;
}

std::string names_of(const Json& fields) {
    std::string names;
    for (const Json& field : fields) {
        names += field["name"].get<std::string>() + ' ';
        if (field.contains("element")) names += "( " + names_of(field["element"]["fields"]) + ") ";
    }
    return names;
}

}  // namespace

TEST_CASE("a description has each record and field of the tables, in their order") {
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const Json description = description_of(*format);
        CHECK(schema_fault(description_schema(), "", description) == "");
        const std::vector<const Record*> records = records_of(*format);
        REQUIRE(description["records"].size() == records.size());
        for (size_t i = 0; i < records.size(); ++i) {
            const Json& described = description["records"][i];
            CHECK(described["name"] == records[i]->name);
            CHECK(names_of(described["fields"]) == names_of(*records[i]));
        }
    }
}

TEST_CASE("a description says of a field what its table says") {
    const Json jitdump = description_of(*find_format("jitdump"));
    const Json& header = jitdump["records"][0];
    CHECK(header["is_numbered"] == false);
    CHECK(jitdump["sequence"] == Json{{"header", "header"}, {"kind", "id"}});
    CHECK(description_of(*find_format("pprof"))["sequence"] == Json{{"header", nullptr}, {"kind", "tag"}});
    CHECK(description_of(*find_format("mlpd"))["sequence"].is_null());
    CHECK(header["fields"][0]["name"] == "magic");
    CHECK(header["fields"][0]["type"] == "unsigned");
    CHECK(header["fields"][0]["width"] == 4);
    CHECK_FALSE(header["fields"][0].contains("measures"));
    CHECK(header["fields"][2]["measures"] == "size");
    CHECK(header["fields"][6]["measures"] == "time");
    bool has_condition = false, has_bits = false, has_list = false;
    for (const Format* format : formats()) {
        const std::string text = description_of(*format).dump();
        has_condition |= has(text, "\"only_if\":{\"field\":");
        has_bits |= has(text, "\"bit_width\":");
        has_list |= has(text, "\"counted_by\":");
    }
    CHECK((has_condition && has_bits && has_list));
}

std::string kaitai_of(std::string_view format) {
    StringSink sink;
    write_kaitai(*find_format(format), sink);
    return sink.text;
}

TEST_CASE("a specification for Kaitai Struct has a type for each record, which says what the table says") {
    for (const Format* format : formats()) {
        CAPTURE(format->id);
        const std::string text = kaitai_of(format->id);
        for (const Record* record : records_of(*format))
            CHECK(has(text, "\n    -orig-id: " + json_string(record->name) + '\n'));
    }
    for (const auto& [format, part] : std::initializer_list<std::pair<std::string_view, std::string_view>>{
             // A number, with what it must be.
             {"jitdump",
              "      - id: pid\n        type: u4\n        doc: \"process of the runtime; legal: not 0, else "
              "jitdump/header-pid-zero\"\n"},
             // Bytes that another field counts; a string; the rest of the record.
             {"jitdump", "      - id: name\n        terminator: 0\n      - id: code\n        size: \"code_size\"\n"},
             {"jitdump", "      - id: padding\n        size-eos: true\n"},
             // A list that is counted.
             {"jitdump",
              "      - id: entries\n        type: debug_entry\n        repeat: expr\n        repeat-expr: "
              "\"nr_entry\"\n"},
             // A list whose bytes are counted, too.
             {"jitdump",
              "        type: \"jit_code_debug_info2_tree_file_list(file_count)\"\n        size: \"file_list_size\"\n"},
             // A word, whose size the header gives.
             {"gperftools", "        type: {switch-on: _root.word_size, cases: {4: u4, 8: u8}}\n"},
             // Bits, counted from the other end in big-endian files.
             {"xray", "        value: \"(_root.is_big_endian ? "},
             // A field of some versions.
             {"mlpd", "        if: \"_root.version >= "},
             // The whole file; records that are too small for their kind.
             {"jitdump",
              "  whole_file:\n    seq:\n      - id: header\n        type: header\n      - id: records\n        type: "
              "any_record\n"},
             {"jitdump", "      size: {pos: start + 4, type: u4}\n"},
             {"jitdump", "(kind == 1 and size < 64)"},
             {"jitdump", "            _: other_record\n"},
             {"pprof", "          switch-on: \"kind.value\"\n"},
             {"pprof", "            104: comment\n            106: comment\n"},
             // A number that is relative to another one.
             {"mlpd", "not resolved: add "},
         }) {
        CAPTURE(part);
        CHECK(has(kaitai_of(format), part));
    }
}

TEST_CASE("describe prints the description") {
    const Workplace run;
    const Run made = run("describe xray");
    CHECK(made.status == 0);
    CHECK(Json::parse(made.out) == description_of(*find_format("xray")));
    CHECK(run("describe xray --output ksy").out == kaitai_of("xray"));
    CHECK(run("describe xrya").status == 2);
    CHECK(run("describe xray --output xml").status == 2);
}

}  // namespace tracelint
