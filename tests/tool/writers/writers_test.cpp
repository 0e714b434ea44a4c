// Writers: golden texts for a toy file, strings of any bytes, and JSON held to its schema.
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "fuzz/corpus_folder.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/toy_report.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + with.size()))
        text.replace(i, what.size(), with);
    return text;
}

TEST_CASE("text shows the place, the bytes and the consequence, and the most severe finding first") {
    const ScratchFile file(toy_bytes());
    WriterOptions all;
    all.shown_per_rule = 0;
    CHECK(replaced(written("text", file.path(), toy_outcome(), all), file.path(), "a.trace") ==
          R"(a.trace:0x2f: error: task 5 is started, but it runs already [toy/started-twice]
  at records[2].action
  00000020  00 10 00 05 02 0e 00 00  00 00 00 00 00 00 00 20  |............... |
                                                          ^^
  00000030  00 05 03 ed 03 00 00 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
            ^^
  help: readers that pair starts with finishes lose the first of the two runs;
        the event before it is of another worker
  related: 14 bytes at 0x16

a.trace:0x11: warning: 5 bytes follow the last field of the record [toy/trailing-bytes]
  at records[0]
  00000000  31 59 4f 54 02 00 00 00  01 0e 00 05 72 75 6e 00  |1YOT........run.|
  00000010  00 00 01 7f ff 21 02 0e  00 00 00 00 00 00 00 00  |.....!..........|
               ^^^^^^^^^^^^^^
  help: readers skip the bytes, so what they say is lost

a.trace:0x24: warning: task 5 is started here and never finished [toy/never-finished]
  at records[2]
  00000020  00 10 00 05 02 0e 00 00  00 00 00 00 00 00 00 20  |............... |
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  00000030  00 05 03 ed 03 00 00 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
            ^^^^^
  help: readers show a run of unknown length

a.trace:0x37: warning: 1000 bytes follow the last field of the record [toy/trailing-bytes]
  at records[3]
  00000030  00 05 03 ed 03 00 00 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  00000040  2e 2e 2e 2e 2e 2e 2e 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  00000050  2e 2e 2e 2e 2e 2e 2e 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  ... and 959 more bytes
  help: readers skip the bytes, so what they say is lost

a.trace:0x41f: note: the file ends without a CLOSE record [toy/not-closed]
  00000400  2e 2e 2e 2e 2e 2e 2e 2e  2e 2e 2e 2e 2e 2e 2e 2e  |................|
  00000410  2e 2e 2e 2e 2e 2e 2e 2e  2e 2e 2e 2e 2e 2e 2e     |...............|
                                                          ^
  help: the producer was probably killed, and the last events are missing

a.trace: 1 error, 3 warnings, 1 note: toy version 2, 4 records, 1055 bytes
)");
}

TEST_CASE("text without the file has no bytes, and says what is not shown") {
    WriterOptions options;
    options.min_severity = Severity::warning;
    options.statistics = true;
    CHECK(written("text", "-", toy_outcome(1), options) ==
          R"(<stdin>:0x2f: error: task 5 is started, but it runs already [toy/started-twice]
  at records[2].action
  help: readers that pair starts with finishes lose the first of the two runs;
        the event before it is of another worker
  related: 14 bytes at 0x16

<stdin>:0x11: warning: 5 bytes follow the last field of the record [toy/trailing-bytes]
  at records[0]
  help: readers skip the bytes, so what they say is lost

<stdin>:0x24: warning: task 5 is started here and never finished [toy/never-finished]
  at records[2]
  help: readers show a run of unknown length

warning: 1 more of toy/trailing-bytes (--max-per-rule 0 shows all)

not shown
      1  toy/not-closed
statistics
  4  records
<stdin>: 1 error, 3 warnings, 1 note: toy version 2, 4 records, 1055 bytes
)");
}

// What text says of a toy file.
std::string text_of(const std::string& bytes, const WriterOptions& options) {
    CheckOptions how;
    how.format = &kToy;
    MemorySource source(as_bytes(bytes));
    return written("text", "a.trace", check(source, how), options);
}

