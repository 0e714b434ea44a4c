// dump --field and --bytes: one field, and all of it.
#include <doctest/doctest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tests/support/corpus.hpp"
#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

// Places and sizes of the fields with these names, in a dump as JSON.
std::vector<std::pair<uint64_t, uint64_t>> places(const std::string& text, const auto& is_wanted) {
    std::vector<std::pair<uint64_t, uint64_t>> found;
    const Json dump = Json::parse(text);
    for (const Json& record : dump.at("records"))
        if (record.at("type") == "record")
            for (const Json& field : record.at("fields"))
                if (is_wanted(record, field))
                    found.emplace_back(field.at("offset").get<uint64_t>(), field.at("length").get<uint64_t>());
    return found;
}

std::string bytes_at(const std::string& trace, const std::vector<std::pair<uint64_t, uint64_t>>& all) {
    std::string bytes;
    for (const auto& [offset, length] : all) bytes += trace.substr(offset, length);
    return bytes;
}

}  // namespace

TEST_CASE("--field selects the fields of a name, and --bytes writes their bytes") {
    const Workplace run;
    const std::string trace = base_file("jitdump", "debug-info.hex");
    write(run / "a.dump", trace);
    const std::string all = run("dump --output json a.dump").out;
    const struct {
        std::string argument;
        std::string record;  // its path; empty: any
        std::string field;   // its path; ends in '*': how it begins
    } kRows[] = {
        {"total_size", "", "total_size"},
        {"header.total_size", "header", "total_size"},
        {"records[0].total_size", "records[0]", "total_size"},
        {"nr_entry", "", "nr_entry"},
        {"records[0].entries[1].line", "records[0]", "entries[1].line"},
        {"entries[1].name", "", "entries[1].name"},
        {"entries[0]", "", "entries[0].*"},
        {"entries", "", "entries[*"},
    };
    for (const auto& row : kRows) {
        CAPTURE(row.argument);
        const auto is_wanted = [&](const Json& record, const Json& field) {
            if (!row.record.empty() && record.at("path") != row.record) return false;
            const std::string path = field.at("field").is_null() ? "" : field.at("field").get<std::string>();
            if (row.field.ends_with('*')) return path.starts_with(row.field.substr(0, row.field.size() - 1));
            return path == row.field;
        };
        const auto wanted = places(all, is_wanted);
        REQUIRE(!wanted.empty());
        const Run bytes = run("dump --bytes --field '" + row.argument + "' a.dump");
        CHECK(bytes.status == 0);
        CHECK(bytes.out == bytes_at(trace, wanted));
        const auto has_content = [](const Json&, const Json& field) { return !field.contains("elements"); };
        CHECK(places(run("dump --output json --field '" + row.argument + "' a.dump").out, has_content) == wanted);
    }
}

TEST_CASE("the field of each element of a list") {
    const Workplace run;
    write(run / "a.dump", base_file("jitdump", "debug-info.hex"));
    const std::string one = run("dump --bytes --field 'entries[0].line' a.dump").out;
    const std::string other = run("dump --bytes --field 'entries[1].line' a.dump").out;
    const std::string each = run("dump --bytes --field entries.line a.dump").out;
    CHECK(each.starts_with(one + other));
}

namespace {

// A jitdump of one LOAD with this name and 40 bytes of code.
std::string with_name(const std::string& name) {
    const auto little = [](uint64_t number, size_t width) {
        return std::string(reinterpret_cast<const char*>(&number), width);
    };
    return clean().substr(0, 40) + little(0, 4) + little(56 + name.size() + 1 + 40, 4) + little(1000, 8) +
           little(1, 4) + little(1, 4) + little(0x1000, 8) + little(0x1000, 8) + little(40, 8) + little(77, 8) + name +
           std::string(1, '\0') + std::string(40, '\x5a');
}

}  // namespace

TEST_CASE("bytes and texts are shown whole, and no character is cut where pieces of a text meet") {
    const Workplace run;
    for (const size_t before : {4092u, 4093u, 4094u, 4095u, 4096u, 8190u}) {
        const std::string name = std::string(before, 'n') + "\u20ac\U0001f600";
        write(run / "a.dump", with_name(name + "\xff"
                                               "end"));
        CHECK(has(run("dump --field name a.dump").out, "\n  \"" + name + "\\xffend\"\n"));
        CHECK(!has(run("dump a.dump").out, name));
        CHECK(run("dump --bytes --field name a.dump").out == name +
                                                                 "\xff"
                                                                 "end" +
                                                                 std::string(1, '\0'));
    }
    write(run / "a.dump", with_name("main"));
    CHECK(has(run("dump --field name a.dump").out, "| \"main\""));
    const std::string code = run("dump --field code a.dump").out;
    CHECK(std::count(code.begin(), code.end(), '\n') == 1 + 1 + 3);
    CHECK(has(code, "| <40 bytes>"));
    CHECK(run("dump --bytes --field code a.dump").out == std::string(40, '\x5a'));
    CHECK(run("dump --only JIT_CODE_LOAD --output csv --field code_index a.dump").out ==
          "record,offset,length,code_index\n0,40,101,77\n");
}

TEST_CASE("-o writes a dump to a file, but not to its input") {
    const Workplace run;
    write(run / "a.dump", clean());
    CHECK(run("dump -o all.txt a.dump").out.empty());
    CHECK(read_file(run / "all.txt") == run("dump a.dump").out);
    CHECK(run("dump --field magic --bytes -o magic.bin a.dump").status == 0);
    CHECK(read_file(run / "magic.bin") == clean().substr(0, 4));
    const Run own = run("dump -o a.dump a.dump");
    CHECK(own.status == 2);
    CHECK(has(own.err, "-o is the input"));
    CHECK(read_file(run / "a.dump") == clean());
    CHECK(run("dump --field nothing -o none.txt a.dump").status == 2);
    CHECK(!read_file(run / "none.txt").has_value());
}

TEST_CASE("--field and --bytes refuse what they cannot select") {
    const Workplace run;
    write(run / "a.dump", clean());
    const struct {
        std::string arguments;
        std::string complaint;
    } kRows[] = {
        {"--field code_indx", "--field: no record that is asked for has a field code_indx; did you mean 'code_index'?"},
        {"--field 'entries[99].line'", "no record that is asked for has a field entries[99].line"},
        {"--field 'records[99].code'", "no record that is asked for has a field code"},
        {"--field 'records[0]'", "names no field"},
        {"--field 'records[x].code'", "invalid range"},
        {"--field 'records[0].code' --records 1", "give one of them"},
        {"--field ''", "--field: the name is empty"},
        {"--bytes", "--bytes needs --field"},
        {"--bytes --field code --output json", "--bytes and --output exclude each other"},
    };
    for (const auto& row : kRows) {
        CAPTURE(row.arguments);
        const Run refused = run("dump a.dump " + row.arguments);
        CHECK(refused.status == 2);
        CHECK_MESSAGE(has(refused.err, row.complaint), refused.err);
    }
}

}  // namespace tracelint
