// `shrink` and `report` as a user meets them: what they write, what they say, and what they leave alone.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

using Names = std::vector<std::string>;
using Json = nlohmann::json;

constexpr const char* kShrunkRule = "jitdump/truncated-record";

std::string shrink(const std::string& words) { return std::string("shrink --keep ") + kShrunkRule + " " + words; }

TEST_CASE("shrink writes a small file with the finding and no other, and says so in one line") {
    const Workplace run;
    write(run / "cut", cut());
    const Run made = run(shrink("cut -o small"));
    CHECK(made.status == 0);
    CHECK(made.err.empty());
    CHECK(lines_of(made.out) == 1);
    CHECK(has(made.out, " and no other error or warning ("));
    CHECK(content_of(run / "small").size() < 120);
    const Run checked = run("--output json small");
    const Json report = Json::parse(checked.out)["files"][0];
    CHECK(report["counts"]["error"] == 1);
    CHECK(report["counts"]["warning"] == 0);
    CHECK(report["diagnostics"][0]["rule"] == kShrunkRule);
    CHECK(content_of(run / "cut") == cut());
    CHECK(run.names() == Names{"cut", "small"});
}

TEST_CASE("the finding at an offset is kept, also of a compressed file") {
    const Workplace run;
    write(run / "cut", cut());
    const Json found = Json::parse(run("--output json cut").out)["files"][0]["diagnostics"][0];
    const std::string offset = std::to_string(found["offset"].get<uint64_t>());
    const Run made = run.shell("gzip -n cut && \"$T\" shrink --keep " + std::string(kShrunkRule) + "@" + offset +
                               " --output json cut.gz -o small");
    CHECK(made.status == 0);
    const Json report = Json::parse(made.out);
    CHECK(schema_fault(shrink_schema(), "", report) == "");
    CHECK(report["container"] == "gzip");
    CHECK(report["offset"] == found["offset"]);
    CHECK(report["new_size"] == content_of(run / "small").size());
    CHECK(run("small").status == 1);
}

TEST_CASE("what cannot be shrunk is said, and nothing is written") {
    const Workplace run;
    write(run / "clean", clean());
    write(run / "cut", cut());
    write(run / "text", "no trace\n");
    write(run / "kept", "earlier");
    CHECK(run.shell("gzip -n <clean | head -c 40 >broken.gz").status == 0);
    const struct {
        std::string words, says;
    } kCases[] = {
        {shrink("clean -o kept"), "clean: cannot be shrunk: it has no finding of jitdump/truncated-record, nor of any"},
        {"shrink --keep jitdump/bad-magic cut -o kept",
         "it has no finding of jitdump/bad-magic; it has jitdump/truncated-record (1)"},
        {"shrink --keep jitdump/truncated-record@7 cut -o kept", "truncated-record at 0x7, but at 0x"},
        {"shrink --keep gzip/truncated broken.gz -o kept", "gzip/truncated is about the compressed file"},
        {"shrink --keep input/unknown-format text -o kept", "is about the file as a whole"},
    };
    for (const auto& [words, says] : kCases) {
        CAPTURE(words);
        const Run made = run(words);
        CHECK(made.status == 1);
        CHECK(made.out.empty());
        CHECK_MESSAGE(has(made.err, says), made.err);
        CHECK(content_of(run / "kept") == "earlier");
        const Run in_json = run(words + " --output json");
        CHECK(schema_fault(shrink_schema(), "", Json::parse(in_json.out)) == "");
    }
}

