// Runs with a manifest, and their parts: shards, merging, refused parts, faults of machines.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "fuzz/containers.hpp"
#include "fuzz/tool/merge_oracle.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/fleet/part_json.hpp"
#include "validator/tool/fleet/rebuild.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using std::string_literals::operator""s;
using Names = std::vector<std::string>;

constexpr int kFiles = 24;
constexpr int kListed = kFiles + 6;

// A folder with traces of several verdicts and containers, names that are hostile, and a manifest of all in NULs.
void fill(const Workplace& run) {
    fs::create_directories(run / "t");
    const std::string kinds[] = {clean(), cut(), noted(), "no trace\n", ""};
    std::string manifest;
    for (int i = 0; i < kFiles; ++i) {
        const std::string name = "t/" + std::to_string(i);
        write(run / name, kinds[i % 5]);
        manifest += name + '\0';
    }
    for (const std::string& name : {"t/new\nline"s, "t/not \xff utf-8"s, "t/tab\tin"s}) {
        write(run / name, cut());
        manifest += name + (name.find('\t') == name.npos ? "" : "\t\t\t") + '\0';
    }
    write(run / "t/z.gz", gzip_member(cut()));
    write(run / "t/z.zst", zstd_frame(cut()));
    manifest += "t/z.gz\0t/z.zst\0"s;
    write(run / ("t/" + std::string(200, 'x')), clean());
    manifest += "t/" + std::string(200, 'x') + '\t' + std::to_string(clean().size()) + "\t\"9f-2\"\tjitdump" + '\0';
    write(run / "m", manifest);
}

// Checks the shards; their parts are 1.part, 2.part, ...
void check_shards(const Workplace& run, int count, const std::string& options = "") {
    for (int i = 1; i <= count; ++i) {
        const std::string number = std::to_string(i);
        const Run one = run("--manifest m -0 --exit-zero --shard " + number + '/' + std::to_string(count) +
                            " --output ndjson=" + number + ".part " + options);
        CHECK_MESSAGE(one.status == 0, one.err);
    }
}

std::string whole(const Workplace& run, const std::string& options = "") {
    CHECK(run("--manifest m -0 --exit-zero --output ndjson=whole " + options).status == 0);
    return content_of(run / "whole");
}

TEST_CASE("parts merged in any order and in any steps are the run over the whole manifest") {
    const Workplace run;
    fill(run);
    check_shards(run, 5);
    const std::string expected = whole(run);
    CHECK(lines_of(expected) > 30);
    Random random(7);
    Names parts = {"1.part", "2.part", "3.part", "4.part", "5.part"};
    for (int round = 0; round < 12; ++round) {
        std::ranges::shuffle(parts, random);
        Names left = parts;
        int step = 0;
        while (left.size() > 1) {
            const size_t count = between(random, 2, left.size());
            std::string words = "merge --exit-zero --partial --output ndjson=step" + std::to_string(step);
            for (size_t i = 0; i < count; ++i) words += ' ' + left[i];
            left.erase(left.begin(), left.begin() + static_cast<ptrdiff_t>(count));
            const Run merged = run(words);
            CHECK_MESSAGE(merged.status == 0, merged.err);
            left.push_back("step" + std::to_string(step++));
        }
        CHECK(content_of(run / left[0]) == expected);
    }
    CHECK(run("merge --exit-zero --expect-manifest m whole --output ndjson=again").status == 0);
    CHECK(content_of(run / "again") == expected);
}

TEST_CASE("reports of merged parts are those of the run over the whole manifest") {
    const Workplace run;
    fill(run);
    check_shards(run, 3);
    for (const char* kind : {"json", "sarif", "gitlab", "github", "junit", "markdown", "concise"}) {
        CAPTURE(kind);
        const std::string output = std::string(" --output ") + kind;
        const Run checked = run("--manifest m -0" + output), merged = run("merge 3.part 1.part 2.part" + output);
        CHECK(checked.status == 1);
        CHECK_MESSAGE(merged.status == 1, merged.err);
        CHECK(!checked.out.empty());
        CHECK(merged.out == checked.out);
    }
    const Run page = run("merge 1.part 2.part 3.part --output html");
    CHECK(has(page.out, "The report was merged from parts"));
    CHECK(run("merge 1.part 2.part 3.part --fail-on never").status == 0);
    CHECK(run("merge 1.part 2.part 3.part --exit-zero").status == 0);
}

