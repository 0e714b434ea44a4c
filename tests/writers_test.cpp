// Writers: golden texts for hand-made results, strings of any bytes, and JSON held to its schema.
#include <doctest/doctest.h>

#include <cerrno>
#include <sstream>

#include "schema.hpp"
#include "scratch_file.hpp"
#include "validator/tool/text.hpp"
#include "validator/tool/writer.hpp"

namespace tracelint {
namespace {

constexpr Record kPoint = record("point", 1, "", {u32("id"), u32("x"), u64("y")});

constexpr Rule kBadX{.id = "fake/bad-x",
                     .severity = Severity::error,
                     .statement = "x is small",
                     .message = "x is {0} ({0x}), y is {1}",
                     .why = "readers draw it elsewhere",
                     .spec = "fake 1",
                     .since = "0.1.0"};
constexpr Rule kOddY{.id = "fake/odd-y",
                     .severity = Severity::warning,
                     .statement = "y is even",
                     .message = "y is odd",
                     .why = "readers round it",
                     .spec = "fake 2",
                     .since = "0.1.0"};
constexpr Rule kEnd{.id = "fake/end",
                    .severity = Severity::note,
                    .statement = "there is an end",
                    .message = "the file ends here",
                    .why = "",
                    .spec = "fake 3",
                    .since = "0.1.0"};
constexpr const Rule* kRules[] = {&kBadX, &kOddY, &kEnd};
constexpr RuleList kRuleList{kRules};
constexpr const RuleList* kRuleLists[] = {&kRuleList};

const Grammar kFakeGrammar{.id = "fake",
                           .title = "fake format",
                           .spec = "fake",
                           .records = {},
                           .rules = kRuleLists,
                           .machines = {},
                           .options = {}};
const Grammar* const kFakeGrammars[] = {&kFakeGrammar};
const Format kFake{.id = "fake",
                   .title = "fake format",
                   .grammars = kFakeGrammars,
                   .recognise = nullptr,
                   .validate = nullptr,
                   .framer = nullptr};

const std::string kBytes = "0123456789abcdefGHIJKLMNOPQRSTUVghijklmnopqrstuv" + std::string("\0\x01\x7f\xff!!!!", 8);

Diagnostic at(const Rule& rule, uint64_t offset, uint64_t length) {
    Diagnostic finding;
    finding.rule = &rule;
    finding.place.offset = offset;
    finding.place.length = length;
    return finding;
}

// Findings in a line, over two lines, longer than a window, and behind the end.
Outcome hand_made(size_t kept_per_rule = kShownPerRule) {
    CheckOptions options;
    options.report.kept_per_rule = kept_per_rule;
    Outcome outcome(options);
    outcome.format = &kFake;
    outcome.size = kBytes.size();
    outcome.context.identity = {3, ByteOrder::big, 8};
    outcome.context.statistics = {{"records", 2}, {"POINT", 1}};
    Report& report = outcome.context.report;
    Diagnostic bad = at(kBadX, 4, 2);
    bad.place.record = &kPoint;
    bad.place.field = kPoint.find("x");
    bad.place.record_index = 3;
    bad.numbers = {4660, 7};
    bad.hint = "x and y may be swapped";
    bad.related_offset = 0x20;
    bad.related_length = 1;
    report.add(bad);
    report.add(at(kOddY, 30, 4));
    report.add(at(kOddY, 2, 1000));
    report.add(at(kEnd, 56, 0));
    report.finish();
    return outcome;
}

std::string written(const char* kind, const std::string& path, const Outcome& outcome,
                    const WriterOptions& options = {}) {
    StringSink sink;
    const std::unique_ptr<Writer> writer = find_writer_kind(kind)->make(sink, options);
    writer->begin();
    writer->file({path, outcome});
    writer->finish({.files = 1, .clean = 0, .with_findings = 1, .unreadable = 0, .skipped = 0});
    return sink.text;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (size_t i = text.find(what); i != std::string::npos; i = text.find(what, i + with.size()))
        text.replace(i, what.size(), with);
    return text;
}

TEST_CASE("text shows the place, the bytes and the consequence") {
    const ScratchFile file(kBytes);
    CHECK(replaced(written("text", file.path(), hand_made()), file.path(), "a.trace") ==
          R"(a.trace:0x2: warning: y is odd [fake/odd-y]
    00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    00000010  47 48 49 4a 4b 4c 4d 4e  4f 50 51 52 53 54 55 56  |GHIJKLMNOPQRSTUV|
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    00000020  67 68 69 6a 6b 6c 6d 6e  6f 70 71 72 73 74 75 76  |ghijklmnopqrstuv|
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    ... and 954 more bytes
  help: readers round it

a.trace:0x4: error: x is 4660 (0x1234), y is 7 [fake/bad-x]
  at records[3].x
    00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|
                          ^^^^^
    00000010  47 48 49 4a 4b 4c 4d 4e  4f 50 51 52 53 54 55 56  |GHIJKLMNOPQRSTUV|
  help: readers draw it elsewhere; x and y may be swapped
  related: 1 byte at 0x20

a.trace:0x1e: warning: y is odd [fake/odd-y]
    00000010  47 48 49 4a 4b 4c 4d 4e  4f 50 51 52 53 54 55 56  |GHIJKLMNOPQRSTUV|
                                                         ^^^^^
    00000020  67 68 69 6a 6b 6c 6d 6e  6f 70 71 72 73 74 75 76  |ghijklmnopqrstuv|
              ^^^^^
  help: readers round it

a.trace:0x38: note: the file ends here [fake/end]
    00000020  67 68 69 6a 6b 6c 6d 6e  6f 70 71 72 73 74 75 76  |ghijklmnopqrstuv|
    00000030  00 01 7f ff 21 21 21 21                           |....!!!!|
                                       ^

a.trace: fake version 3, 2 records, 56 bytes: 1 error, 2 warnings, 1 note
)");
}

TEST_CASE("text without the file has no bytes, and says what is not shown") {
    WriterOptions options;
    options.min_severity = Severity::warning;
    options.statistics = true;
    CHECK(written("text", "-", hand_made(1), options) ==
          R"(<stdin>:0x4: error: x is 4660 (0x1234), y is 7 [fake/bad-x]
  at records[3].x
  help: readers draw it elsewhere; x and y may be swapped
  related: 1 byte at 0x20

<stdin>:0x1e: warning: y is odd [fake/odd-y]
  help: readers round it

<stdin>: fake version 3, 2 records, 56 bytes: 1 error, 2 warnings, 1 note
  not shown: 1 fake/end
  not shown: 1 fake/odd-y
  records: 2
  POINT: 1
)");
}

TEST_CASE("text in colour differs by escape sequences alone") {
    const ScratchFile file(kBytes);
    WriterOptions options;
    options.colour = true;
    std::string plain = written("text", file.path(), hand_made(), options);
    for (size_t i = plain.find('\x1b'); i != std::string::npos; i = plain.find('\x1b'))
        plain.erase(i, plain.find('m', i) + 1 - i);
    CHECK(plain == written("text", file.path(), hand_made()));
}

TEST_CASE("concise has one line per finding") {
    CHECK(written("concise", "a.trace", hand_made()) ==
          "a.trace:0x2+1000: warning: y is odd [fake/odd-y]\n"
          "a.trace:0x4+2: error: x is 4660 (0x1234), y is 7 [fake/bad-x]\n"
          "a.trace:0x1e+4: warning: y is odd [fake/odd-y]\n"
          "a.trace:0x38+0: note: the file ends here [fake/end]\n");
}

TEST_CASE("json has the members of the schema in their order") {
    WriterOptions options;
    options.min_severity = Severity::error;
    const std::string text = written("json", "a.trace", hand_made(), options);
    CHECK(text ==
          R"({"schema_version":1,"tool":{"name":"tracelint","version":")" TRACELINT_VERSION R"("},"files":[
{"path":"a.trace","format":"fake","format_version":3,"byte_order":"big","word_size":8,"container":null,"size":56,)"
          R"("verdict":"error","counts":{"error":1,"warning":2,"note":1},"not_shown":{"fake/end":1,"fake/odd-y":2},)"
          R"("statistics":{"records":2,"POINT":1},"diagnostics":[
{"rule":"fake/bad-x","severity":"error","offset":4,"length":2,"field":"records[3].x",)"
          R"("message":"x is 4660 (0x1234), y is 7","help":"readers draw it elsewhere; x and y may be swapped",)"
          R"("related":[{"offset":32,"length":1}]}]}
],"summary":{"files":1,"clean":0,"with_findings":1,"unreadable":0,"skipped":0}}
)");
    CHECK(schema_fault(output_schema(), "", nlohmann::json::parse(text)) == "");
}

