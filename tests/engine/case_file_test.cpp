// The notations of the corpus: what each line does to the bytes, and where errors are reported.
#include <doctest/doctest.h>

#include <tuple>

#include "validator/generator/case_file.hpp"

namespace tracelint {
namespace {

std::string hex(std::string_view text) {
    Errors errors;
    const std::string bytes = read_hex(text, "x.hex", errors).bytes;
    return errors.empty() ? bytes : errors.front();
}

std::optional<std::string> base_file(std::string_view format, std::string_view name) {
    if (format == "jitdump" && name == "digits.hex") return "\"0123456789\"";
    if (format == "samply" && name == "letters.hex") return "\"abc\"";
    return {};
}

CaseFile case_of(std::string_view block, Errors& errors) {
    const std::string text = "# what it is\n# spec: here\n" + std::string(block);
    return read_case(text, "corpus/jitdump/rules/some-rule.case", base_file, errors);
}

// The bytes that a block of edits makes, or the first error.
std::string edited(std::string_view edits) {
    Errors errors;
    const CaseFile file = case_of("violation: v\n" + std::string(edits), errors);
    return errors.empty() ? file.blocks[0].bytes.part(0, 1000) : errors.front();
}

const std::string kErrorPlace = "corpus/jitdump/rules/some-rule.case:";

}  // namespace

TEST_CASE("annotated bytes") {
    CHECK(hex("# only a comment\n") == "");
    CHECK(hex("41 42|43 | 44 # 45") == "ABCD");
    CHECK(hex("41\r\n\t42") == "AB");
    CHECK(hex("41*3 \"b#c\" 44*0") == "AAAb#c");
    CHECK(hex(R"("\x41\"\\")") == "A\"\\");
    CHECK(hex(R"(u"a\xe9" | 01)") == std::string("a\0\xe9\0\1", 5));
    CHECK(hex("4") == "x.hex:1: expected a byte as two hex digits, found '4'");
    CHECK(hex("41\n4142") == "x.hex:2: expected a blank between bytes, found '42'");
    CHECK(hex("\"abc") == "x.hex:1: the string has no closing quote");
    CHECK(hex("\"\\n\"") == "x.hex:1: unknown escape; known ones are \\xff, \\\" and \\\\");
    CHECK(hex("00*9999999999") == "x.hex:1: too many repetitions of a byte; use `sparse` for large files");
    CHECK(hex("00*x") == "x.hex:1: expected a decimal or 0x number, found 'x'");
}

TEST_CASE("assertions in comments") {
    const auto assertions = [](std::string_view text) {
        Errors errors;
        std::string shown;
        for (const Assertion& a : read_hex(text, "x.hex", errors).assertions)
            shown += std::to_string(a.line) + ":" + a.field + "=" + a.value + " ";
        return errors.empty() ? shown : errors.front();
    };
    CHECK(assertions("00 # id=2, size=0x10\n# rest: name=\"a\\xffb\" n=-1 (x=7)") ==
          "1:id=2 1:size=0x10 2:name=\"a\\xffb\" 2:n=0xffffffffffffffff 2:x=7 ");
    CHECK(assertions("# a = 3, b =4, c==5") == "x.hex:1: expected a decimal or 0x number, found '=5'");
    CHECK(assertions("# at 0x28: U=72, data.size") == "1:U=0x48 ");
    CHECK(assertions("# a=99999999999999999999") == "x.hex:1: the number does not fit in 64 bits");
}

TEST_CASE("edits of a base file") {
    CHECK(edited("base digits.hex") == "0123456789");
    CHECK(edited("base empty\nappend \"ab\" # c") == "ab");
    CHECK(edited("base samply/letters.hex") == "abc");
    CHECK(edited("base digits.hex\nset 2 \"xy\"\nappend 21") == "01xy456789!");
    CHECK(edited("base digits.hex\ninsert 0x0a \"xy\"\ninsert 0 7a") == "z0123456789xy");
    CHECK(edited("base digits.hex\ndelete 1+8\ncut 1") == "0");
    CHECK(edited("base digits.hex\ncut 2\nsparse 4\nappend 21") == std::string("01\0\0!", 5));
    CHECK(edited("base digits.hex\nset 9 00 00") == kErrorPlace + "5: the file has only 10 bytes here");
    CHECK(edited("base digits.hex\ndelete 3") == kErrorPlace + "5: `delete` changes nothing");
    CHECK(edited("base digits.hex\ncut 11") == kErrorPlace + "5: the file has only 10 bytes here");
    CHECK(edited("base digits.hex\nsparse 10") == kErrorPlace + "5: `sparse` must end after the bytes that are there");
    CHECK(edited("base digits.hex\nsparse 11\ncut 1") == kErrorPlace + "6: only `append` may follow `sparse`");
    CHECK(edited("base none.hex") == kErrorPlace + "4: there is no base file 'none.hex'");
    CHECK(edited("append 00\nbase empty") == kErrorPlace + "5: `base` must be the first line of its block");
    CHECK(edited("append 00") == kErrorPlace + "3: the block has no `base` line");
    CHECK(edited("base empty\nremove 3") == kErrorPlace + "5: unknown command 'remove'");
    CHECK(edited("base empty x") == kErrorPlace + "4: unexpected text at the end of the line: 'x'");
}

TEST_CASE("what a block says of its file and expects of the report") {
    Errors errors;
    const CaseFile file = case_of(
        "violation: one # two\nbase empty # comment\n\n# comment\nname jit-1.dump\nas jitdump\nlimit max-memory 100\n"
        "limit max-record 0x20\nexpect note a/c 2+0 -   # comment\nexpect error a/b 0x02+4 header.x\n"
        "near miss: three\nbase empty\nexpect warning a/b 1+1\n",
        errors);
    REQUIRE(errors.empty());
    CHECK(file.rule == "jitdump/some-rule");
    CHECK(file.description == "what it is");
    CHECK(file.spec == "here");
    REQUIRE(file.blocks.size() == 2);
    const CaseBlock& block = file.blocks[0];
    CHECK(block.is_violation);
    CHECK(block.title == "one # two");
    CHECK(block.line == 3);
    CHECK(block.file_name == "jit-1.dump");
    CHECK(block.format == "jitdump");
    CHECK(block.limits.memory == 100);
    CHECK(block.limits.record == 32);
    REQUIRE(block.expected.size() == 2);
    CHECK(line_of(block.expected[0]) == "expect error a/b 0x02+4 header.x");
    CHECK(line_of(block.expected[1]) == "expect note a/c 0x02+0 -");
    CHECK(!file.blocks[1].is_violation);
    CHECK(line_of(file.blocks[1].expected[0]) == "expect warning a/b 0x01+1");
}

TEST_CASE("what a finding says, below its expectation") {
    Errors errors;
    const CaseFile file = case_of(
        "violation: one\nbase empty\nexpect error a/b 2+4\nsays \"one \\\"two\\\"\"  # comment\nhint \"three\"\n"
        "related 0x10+8\nabout-end\nexpect error a/b 1+1\nsays \"\"\nexpect note a/c 3+1\n",
        errors);
    REQUIRE(errors.empty());
    REQUIRE(file.blocks[0].expected.size() == 3);
    const auto& [first, second, third] =
        std::tie(file.blocks[0].expected[0], file.blocks[0].expected[1], file.blocks[0].expected[2]);
    CHECK((first.wording == Wording{} && first.line == 10));
    CHECK((second.wording == Wording{"one \"two\"", "three", 0x10, 8, true} && second.line == 5));
    CHECK(lines_of(*second.wording) == "says   \"one \\\"two\\\"\"\nhint   \"three\"\nrelated 0x10+8\nabout-end\n");
    CHECK((!third.wording && third.line == 12));
    CHECK(file.blocks[0].lines.size() == 4);
}

TEST_CASE("an expectation without a field does not ask for one") {
    const Expectation found{Severity::error, "a/b", 1, 2, "header.x"};
    CHECK(Expectation{Severity::error, "a/b", 1, 2, {}}.matches(found));
    CHECK(Expectation{Severity::error, "a/b", 1, 2, "header.x"}.matches(found));
    CHECK(!Expectation{Severity::error, "a/b", 1, 2, ""}.matches(found));
    CHECK(!Expectation{Severity::note, "a/b", 1, 2, {}}.matches(found));
    CHECK(!Expectation{Severity::error, "a/b", 1, 3, {}}.matches(found));
}

TEST_CASE("faults of a case file as such") {
    const auto first_error = [](std::string_view text) {
        Errors errors;
        read_case(text, "r.case", base_file, errors);
        return errors.empty() ? "" : errors.front();
    };
    CHECK(first_error("") == "r.case:1: the case has no `violation:` or `near miss:` block");
    CHECK(first_error("base empty\n") == "r.case:1: only comments may precede the first block");
    CHECK(first_error("# spec: s\nnear miss: n\nbase empty\n") ==
          "r.case:1: the case has no comment that describes it");
    CHECK(first_error("# d\nnear miss: n\nbase empty\n") == "r.case:1: the case has no `# spec:` line");
    CHECK(first_error("# d\n# spec: s\nnear miss:\nbase empty\n") == "r.case:3: the block has no title");
    CHECK(first_error("# d\n# spec: s\nnear miss: n\nbase empty\nexpect bad a/b 1+1") ==
          "r.case:5: unknown severity 'bad'");
    CHECK(first_error("# d\n# spec: s\nnear miss: n\nbase empty\nexpect note a/b 1") ==
          "r.case:5: expected +LENGTH after the offset");
    const std::string block = "# d\n# spec: s\nviolation: v\nbase empty\n", expect = block + "expect note a/b 1+1\n";
    CHECK(first_error(block + "says \"x\"") == "r.case:5: `says` follows an `expect` line");
    CHECK(first_error(expect + "says \"x\"\nsays \"y\"") == "r.case:7: `says` follows an `expect` line");
    CHECK(first_error(expect + "about-end") == "r.case:6: `says` must come first");
    CHECK(first_error(expect + "says x") == "r.case:6: the message is missing");
    CHECK(first_error(expect + "says \"x\"\nhint") == "r.case:7: the hint is missing");
    CHECK(first_error(expect + "says \"x\"\nrelated 1") == "r.case:7: expected +LENGTH after the offset");
    CHECK(first_error(expect + "says \"x\" y") == "r.case:6: unexpected text at the end of the line: 'y'");
}

TEST_CASE("a sparse file of many GiB is read without being in memory") {
    const SparseBytes bytes{"ab", uint64_t{1} << 40, "yz"};
    CHECK(bytes.part(1, 3) == std::string("b\0\0", 3));
    CHECK(bytes.part(bytes.size() - 3, 10) == std::string("\0yz", 3));
    CHECK(bytes.part(bytes.size() + 5, 1).empty());
    SparseSource pipe(bytes, false, 1);
    uint8_t two[2];
    CHECK(pipe.read(two, 2) == 1);
    CHECK(!pipe.seek(5));
    CHECK(pipe.size() == kNone);
    CHECK(SparseSource(bytes, true).size() == bytes.size());
}

}  // namespace tracelint