TEST_CASE("the overview has formats, rules with example files, and the totals") {
    const Workplace run;
    fill(run);
    check_shards(run, 3);
    const Run merged = run("merge 1.part 2.part 3.part");
    CHECK(merged.status == 1);
    CHECK(merged.err == "");
    CHECK(has(merged.out, "jitdump"));
    CHECK(has(merged.out, "input/unknown-format\n    t/3\n    t/8\n    t/13\n"));
    CHECK(has(merged.out, "30 files: "));
    std::istringstream lines(merged.out);
    for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
    for (const char* parts : {"2.part 1.part", "2.part 3.part", "3.part 1.part"})
        CHECK(has(run(std::string("merge --partial ") + parts).out, "2 of 3 shards\n"));
}

TEST_CASE("a part matches the schema, and has the entries of the manifest") {
    const Workplace run;
    fill(run);
    const std::string part = whole(run);
    const nlohmann::json& schema = output_schema();
    std::istringstream lines(part);
    uint64_t files = 0;
    nlohmann::json last;
    for (std::string line; std::getline(lines, line);) {
        last = nlohmann::json::parse(line);
        CHECK(schema_fault(schema, "line", last) == "");
        if (last.at("type") != "file") continue;
        ++files;
        CHECK(last.at("entry") == files);
        if (last.at("path").get<std::string>().starts_with("t/not"))
            CHECK(last.at("path_bytes") == "742f6e6f7420ff207574662d38");
        if (files == kListed) CHECK(last.at("etag") == "\"9f-2\"");
    }
    CHECK(files == kListed);
    CHECK(last.at("part").at("entries") == kListed);
    CHECK(last.at("part").at("options") == nlohmann::json::object());
    uint64_t findings = 0, errors = 0;
    for (const nlohmann::json& total : last.at("totals")) {
        findings += total.at("findings").get<uint64_t>();
        errors += total.at("severity") == "error" ? total.at("findings").get<uint64_t>() : 0;
    }
    CHECK(errors >= 17);
    CHECK(findings > errors);
}

TEST_CASE("parts that do not fit together are reported, and nothing is written") {
    const Workplace run;
    fill(run);
    check_shards(run, 3);
    run.shell("cp 1.part 1.copy; head -c 100 2.part >2.cut; sed 4d 2.part >2.less; : >empty; echo '{}' >json; mkdir d");
    run.shell("sed '$d' 2.part >2.open; sed 's/\"version\":\"[^\"]*\"/\"version\":\"0.0.1\"/' 2.part >2.old");
    run.shell("sed '0,/\"message\":\"/s//\"message\":\"x/' 2.part >2.words");
    run.shell(
        "sed 's/\"verdict\":\"error\"/\"verdict\":\"clean\"/' 2.part >2.verdict; sed '$s/\"files\":/\"files\":1/' "
        "2.part >2.sum");
    run.shell("sed '0,/\"container\":null/s//\"container\":\"xz\"/' 2.part >2.xz");
    run.shell("sed '0,/\"byte_order\":\"little\"/s//\"byte_order\":\"middle\"/' 2.part >2.order");
    run.shell("sed 's/^{\"type\":\"file\".*}$/&\\x00x/' 2.part >2.nul");
    run("--manifest m -0 --shard 2/3 --select jitdump/ --output ndjson=2.options");
    run("--manifest m -0 --shard 2/4 --output ndjson=2.of4");
    run("--manifest m -0 --output ndjson=all");
    run.shell("{ cat m; printf 't/0\\0'; } >m2; \"$T\" --manifest m2 -0 --shard 2/3 --output ndjson=2.other");
    struct Case {
        const char* words;
        const char* fault;
    };
    const Case cases[] = {
        {"1.part 3.part", "1 shard of 3 missing: 2; --partial merges the others"},
        {"3.part", "2 shards of 3 missing: 1-2; --partial merges the others"},
        {"1.part 2.part 3.part 1.part", "1.part has shard 1, which 1.part also has"},
        {"1.part 2.part 3.part 1.copy", "1.copy has shard 1, which 1.part also has"},
        {"1.part 2.part 3.part none", "none cannot be opened: No such file or directory"},
        {"1.part 2.part 3.part d", "d is not a file"},
        {"1.part 2.cut 3.part", "2.cut is truncated: its last line is not a summary"},
        {"1.part 2.open 3.part", "2.open is truncated: its last line is not a summary"},
        {"1.part empty 3.part", "empty is truncated: its last line is not a summary"},
        {"1.part json 3.part", "json is truncated: its last line is not a summary"},
        {"1.part 2.less 3.part", "2.less"},
        {"1.part 2.old 3.part", "2.old was made by tracelint 0.0.1; this is " TRACELINT_VERSION},
        {"1.part 2.words 3.part", "whose message is not that of the rule"},
        {"1.part 2.verdict 3.part", "2.verdict has a verdict of entry"},
        {"1.part 2.sum 3.part", "the parts do not match their last lines"},
        {"1.part 2.xz 3.part", "2.xz names a container that this version does not know"},
        {"1.part 2.order 3.part", "2.order names an unknown byte order"},
        {"1.part 2.nul 3.part",
         "2.nul is not a part of a fleet's results: a line is not a JSON object that tracelint writes"},
        {"1.part 2.options 3.part", "2.options was made with other options than 1.part"},
        {"1.part 2.of4 3.part", "2.of4 is from a manifest with another number of shards than 1.part"},
        {"1.part 2.other 3.part", "2.other is from another manifest than 1.part"},
        {"1.part 2.part 3.part --expect-manifest m2", "3.part is from another manifest than m2"},
        {"1.part 2.part 3.part --expect-manifest none", "--expect-manifest: none: "},
        {"--partial 1.part all", "all is from a manifest with another number of shards than 1.part"},
        {"--partial - 1.part", "- cannot be opened"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.words);
        const Run merged = run(std::string("merge --output json=out --output ndjson=out2 ") + c.words);
        CHECK(merged.status == 3);
        CHECK_MESSAGE(has(merged.err, c.fault), merged.err);
        CHECK(!fs::exists(run / "out"));
        CHECK(!fs::exists(run / "out2"));
    }
    CHECK(run("merge 1.part 2.part 3.part --output ndjson=2.part").status == 2);
    CHECK(run("merge").status == 2);
    // Another program may add members, and the files may come from elsewhere.
    run.shell("sed 's/^{\"type\":\"file\",\\(\"entry\":[0-9]*\\),/&\"new\":[{}],/' 2.part >2.more");
    CHECK(run("merge 1.part 2.more 3.part --output ndjson=out").status == 1);
    CHECK(has(content_of(run / "out"), "\"new\":[{}]"));
}

