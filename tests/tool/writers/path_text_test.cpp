// Paths in outputs: shown as they are where that is possible, and never like another path.
#include <doctest/doctest.h>

#include <map>

#include "fuzz/tool/writers_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tables/text_scan.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/writers/writer.hpp"

namespace tracelint {
namespace {

TEST_CASE("a path is shown as it is, unless an output cannot have it or it looks like another one") {
    const struct {
        std::string_view path, for_people, for_programs;
    } cases[] = {
        {"", "", ""},
        {"traces/a b-1.dump", "traces/a b-1.dump", "traces/a b-1.dump"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"a\\b\\\\c", "a\\b\\\\c", "a\\b\\\\c"},
        {R"(disk\x2duuid)", R"(disk\x2duuid)", R"(disk\x2duuid)"},
        {R"(a\xfg\xF0\xf)", R"(a\xfg\xF0\xf)", R"(a\xfg\xF0\xf)"},
        {"\xef\xbf\xbd", "\xef\xbf\xbd", "\xef\xbf\xbd"},
        {"a\nb", R"(a\x0ab)", "a\nb"},
        {R"(a\x0ab)", R"(a\\x0ab)", R"(a\x0ab)"},
        {R"(a\\x0ab)", R"(a\\\\x0ab)", R"(a\\x0ab)"},
        {"a\\\nb", R"(a\\\x0ab)", "a\\\nb"},
        {"\x7f", R"(\x7f)", "\x7f"},
        {"\xe2\x80\xae", R"(\xe2\x80\xae)", "\xe2\x80\xae"},
        {R"(\xe2\x80\xae)", R"(\\xe2\\x80\\xae)", R"(\\xe2\\x80\\xae)"},
        {"\xef\xbf\xbf", R"(\xef\xbf\xbf)", "\xef\xbf\xbf"},
        {"\xff", R"(\xff)", R"(\xff)"},
        {R"(\xff)", R"(\\xff)", R"(\\xff)"},
        {"a\\\xc3/\xc3\xbc", "a\\\\\\xc3/\xc3\xbc", "a\\\\\\xc3/\xc3\xbc"},
        {"\xff\n", R"(\xff\x0a)", "\\xff\n"},
        {"<stdin>", R"(\x3cstdin>)", R"(\x3cstdin>)"},
        {R"(\x3cstdin>)", R"(\\x3cstdin>)", R"(\\x3cstdin>)"},
        {"./<stdin>", "./<stdin>", "./<stdin>"},
    };
    for (const auto& [path, for_people, for_programs] : cases) {
        CAPTURE(for_people);
        CHECK(path_text(path, PathEscapes::unprintable) == for_people);
        CHECK(path_text(path, PathEscapes::not_utf8) == for_programs);
        CHECK(path_of_text(for_programs) == path);
    }
    CHECK(shown_path("-") == "<stdin>");
    CHECK(shown_path("a\xff") == "a\\xff");
}

// Of bytes that escapes consist of, and bytes that are escaped.
std::string path_in(Random& random) {
    constexpr std::string_view kPieces[] = {
        "\\", "\\", "\\x", "x", "0", "a", "f", "\n", "\xff", "\x8f", "<", "\xc3\xbf", "\xef\xbf\xbd", "\\xff", "\\x0a"};
    std::string path;
    for (uint64_t left = between(random, 1, 6); left > 0; --left) path += kPieces[below(random, std::size(kPieces))];
    return path;
}

TEST_CASE("no two paths have the same text, and the text for programs says what the path is") {
    Random random(1);
    std::map<std::string, std::string> for_people, for_programs;
    for (uint64_t left = seeds(50'000); left > 0; --left) {
        const std::string path = path_in(random);
        const std::string shown = path_text(path, PathEscapes::unprintable);
        const std::string written = path_text(path, PathEscapes::not_utf8);
        CAPTURE(shown);
        CHECK(for_people.try_emplace(shown, path).first->second == path);
        CHECK(for_programs.try_emplace(written, path).first->second == path);
        CHECK(path_of_text(written) == path);
        CHECK(printable(shown) == shown);
        CHECK(scan_text(as_bytes(written)).ill_formed == kNone);
    }
}

TEST_CASE("files whose paths differ in a byte have different reports of every kind") {
    const std::string paths[] = {
        "-",       "<stdin>",      R"(\x3cstdin>)", "a\nb",   R"(a\x0ab)", R"(a\\x0ab)", "\xff",
        R"(\xff)", "\xef\xbf\xbd", "\xfe",          "\\\xff", "a\\b",      "a/b",        "a%0Ab",
        "a,b",     "a%2Cb",        "&lt;",          "<",      "\\<",       "a\tb",       "a b"};
    for (const WriterKind& kind : writer_kinds())
        for (const std::string& one : paths)
            for (const std::string& other : paths)
                if (&one < &other) hold(paths_differ(kind, one, other));
}

TEST_CASE("no path has the output of a lookalike, whatever its bytes") {
    Random random(1);
    for (uint64_t left = seeds(20); left > 0; --left) {
        const std::string path = path_in(random);
        for (const WriterKind& kind : writer_kinds()) hold(has_no_lookalike(kind, path));
        hold(writers({}, path));
    }
}

}  // namespace
}  // namespace tracelint