TEST_CASE("text folds the notes of a rule into a line, and the last line says that there is no error") {
    Errors errors;
    const std::string bytes = read_hex(R"("1YOT" | 02 00 | 00 00)", "", errors).bytes;
    WriterOptions options;
    options.fold_notes = true;
    CHECK(text_of(bytes, options) ==
          "a.trace: notes (--notes shows them in full)\n"
          "  at 0x8: the file ends without a CLOSE record [toy/not-closed]\n"
          "a.trace: ok, 1 note: toy version 2, 0 records, 8 bytes\n");
    options.min_severity = Severity::warning;
    CHECK(text_of(bytes, options) ==
          "not shown\n"
          "      1  toy/not-closed\n"
          "a.trace: ok, 1 note: toy version 2, 0 records, 8 bytes\n");
    options = {};
    options.summary = true;
    CHECK(text_of(bytes, options) == "a.trace: ok, 1 note: toy version 2, 0 records, 8 bytes\n");
    CHECK(text_of(toy_bytes(), options) ==
          "a.trace: 1 error, 3 warnings, 1 note: toy version 2, 4 records, 1055 bytes\n");
    CHECK(text_of(bytes + std::string("\x04\x03\x00", 3), {}) == "a.trace: ok: toy version 2, 1 record, 11 bytes\n");
}

TEST_CASE("a note in a line has its place before its message, which may end in parentheses of its own") {
    WriterOptions options;
    options.fold_notes = true;
    const std::string path = paths::root() + "/corpus/pprof/real/datadog-pprof-5.20.0-heap.pprof";
    const std::unique_ptr<Source> source = open_file(path);
    const std::string text = written("text", "a.pprof", check(*source, {}), options);
    CHECK(
        text.starts_with("a.pprof: notes (--notes shows them in full)\n"
                         "  at 0x54: the sample has the locations and labels of an earlier one (1 place in\n"
                         "    this file) [pprof/sample-duplicate]\n"));
}

TEST_CASE("text shows the notes of three rules, and counts the others, kept or not") {
    WriterOptions options;
    options.fold_notes = true;
    const std::string path = paths::root() + "/corpus/jitdump/real/node-18.dump";
    for (const size_t kept : {size_t{1}, size_t{0}}) {
        CheckOptions how;
        how.report.kept_per_rule = kept;
        const std::unique_ptr<Source> source = open_file(path);
        const Outcome outcome = check(*source, how);
        const std::string text = written("text", "a.trace", outcome, options);
        CAPTURE(text);
        size_t shown = 0;
        uint64_t others = 0;
        for (const auto& [rule, count] : outcome.report().counts()) {
            const bool is_shown = ++shown <= 3;
            CHECK((text.find('[' + std::string(rule) + ']') != std::string::npos) == is_shown);
            const std::string often = std::to_string(count) + " times, first at ";
            if (is_shown && count > 1) CHECK(text.find(often) != std::string::npos);
            if (!is_shown) others += count;
        }
        CHECK(text.find("and " + std::to_string(others) + " notes of 2 more rules\n") != std::string::npos);
        CHECK(text.find("not shown") == std::string::npos);
    }
    const std::unique_ptr<Source> source = open_file(paths::root() + "/corpus/jitdump/real/node-26.dump");
    const std::string text = written("text", "a.trace", check(*source, {}), options);
    CHECK(text.find("  and 1 note of another rule\n") != std::string::npos);
}

TEST_CASE("text shows a rule once in full, then in lines, and then counts") {
    const ScratchFile file(toy_bytes());
    WriterOptions options;
    options.shown_per_rule = 1;
    const std::string brief = written("text", file.path(), toy_outcome());
    CHECK(has(brief, ":0x37: warning: 1000 bytes follow the last field of the record [toy/trailing-bytes]\n\n"));
    CHECK(has(written("text", file.path(), toy_outcome(), options),
              "\n\nwarning: 1 more of toy/trailing-bytes (--max-per-rule 0 shows all)\n\n"));
    options.shown_per_rule = 0;
    const std::string full = written("text", file.path(), toy_outcome(), options);
    CHECK(has(full.substr(full.find(":0x37: ")), "\n  at records[3]\n"));
    CHECK_FALSE(has(full, " more of "));
}

TEST_CASE("text says what of a cut file is whole") {
    const std::string whole = read_file(paths::root() + "/corpus/jitdump/real/node-20.dump").value_or("");
    REQUIRE(whole.size() > 3000);
    const auto text_of_first = [&](size_t bytes) {
        const std::string cut = whole.substr(0, bytes);
        MemorySource source(as_bytes(cut));
        return written("text", "a.trace", check(source, {}));
    };
    const std::string cut = text_of_first(3000);
    CHECK(has(cut, "\ncut: the file ends early; "));
    CHECK(has(cut, " records before that are complete. Usual causes:"));
    CHECK_FALSE(has(text_of_first(whole.size()), "cut: "));
}

TEST_CASE("text in colour differs only by escape sequences") {
    const ScratchFile file(toy_bytes());
    WriterOptions options;
    options.colour = true;
    std::string plain = written("text", file.path(), toy_outcome(), options);
    for (size_t i = plain.find('\x1b'); i != std::string::npos; i = plain.find('\x1b'))
        plain.erase(i, plain.find('m', i) + 1 - i);
    CHECK(plain == written("text", file.path(), toy_outcome()));
}