TEST_CASE("a manifest is checked before anything else, and goes with no other inputs") {
    const Workplace run;
    fill(run);
    write(run / "lines", "t/0\r\nt/1\t5\t\t\n");
    struct Case {
        const char* words;
        int status;
        const char* message;
    };
    const Case cases[] = {
        {"--manifest m", 2, "--manifest: m: line 1 has a NUL; use -0 for a manifest whose entries end with NUL"},
        {"--manifest none", 3, "--manifest: none: "},
        {"--manifest /dev/null", 3, "--manifest: /dev/null lists no file"},
        {"--manifest m -0 t/0", 2, "--manifest and FILE exclude each other"},
        {"--manifest m -0 --files-from m", 2, "--manifest and --files-from exclude each other"},
        {"--manifest m -0 --baseline b", 2, "--manifest and --baseline exclude each other"},
        {"--manifest m -0 --with t/0", 2, "--manifest and --with exclude each other"},
        {"--manifest m -0 --for perf", 2, "--manifest and --for exclude each other"},
        {"--manifest m --manifest m", 2, "--manifest can be given only once"},
        {"--manifest m -0 --output json=m", 2, "--output: m is an input"},
        {"--shard 1/2 t/0", 2, "--shard needs --manifest"},
        {"--redo t/0", 2, "--redo needs --manifest"},
        {"--manifest m --shard 0/2", 2, "--shard: invalid shard '0/2'; expected I/N such as 1/40"},
        {"--manifest m --shard 3/2", 2, "--shard: invalid shard '3/2'"},
        {"--manifest m --shard 1/100001", 2, "--shard: invalid shard '1/100001'"},
        {"--manifest m --shard 2", 2, "--shard: invalid shard '2'"},
        {"--manifest lines --quiet", 3, "t/1: changed: its size is "},
    };
    for (const Case& c : cases) {
        CAPTURE(c.words);
        const Run wrong = run(c.words);
        CHECK(wrong.status == c.status);
        CHECK_MESSAGE(has(wrong.err, c.message), wrong.err);
    }
    CHECK(run.shell("\"$T\" --manifest - -0 --summary <m").out == run("--manifest m -0 --summary").out);
    CHECK(has(run("--manifest m -0 --exclude 't/[12]*' --output ndjson").out, "\"left_out\":16"));
}