TEST_CASE("shrink never writes to its input, and refuses what it cannot read several times") {
    const Workplace run;
    write(run / "cut", cut());
    fs::create_symlink("cut", run / "link");
    for (const char* words : {"cut -o cut", "link -o cut", "cut -o link"}) {
        CAPTURE(words);
        CHECK(run(shrink(words)).status == 2);
        CHECK(content_of(run / "cut") == cut());
    }
    CHECK(run.reading_pipe(shrink("pipe -o out")).status == 3);
    CHECK(run(shrink("missing -o out")).status == 3);
    CHECK(run(shrink("cut")).status == 2);
    CHECK(run("shrink cut -o out").status == 2);
    CHECK(run("shrink --keep no/such-rule cut -o out").status == 2);
    CHECK(run("shrink --keep jitdump/truncated-record@x cut -o out").status == 2);
    CHECK(run(shrink("- -o out")).status == 2);
    CHECK(run("report cut").status == 2);
    CHECK(!fs::exists(run / "out"));
}

TEST_CASE("without time, nothing is written") {
    const Workplace run;
    write(run / "cut", cut());
    const Run made = run(shrink("--max-seconds 0 cut -o out"));
    CHECK(made.status == 4);
    CHECK(has(made.err, "it was stopped before there was anything smaller"));
    CHECK(!fs::exists(run / "out"));
}

TEST_CASE("a report has the message, the rule, and commands that recreate the file") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const Run made = run(std::string("report cut.dump ") + kShrunkRule);
    CHECK(made.status == 0);
    CHECK(made.err.empty());
    CHECK(made.out.starts_with("# jitdump/truncated-record: "));
    for (const char* part : {"\n## The rule\n", "\nreaders ", "\nspec ", "\n## The file\n", "\ntracelint cut.dump\n"})
        CHECK_MESSAGE(has(made.out, part), part);
    const size_t begin = made.out.find("```sh\n") + 6, end = made.out.find("```\n", begin);
    write(run / "commands", made.out.substr(begin, end - begin));
    CHECK(run.shell("mkdir again && cd again && sed 's/^tracelint/\"$T\"/' ../commands | sh").status == 1);
    CHECK(content_of(run / "again/cut.dump").size() < 120);
    CHECK(run("report cut.dump jitdump/truncated-record -o issue.md").out.empty());
    CHECK(content_of(run / "issue.md") == made.out);
    CHECK(run("report cut.dump jitdump/bad-magic").status == 1);
}

// Waits until the process has opened the file.
void await_opened(pid_t process, const fs::path& file) {
    const fs::path descriptors = "/proc/" + std::to_string(process) + "/fd";
    for (int tries = 0; tries < 6000; ++tries) {
        std::error_code closed;  // a descriptor, while it was looked at
        for (const fs::directory_entry& one : fs::directory_iterator(descriptors, closed))
            if (fs::read_symlink(one.path(), closed) == file) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the file is not opened");
}

TEST_CASE("a signal ends shrink with what there is, and never with a part of a file") {
    const Workplace run;
    std::string large;
    while (large.size() < 32'000'000) large += "1000 10 a function of a large program\n";
    write(run / "large", large + "no line\n");
    const std::string rule = "perfmap/line-malformed";
    const pid_t child = run.start("exec \"$T\" shrink --as perfmap --keep " + rule + " large -o small >out 2>err");
    await_opened(child, run / "large");
    REQUIRE(kill(child, SIGINT) == 0);
    CHECK(status_of(child) == 4);
    const std::string says = content_of(run / "err");
    const bool is_written = has(says, "stopped by SIGINT: this is the smallest file so far");
    CHECK_MESSAGE((is_written || has(says, "it was stopped before there was anything smaller")), says);
    CHECK(fs::exists(run / "small") == is_written);
    if (is_written) CHECK(has(run("--as perfmap --output concise small").out, rule));
}

TEST_CASE("a redacted file has no name of the original") {
    const Workplace run;
    write(run / "cut", cut());
    write(run / "noted", noted());
    REQUIRE(has(noted(), "node:internal"));
    const Run made = run("shrink --redact --keep jitdump/header-reserved-nonzero noted -o small");
    CHECK(made.status == 0);
    CHECK(!has(content_of(run / "small"), "node:"));
}

}  // namespace
}  // namespace tracelint
