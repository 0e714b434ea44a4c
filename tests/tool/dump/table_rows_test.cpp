// The table of a text dump, in the width of a terminal.
#include "validator/tool/dump/table_rows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/oracle_files.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/recognise.hpp"
#include "validator/tables/text_scan.hpp"

namespace tracelint {
namespace {

const std::string kEightBytes = "\x01\x02\x03\x04\x05\x06\x07\x08";

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> laid_out(const TextStyle& style, const std::vector<Row>& rows) {
    StringSink sink;
    TableRows table(style, sink);
    for (const Row& row : rows) table.add(Row(row));
    table.flush();
    return lines_in(sink.text);
}

// Of characters that are one column wide.
size_t width_of(const std::string& line) {
    return static_cast<size_t>(
        std::ranges::count_if(line, [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

Row row_of(std::string name, std::string value, std::string meaning = {}) {
    return {.offset = 0x20,
            .bytes = as_bytes(kEightBytes),
            .name = std::move(name),
            .value = std::move(value),
            .meaning = std::move(meaning)};
}

std::string dump_of(Bytes bytes, const Format& format, const TextStyle& style) {
    MemorySource source(bytes);
    DumpContext context({});
    Window window(source, nullptr, &context.budget);
    const Selection all;
    StringSink sink;
    walk_records(window, *format.framer({}), context, *make_text_renderer({{}, {}, style}, all, context, sink));
    return sink.text;
}

}  // namespace

TEST_CASE("without a terminal, a row is a line with columns of fixed widths") {
    Row marked = row_of("id", "7", "JIT_CODE_LOAD");
    marked.is_marked = true;
    const std::vector<std::string> wanted = {
        "> 0x20       | 01 02 03 04 05 06 07 08   | id                           | 7                                   "
        "     "
        "| JIT_CODE_LOAD",
        "  0x20       | 01 02 03 04 05 06 07 08   | name                         | " + std::string(200, 'x'),
    };
    CHECK(laid_out({}, {marked, row_of("name", std::string(200, 'x'))}) == wanted);
}

TEST_CASE("on a terminal, columns are as wide as needed, and values continue below their column") {
    const std::vector<std::string> wanted = {
        "  0x20  0102030405060708  id    7  JIT_CODE_LOAD",
        "  0x20  0102030405060708  pid   16517 = 0x4085",
        "  0x20  0102030405060708  name  \"a name of several words that is longer than",
        "                                what is left of the line\"",
    };
    CHECK(laid_out({80, false}, {row_of("id", "7", "JIT_CODE_LOAD"), row_of("pid", "16517 = 0x4085"),
                                 row_of("name",
                                        "\"a name of several words that is longer than what is left of the "
                                        "line\"")}) == wanted);
}

TEST_CASE("a number is not cut, nor an escape") {
    const std::string number = "18446744073709551615 = 0xffffffffffffffff";
    const std::vector<std::string> lines = laid_out({80, false}, {row_of("a_name_of_24_characters_", number)});
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].ends_with(" 18446744073709551615"));
    CHECK(lines[1].ends_with(" = 0xffffffffffffffff"));
    std::string escapes = "\"x";
    for (size_t i = 0; i < 60; ++i) escapes += "\\xff";
    for (const std::string& line : laid_out({80, false}, {row_of("name", escapes + '"')})) {
        CHECK(line.size() <= 80);
        CHECK_MESSAGE((line.ends_with("\\xff") || line.ends_with('"')), line);
    }
}

TEST_CASE("what a field is for is left out if it does not fit, what its value means is not") {
    const std::string sentence = "a sentence of many words that says what the field is for, at some length";
    const Row meaning = row_of("clock", "1", sentence);
    Row doc = row_of("clock", "1");
    doc.doc = sentence;
    CHECK(laid_out({80, false}, {doc}).size() == 1);
    CHECK(laid_out({80, false}, {meaning}).size() > 1);
    CHECK(laid_out({200, false}, {doc}).front().ends_with(sentence));
}

TEST_CASE("whatever a row has, it is in the width of the terminal, and complete") {
    Random random(1);
    for (uint64_t left = seeds(200); left > 0; --left) {
        const auto text = [&](size_t most) {
            constexpr std::string_view kParts[] = {"x",          "word ", ", ", "\\xff", "\u00e9",
                                                   "0123456789", " | ",   "=",  " "};
            std::string made;
            for (uint64_t parts = below(random, most); parts > 0; --parts)
                made += kParts[below(random, std::size(kParts))];
            return made;
        };
        std::vector<Row> rows;
        std::string all;
        for (uint64_t count = below(random, 70) + 1; count > 0; --count) {
            Row row = row_of("n" + text(8), "v" + text(60), text(20));
            row.indent = 2 * below(random, 41);
            row.offset = random() >> below(random, 64);
            all += hex(row.offset) + "0102030405060708" + row.name + row.value + row.meaning;
            rows.push_back(std::move(row));
        }
        const size_t width = 72 + below(random, 28);
        std::string found;
        for (const std::string& line : laid_out({width, false}, rows)) {
            CHECK_MESSAGE(width_of(line) <= width, line);
            found += line;
        }
        std::erase(all, ' ');
        std::erase(found, ' ');
        CHECK(found == all);
    }
}

TEST_CASE("no dump of any format is wider than the terminal, and colours add nothing but colours") {
    for (const Format* format : tested_formats()) {
        size_t count = 0;
        for (const NamedBytes& file : corpus_bytes(*format)) {
            const Bytes bytes = as_bytes(file.bytes);
            if (++count % 10 != 0 || bytes.size() > 2048 || recognise(formats(), {bytes, {}}) != format) continue;
            CAPTURE(file.name);
            for (const size_t width : {60u, 80u, 132u}) {
                for (const std::string& line : lines_in(dump_of(bytes, *format, {width, false})))
                    CHECK_MESSAGE((width_of(line) <= std::max<size_t>(width, 80) || !line.starts_with("  ")), line);
            }
            for (const size_t width : {0u, 80u}) {
                std::string text = dump_of(bytes, *format, {width, true});
                for (size_t at = 0; (at = text.find('\x1b', at)) != text.npos;)
                    text.erase(at, text.find('m', at) - at + 1);
                CHECK(text == dump_of(bytes, *format, {width, false}));
            }
        }
    }
}

TEST_CASE("dump is coloured if it is asked to be") {
    const Workplace run;
    write(run / "a.dump", clean());
    CHECK(!has(run("dump a.dump").out, "\x1b"));
    CHECK(!has(run("dump --color auto a.dump").out, "\x1b"));
    CHECK(has(run("dump --color always a.dump").out, "\x1b[1;36m"));
    CHECK(!has(run("dump --color always --output json a.dump").out, "\x1b"));
    CHECK(run("dump --color blue a.dump").status == 2);
}

}  // namespace tracelint