TEST_CASE("entries that cannot be read, or are listed twice, are counted and reported") {
    const Workplace run;
    write(run / "a", clean());
    fs::create_directories(run / "folder");
    write(run / "m", "a\nmissing\nfolder\na\na\t\t\t\n");
    const Run checked = run("--manifest m --exit-zero --output ndjson=p");
    CHECK(checked.status == 3);
    CHECK(has(checked.err, "missing: cannot open: No such file"));
    CHECK(has(checked.err, "folder: is a directory"));
    CHECK(has(checked.err, "--manifest: m: 2 repeated paths left out"));
    const Run merged = run("merge p");
    CHECK(merged.status == 3);
    CHECK(has(merged.out, "not read\n  missing: cannot open: No such file"));
    CHECK(has(merged.out, "2 files of the manifest left out, repeated or excluded"));
    CHECK(has(merged.out, "\n3 files: "));
    // The part is made again until everything is read.
    CHECK(has(run("--manifest m --output ndjson=p").err, "missing: cannot open"));
}

TEST_CASE("--fetched has the files of URLs, or says why one is not there") {
    const Workplace run;
    write(run / "b", clean());
    write(run / "m", "s3://traces/a\nb\n\ns3://traces/a?X-Signature=" + std::string(500, 'x') +
                         "\ns3://traces/c\t3\t\t\ns3://traces/../d\n");
    run.shell("mkdir f; echo HTTP 403 >f/5.failure");
    write(run / "f/1", cut());
    write(run / "f/4", cut());
    write(run / "f/5", clean());
    run.shell("mv f/5 f/6");
    const Run checked = run("--manifest m --exit-zero --fetched f --output ndjson=p");
    CHECK(checked.status == 3);
    CHECK(has(checked.err, "s3://traces/c: HTTP 403\n"));
    write(run / "f/5", clean());
    CHECK(
        has(run("--manifest m --exit-zero --fetched f --output ndjson=p").err, "s3://traces/c: changed: its size is"));
    const std::string part = content_of(run / "p");
    CHECK(has(part, R"("entry":1,"path":"s3://traces/a","format":"jitdump")"));
    CHECK(has(part, R"("entry":2,"path":"b","format":"jitdump")"));
    CHECK(has(part, std::string(500, 'x') + R"(","format":"jitdump")"));
    CHECK(has(part, R"("entry":6,"path":"s3://traces/../d","format":"jitdump")"));
    CHECK(has(run("merge p --expect-manifest m").out, "5 files: 2 with errors"));
    CHECK(has(run("--manifest m --exit-zero").err, "s3://traces/a: cannot open: No such file"));
    CHECK(has(run("--fetched f b").err, "--fetched needs --manifest"));
}

TEST_CASE("the format in a manifest is not checked, unless --as says otherwise") {
    const Workplace run;
    write(run / "a", "XiTD"s + std::string(36, '\0'));
    write(run / "m", "a\t40\t\tjitdump\n");
    CHECK(has(run("--manifest m").out, ": jitdump, 40 bytes"));
    CHECK(has(run("--manifest m --as gperftools").out, ": gperftools"));
    CHECK(!has(run("a").out, ": jitdump"));
}

TEST_CASE("a finished shard is not checked again") {
    const Workplace run;
    fill(run);
    const std::string words = "--manifest m -0 --shard 2/3 --output ndjson=p ";
    CHECK(run(words).status == 1);
    const std::string part = content_of(run / "p");
    write(run / "t/0", "changed"), write(run / "t/1", "changed");
    const auto is_skipped = [&](const std::string& more) {
        return has(run(words + more).err, "p is finished: shard 2 of 3");
    };
    CHECK(is_skipped(""));
    CHECK(is_skipped("-j 2 --color never"));
    CHECK(run(words).status == 1);
    CHECK(run(words + "--exit-zero").status == 0);
    CHECK(run(words + "--fail-on never").status == 0);
    CHECK(content_of(run / "p") == part);
    CHECK_FALSE(is_skipped("--redo"));
    CHECK(content_of(run / "p") != part);
    for (const char* more :
         {"--select jitdump/", "--max-per-rule 3", "--note jitdump/", "--max-memory 8M", "--expect xray"}) {
        CAPTURE(more);
        CHECK_FALSE(is_skipped(more));
        CHECK(is_skipped(more));
    }
    for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
             {"--max-memory 8M", "--max-memory 8388608"},
             {"--max-record 64M --max-per-rule 20 --min-severity note", ""},
             {"--select jitdump/,xray/", "--select xray/ --select jitdump/ --select xray/"},
             {"--ignore xray/,jitdump/", "--ignore jitdump/,xray/"},
             {"--note jitdump/ --error xray/", "--error xray/ --note jitdump/"},
             {"--off xray/ --error xray/", "--error xray/"}}) {
        CAPTURE(one);
        run(words + "--redo " + one);
        CHECK(is_skipped(other));
    }
    for (const char* covering : {"--note jitdump/ --error jitdump/load-", "--error jitdump/load- --note jitdump/"})
        CHECK_FALSE(is_skipped(covering));
    CHECK_FALSE(is_skipped(""));
    CHECK(is_skipped(""));
    CHECK_FALSE(is_skipped("--output json=j"));
    CHECK_FALSE(has(run("--manifest m -0 --shard 1/3 --output ndjson=p").err, "is finished"));
    write(run / "p", part.substr(0, part.size() - 2));
    CHECK_FALSE(is_skipped(""));
    CHECK(is_skipped(""));
}

TEST_CASE("a run that is killed, cut short or out of space leaves no part") {
    const Workplace run;
    fill(run);
    const std::string words = "--manifest m -0 --exit-zero --output ndjson=p";
    CHECK(run.shell("ulimit -f 1; \"$T\" " + words).status == 4);
    CHECK(!fs::exists(run / "p"));
    CHECK(run("--manifest m -0 --output ndjson=/dev/full").status == 4);
    // A pipe without a writer holds the run up.
    run.shell("mkfifo t/pipe; { cat m; printf 't/pipe\\0'; } >m2");
    const pid_t child = run.start("exec \"$T\" --manifest m2 -0 --output ndjson=p 2>err");
    const int pipe = open((run / "t/pipe").c_str(), O_WRONLY | O_CLOEXEC);  // returns when the program has opened it
    REQUIRE(pipe >= 0);
    kill(child, SIGTERM);
    CHECK(status_of(child) == 4);
    close(pipe);
    CHECK(!fs::exists(run / "p"));
    CHECK(has(content_of(run / "err"), "p is not written: the shard is not finished"));

    Random random(3);
    std::string expected;
    for (int i = 0; i < 20; ++i) {
        const pid_t killed = run.start("exec \"$T\" " + words);
        std::this_thread::sleep_for(std::chrono::microseconds(between(random, 0, 60'000)));
        kill(killed, SIGKILL);
        status_of(killed);
        if (!fs::exists(run / "p")) continue;
        CHECK(run("merge p --exit-zero --expect-manifest m").status == 0);
        if (expected.empty()) expected = content_of(run / "p");
        CHECK(content_of(run / "p") == expected);
        fs::remove(run / "p");
    }
    CHECK(run(words).status == 0);
    if (!expected.empty()) CHECK(content_of(run / "p") == expected);
}

TEST_CASE("a part is written nowhere but to a file of its own") {
    const Workplace run;
    fill(run);
    const std::string words = "--manifest m -0 --exit-zero --output ndjson=p ";
    const std::string part = whole(run);
    write(run / "p", "earlier");
    fs::create_hard_link(run / "p", run / "q");
    CHECK(run(words).status == 0);
    CHECK(content_of(run / "p") == part);
    CHECK(content_of(run / "q") == "earlier");
    // In a folder that only others may write to.
    std::string nobody;
    if (geteuid() == 0) nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
    if (run.shell(nobody + "test -x \"$T\"").status != 0) return;
    write(run / "q", "earlier");
    run.shell("chmod -R a+rX . && chmod a-w . && chmod 666 q");
    const Run refused = run.shell(nobody + "\"$T\" --manifest m -0 --exit-zero --output ndjson=q");
    run.shell("chmod u+w .");
    CHECK(refused.status == 4);
    CHECK_MESSAGE(has(refused.err, "cannot write q: Permission denied"), refused.err);
    CHECK(content_of(run / "q") == "earlier");
}

TEST_CASE("merge takes the parts that lists name") {
    const Workplace run;
    fill(run);
    check_shards(run, 3);
    const std::string expected = whole(run);
    write(run / "list", "2.part\r\n\n3.part\n");
    write(run / "nulls", "1.part\0002.part\0003.part"s);
    write(run / "empty", "\n");
    CHECK(run("merge --exit-zero 1.part --files-from list --output ndjson=a").status == 0);
    CHECK(content_of(run / "a") == expected);
    CHECK(run.shell("\"$T\" merge --exit-zero -0 --files-from - --output ndjson=b <nulls").status == 0);
    CHECK(content_of(run / "b") == expected);
    struct Case {
        const char* words;
        int status;
        const char* message;
    };
    const Case cases[] = {
        {"--files-from list", 3, "1 shard of 3 missing: 1;"},
        {"--files-from none", 3, "--files-from: none: "},
        {"--files-from empty", 3, "--files-from: empty lists no file"},
        {"--files-from nulls", 2, "--files-from: nulls: line 1 has a NUL"},
        {"--files-from ''", 2, "--files-from: file name missing"},
        {"-0 1.part", 2, "--null needs --files-from"},
        {"1.part --files-from list --output json=list", 2, "--output: list is a list of parts"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.words);
        const Run merged = run(std::string("merge ") + c.words);
        CHECK(merged.status == c.status);
        CHECK_MESSAGE(has(merged.err, c.message), merged.err);
    }
}

TEST_CASE("the numbers and the text of every message can be read from it") {
    Random random(5);
    constexpr uint64_t kEdges[] = {0, 1, 2, 10, ~uint64_t{0}, uint64_t{1} << 63};
    for (const Rule* rule : all_rules())
        for (const bool is_overridden : {false, true}) {
            if (is_overridden && !rule->severity_override) continue;
            const Message& message = is_overridden && !rule->severity_override->message.empty()
                                         ? rule->severity_override->message
                                         : rule->message;
            for (int i = 0; i < 8; ++i) {
                Diagnostic diagnostic{.rule = rule, .text = "a 'text', with 1 {0}"};
                diagnostic.is_overridden = is_overridden;
                for (size_t n = 0; n < message.numbers; ++n)
                    diagnostic.numbers[n] = one_in(random, 2) ? kEdges[below(random, std::size(kEdges))] : random();
                const std::string sentence = message_of(diagnostic);
                CAPTURE(sentence);
                std::array<uint64_t, 4> numbers{};
                std::string_view text;
                CHECK(read_message(message.text, sentence, numbers, text));
                Diagnostic again = diagnostic;
                again.numbers = numbers;
                if (!text.empty()) again.text = text;
                CHECK(message_of(again) == sentence);
            }
        }
    std::array<uint64_t, 4> numbers{};
    std::string_view text;
    CHECK_FALSE(read_message("{0 byte|bytes} at {1x}", "1 bytes at 0x2", numbers, text));
    CHECK_FALSE(read_message("{0}", "1 ", numbers, text));
    CHECK_FALSE(read_message("{0d}", "x", numbers, text));
}

TEST_CASE("what a part says of a file is rebuilt exactly, whatever the file") {
    const Rebuilder rebuilder;
    for (const Format* format : formats())
        for (const NamedBytes& file : corpus_bytes(*format)) {
            CAPTURE(file.name);
            if (file.bytes.size() > (size_t{32} << 10)) continue;  // the cases, which are small, have every rule
            const std::string part = part_of({{file.name, file.bytes}});
            const std::string lines = part.substr(0, part.rfind('\n', part.size() - 2) + 1);
            try {
                CHECK(lines_of(rebuilder.file(lines)) == lines);
            } catch (const PartFault& fault) {
                FAIL_CHECK(fault.message);
            }
        }
}

TEST_CASE("any bytes are a part or a fault") {
    const std::string parts[] = {part_of({{"a", clean()}, {"b", cut()}, {"c\xff", "no trace"}}),
                                 part_of({{"n", noted()}})};
    for (const std::string& part : parts) hold(part_holds(part));
    hold(part_holds(""));
    hold(part_holds("\n\n"));
    Random random(11);
    for (uint64_t left = seeds(500); left > 0; --left) {
        std::string bytes = parts[one_in(random, 8) ? 1 : 0];
        for (uint64_t edits = between(random, 1, 3); edits > 0; --edits) {
            const size_t at = below(random, bytes.size());
            const size_t length = between(random, 1, 40);
            switch (below(random, 4)) {
                case 0: bytes[at] = static_cast<char>(random()); break;
                case 1: bytes.erase(at, length); break;
                case 2: bytes.insert(at, bytes.substr(below(random, bytes.size()), length)); break;
                default: bytes[at] = "0123456789\"{}[],:\n"[below(random, 18)]; break;
            }
            if (bytes.empty()) bytes = "\n";
        }
        hold(part_holds(bytes));
    }
}

}  // namespace
}  // namespace tracelint