TEST_CASE("ndjson has a line for each finding, each file and the sum") {
    std::istringstream lines(written("ndjson", "a.trace", hand_made()));
    std::string line, types;
    while (std::getline(lines, line)) {
        const nlohmann::json object = nlohmann::json::parse(line);
        CHECK(schema_fault(output_schema(), "line", object) == "");
        types += object.at("type").get<std::string>() + ' ';
    }
    CHECK(types == "diagnostic diagnostic diagnostic diagnostic file summary ");
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
                const std::string text = written(kind, path, hand_made());
                CHECK(std::none_of(text.begin(), text.end(), [](char c) {
                    const auto byte = static_cast<uint8_t>(c);
                    return (byte < 0x20 && c != '\n') || byte == 0x7f;
                }));
            }
            CHECK(schema_fault(output_schema(), "", nlohmann::json::parse(written("json", path, hand_made()))) == "");
        }
    }
}

TEST_CASE("a schema fault is noticed") {
    nlohmann::json report = nlohmann::json::parse(written("json", "a.trace", hand_made()));
    report["files"][0]["diagnostics"][1]["offset"] = -1;
    CHECK(schema_fault(output_schema(), "", report) == "/files/0/diagnostics/1/offset: is below the minimum");
    report["files"][0].erase("counts");
    CHECK(schema_fault(output_schema(), "", report).starts_with("/files/0"));
    report = nlohmann::json::parse(written("json", "a.trace", hand_made()));
    report["summary"]["more"] = 1;
    CHECK(schema_fault(output_schema(), "", report) == "/summary/more: is not described");
    CHECK(schema_fault({{"$defs", {{"x", {{"pattern", "a"}}}}}}, "x", "a") ==
          ": the schema's keyword pattern is not known here");
}

TEST_CASE("terminals get nothing that moves the cursor or turns the direction") {
    CHECK(printable("a\x1b[2Jb\nc\x7f") == "a\\x1b[2Jb\\x0ac\\x7f");
    CHECK(printable("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80") == "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
    CHECK(printable("\xc2\x9b") == "\\xc2\\x9b");
    CHECK(printable("\xe2\x80\xae") == "\\xe2\\x80\\xae");
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
    CHECK(did_you_mean(std::string(100'000, 'x'), kWords).empty());
}

TEST_CASE("a full disk is noticed") {
    FileSink full("/dev/full");
    full.write(std::string(100'000, 'x'));
    full.close();
    CHECK(full.failure() == ENOSPC);
}

}  // namespace
}  // namespace tracelint