TEST_CASE("concise has one line per finding") {
    CHECK(written("concise", "a.trace", toy_outcome()) ==
          "a.trace:0x11+5: warning: 5 bytes follow the last field of the record [toy/trailing-bytes]\n"
          "a.trace:0x24+14: warning: task 5 is started here and never finished [toy/never-finished]\n"
          "a.trace:0x2f+2: error: task 5 is started, but it runs already [toy/started-twice]\n"
          "a.trace:0x37+1000: warning: 1000 bytes follow the last field of the record [toy/trailing-bytes]\n"
          "a.trace:0x41f+0: note: the file ends without a CLOSE record [toy/not-closed]\n");
}

TEST_CASE("json has the members of the schema in the same order") {
    WriterOptions options;
    options.min_severity = Severity::error;
    const std::string text = written("json", "a.trace", toy_outcome(), options);
    CHECK(
        text ==
        R"({"schema_version":1,"tool":{"name":"tracelint","version":")" TRACELINT_VERSION R"("},"files":[
{"path":"a.trace","format":"toy","format_version":2,"byte_order":"little","word_size":null,"container":null,"size":1055,)"
        R"("verdict":"error","counts":{"error":1,"warning":3,"note":1},"not_shown":{"toy/never-finished":1,"toy/not-closed":1,"toy/trailing-bytes":2},)"
        R"("statistics":{"records":4},"diagnostics":[
{"rule":"toy/started-twice","severity":"error","offset":47,"length":2,"field":"records[2].action",)"
        R"("message":"task 5 is started, but it runs already",)"
        R"("help":"readers that pair starts with finishes lose the first of the two runs; the event before it is of another worker",)"
        R"("related":[{"offset":22,"length":14}]}]}
],"summary":{"files":1,"clean":0,"with_findings":1,"unreadable":0,"skipped":0}}
)");
    CHECK(schema_fault(output_schema(), "", nlohmann::json::parse(text)) == "");
}

TEST_CASE("json escapes what a terminal obeys or cannot show, and nothing else") {
    const std::string text =
        written("ndjson", "\x7f\u009b2J\u2028\u202e\u200b\U000e0041 gr\u00fc\u00df", toy_outcome());
    CHECK(text.find(R"("path":"\u007f\u009b2J\u2028\u202e\u200b\udb40\udc41 gr)"
                    "\u00fc\u00df\"") != std::string::npos);
}

TEST_CASE("ndjson has a line for each finding, each file and the sum") {
    std::istringstream lines(written("ndjson", "a.trace", toy_outcome()));
    std::string line, types;
    while (std::getline(lines, line)) {
        const nlohmann::json object = nlohmann::json::parse(line);
        CHECK(schema_fault(output_schema(), "line", object) == "");
        types += object.at("type").get<std::string>() + ' ';
    }
    CHECK(types == "diagnostic diagnostic diagnostic diagnostic diagnostic file summary ");
}

TEST_CASE("a file that was not read has a verdict and a reason") {
    Outcome outcome{CheckOptions{}};
    outcome.failure = "cannot read: \xff";
    const nlohmann::json file = nlohmann::json::parse(written("json", "a.trace", outcome)).at("files").at(0);
    CHECK(file.at("verdict") == "unreadable");
    CHECK(file.at("failure") == "cannot read: \uFFFD");
    CHECK(file.at("format") == nullptr);
    CHECK(written("text", "a.trace", outcome).empty());
}

TEST_CASE("no bytes in a path break an output") {
    for (int first = 0; first < 256; ++first) {
        for (const std::string& tail :
             {std::string(), std::string("\x80"), std::string("\"\\\n"), std::string("\xbf\xbf")}) {
            const std::string path = static_cast<char>(first) + tail;
            CAPTURE(path);
            for (const char* kind : {"text", "concise"}) {
                const std::string text = written(kind, path, toy_outcome());
                CHECK(std::none_of(text.begin(), text.end(), [](char c) {
                    const auto byte = static_cast<uint8_t>(c);
                    return (byte < 0x20 && c != '\n') || byte == 0x7f;
                }));
            }
            CHECK(schema_fault(output_schema(), "", nlohmann::json::parse(written("json", path, toy_outcome()))) == "");
        }
    }
}

TEST_CASE("a schema fault is noticed") {
    nlohmann::json report = nlohmann::json::parse(written("json", "a.trace", toy_outcome()));
    report["files"][0]["diagnostics"][1]["offset"] = -1;
    CHECK(schema_fault(output_schema(), "", report) == "/files/0/diagnostics/1/offset: is below the minimum of 0");
    report["files"][0].erase("counts");
    CHECK(schema_fault(output_schema(), "", report).starts_with("/files/0"));
    report = nlohmann::json::parse(written("json", "a.trace", toy_outcome()));
    report["summary"]["more"] = 1;
    CHECK(schema_fault(output_schema(), "", report) == "/summary/more: is not described");
    CHECK(schema_fault({{"$defs", {{"x", {{"pattern", "a"}}}}}}, "x", "a") ==
          ": the schema has an unknown keyword, \"pattern\"");
}

TEST_CASE("terminals get nothing that moves the cursor or turns the direction") {
    CHECK(printable("a\x1b[2Jb\nc\x7f") == "a\\x1b[2Jb\\x0ac\\x7f");
    CHECK(printable("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80") == "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
    CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");
    CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");
    CHECK(printable("\u061c\u200b") == "\\xd8\\x9c\\xe2\\x80\\x8b");
    for (const uint32_t code : {0x1fu, 0x7fu, 0x80u, 0x9fu, 0xadu, 0x61cu, 0x200bu, 0x200fu, 0x2028u, 0x2029u, 0x202eu,
                                0x2060u, 0x2066u, 0x2069u, 0xfeffu, 0xe0001u}) {
        CAPTURE(code);
        CHECK(is_unprintable(code));
    }
    for (const uint32_t code : {0x20u, 0x7eu, 0xa0u, 0xacu, 0xaeu, 0x61bu, 0x61du, 0x200au, 0x2010u, 0x2027u, 0x202fu,
                                0x205fu, 0x2070u, 0xff01u, 0x1f600u, 0xe1000u}) {
        CAPTURE(code);
        CHECK_FALSE(is_unprintable(code));
    }
    CHECK(printable("\xc0\xaf\xed\xa0\x80\xf5") == "\\xc0\\xaf\\xed\\xa0\\x80\\xf5");
    CHECK(quoted("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\n\\x01\"");
}

TEST_CASE("sizes are read and shown") {
    uint64_t bytes = 0;
    CHECK((parse_size("12", bytes) && bytes == 12));
    CHECK((parse_size("64K", bytes) && bytes == 65536));
    CHECK((parse_size("3MiB", bytes) && bytes == 3 << 20));
    CHECK((parse_size("1g", bytes) && bytes == 1 << 30));
    CHECK((parse_size("18446744073709551615", bytes) && bytes == kNone));
    for (const char* wrong : {"", "K", "-1", "1X", "1KK", "18446744073709551616", "17179869184G", " 1"})
        CHECK_FALSE(parse_size(wrong, bytes));
    CHECK(byte_size(1) == "1 byte");
    CHECK(byte_size(6'340'504) == "6.0 MiB");
}

TEST_CASE("guesses are close or not made") {
    constexpr std::string_view kWords[] = {"jitdump", "xray", "mlpd"};
    CHECK(did_you_mean("jitdmup", kWords) == "; did you mean 'jitdump'?");
    CHECK(did_you_mean("xary", kWords) == "; did you mean 'xray'?");
    CHECK(did_you_mean("xra", kWords) == "; did you mean 'xray'?");
    CHECK(did_you_mean("jtidmup", kWords) == "; did you mean 'jitdump'?");
    CHECK(did_you_mean("jtidmupx", kWords).empty());
    CHECK(did_you_mean("perf", kWords).empty());
    constexpr std::string_view kNear[] = {"cut-a", "cut-b", "cat-bcd"};
    CHECK(did_you_mean("cut-x", kNear) == "; did you mean 'cut-a' or 'cut-b'?");
    CHECK(did_you_mean("cut-b", kNear) == "; did you mean 'cut-b'?");
    CHECK(did_you_mean(std::string(100'000, 'x'), kWords).empty());
}

TEST_CASE("sizes are shown to a tenth of their unit") {
    const std::pair<uint64_t, std::string_view> kSizes[] = {
        {0, "0 bytes"},
        {1, "1 byte"},
        {9'999, "9999 bytes"},
        {10'000, "9.8 KiB"},
        {10'496, "10.2 KiB"},  // 10.25, half way: to the even tenth
        {10'752, "10.5 KiB"},
        {11'008, "10.8 KiB"},  // 10.75
        {1'023'999, "1000.0 KiB"},
        {1'024'000, "1.0 MiB"},
        {uint64_t{200} << 20, "200.0 MiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    for (const auto& [bytes, shown] : kSizes) CHECK(byte_size(bytes) == shown);
}

TEST_CASE("a full disk is noticed") {
    FileSink full("/dev/full");
    full.write(std::string(100'000, 'x'));
    full.close();
    CHECK(full.failure() == ENOSPC);
}

}  // namespace
}  // namespace tracelint
