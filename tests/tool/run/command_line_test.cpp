// The program as a user runs it: exit statuses, messages, folders, pipes, output files.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <sstream>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/options/command_line.hpp"

namespace tracelint {
namespace {

TEST_CASE("exit statuses say what was found") {
    const Workplace run;
    write(run / "clean.dump", clean());
    write(run / "noted.dump", noted());
    write(run / "cut.dump", cut());
    CHECK(run("clean.dump").status == 0);
    CHECK(run("noted.dump").status == 0);
    CHECK(run("--fail-on note noted.dump").status == 1);
    CHECK(run("--fail-on warning noted.dump").status == 0);
    CHECK(run("cut.dump").status == 1);
    CHECK(run("cut.dump clean.dump").status == 1);
    CHECK(run("--fail-on never cut.dump").status == 0);
    CHECK(run("missing.dump clean.dump").status == 3);
    CHECK(run("missing.dump cut.dump").status == 3);
    CHECK(run("--fail-on never missing.dump").status == 3);
    CHECK(run("").status == 2);
    CHECK(run("--bogus cut.dump missing.dump").status == 2);
}

TEST_CASE("a named file of unknown format is a finding") {
    const Workplace run;
    write(run / "letter.txt", "Dear reader, this is no trace.\n");
    write(run / "empty", "");
    const Run letter = run("letter.txt");
    CHECK(letter.status == 1);
    CHECK(has(letter.out, "letter.txt:0x0: error: "));
    CHECK(has(letter.out, "[input/unknown-format]"));
    CHECK(run("empty").status == 1);
}

TEST_CASE("one bad file does not stop the others") {
    const Workplace run;
    write(run / "clean.dump", clean());
    write(run / "cut.dump", cut());
    const Run all = run("cut.dump missing.dump clean.dump");
    CHECK(has(all.out, "cut.dump: 1 error: jitdump version 1"));
    CHECK(has(all.out, "clean.dump: ok: jitdump version 1"));
    CHECK(has(all.out, "3 files: 1 with errors, 1 ok, 1 unreadable"));
    CHECK(has(all.err, "tracelint: missing.dump: "));
    CHECK(has(all.err, "No such file"));
}

TEST_CASE("usage errors are reported, with a suggestion") {
    const Workplace run;
    const auto complaint = [&](const std::string& arguments) {
        const Run wrong = run(arguments);
        CHECK(wrong.status == 2);
        CHECK(wrong.out.empty());
        CHECK(lines_of(wrong.err) == 1);
        return wrong.err;
    };
    CHECK(has(complaint("--statistic x"), "unknown option '--statistic'; did you mean '--statistics'?"));
    CHECK(has(complaint("--fail-on eror x"), "did you mean 'error'?"));
    CHECK(has(complaint("--as jitdmup x"), "did you mean 'jitdump'?"));
    CHECK(has(complaint("--output jsn x"), "did you mean 'json'?"));
    CHECK(has(complaint("--output report.html x"), "did you mean 'html=report.html'?"));
    CHECK(has(complaint("--output out/report.xml x"), "did you mean 'junit=out/report.xml'?"));
    CHECK(has(complaint("--output xml x"), "did you mean 'junit'?"));
    CHECK(has(complaint("--json x"), "did you mean '--output json'?"));
    CHECK(has(complaint("dump --ndjson x"), "did you mean '--output ndjson'?"));
    CHECK_FALSE(has(complaint("dump --sarif x"), "--output sarif"));
    for (const char* other : {"--format json", "--format=json", "-o report.html", "--output-format=json"})
        CHECK_MESSAGE(has(complaint(std::string(other) + " x"), "did you mean '--output'?"), other);
    CHECK(has(complaint("--min-severity warn x"), "did you mean 'warning'?"));
    CHECK(has(complaint("--min-severity info x"), "did you mean 'note'?"));
    CHECK(has(complaint("--fail-on none x"), "did you mean 'never'?"));
    CHECK(has(complaint("--ignore jitdmp/ x"), "did you mean 'jitdump/'?"));
    CHECK(has(complaint("--ignore jitdump/laod- x"), "did you mean 'jitdump/load-'?"));
    CHECK(has(complaint("--select 'jitdump/*' x"), "did you mean 'jitdump/'?"));
    CHECK(has(complaint("--select jitdmp x"), "a rule (tracelint rules lists them), a format or a prefix"));
    CHECK(has(complaint("explain jitdmp/"), "did you mean 'jitdump/'?"));
    CHECK(has(complaint("--samply-260 teir x"),
              "invalid value 'teir'; expected auto, positions or tier; did you mean 'tier'?"));
    CHECK(has(complaint("--color sometimes x"), "expected auto, always or never"));
    CHECK(has(complaint("--select jitdump/bad-magik x"), "did you mean 'jitdump/bad-magic'?"));
    CHECK(has(complaint("--ignore '' x"), "no rule matches ''"));
    CHECK(has(complaint("explain jitdump/bad-magik"), "did you mean 'jitdump/bad-magic'?"));
    CHECK(has(complaint("explain"), "RULE is required"));
    CHECK(has(complaint("dump a b"), "unexpected argument 'b'"));
    CHECK(has(complaint("generate jitdmp"), "did you mean 'jitdump'?"));
    CHECK(has(complaint("generate jitdump --violate input/unknown-format"), "is not a rule of jitdump"));
    CHECK(has(complaint("generate jitdump --size 257M"), "the maximum is 256M"));
    CHECK(has(complaint("--max-memory lots x"), "invalid size 'lots'"));
    CHECK(has(complaint("--max-per-rule -1 x"), "--max-per-rule"));
    CHECK(has(complaint("- -"), "given only once"));
    CHECK(has(complaint("--output text --output json x"), "more than one output to standard output"));
    CHECK(has(complaint("--output json= x"), "file name missing"));
    CHECK(has(complaint("--as"), "--as"));
    CHECK(has(complaint("$(printf '\\033[2J\\377') --bogu$(printf '\\033')s"), "\\x1b"));
    CHECK(has(complaint(""), "no input given; expected: tracelint FILE...; tracelint --help"));
    CHECK(has(complaint("--recursive x"), "unknown option '--recursive'; see tracelint --help"));
    CHECK(has(complaint("--for prf x"), "unknown reader 'prf'; --for list shows those that are known"));
    CHECK(has(complaint("--for prf x"), "did you mean 'perf'?"));
    CHECK(has(complaint("--for any@14 x"), "--for: any has no version, but 'any@14' has one; name a reader"));
    CHECK(has(complaint("--for perf@5 x"),
              "--for: perf is known in version 6.1 (jitdump: measured, perfmap: measured, perfdata: measured) or 7.2 "
              "(jitdump: measured, perfmap: by its source, perfdata: measured), not '5'"));
    CHECK(has(complaint("dump"), "FILE is required; see tracelint dump --help"));
    CHECK(has(complaint("explain nothing/"), "unknown rule 'nothing/'; tracelint rules lists them"));
    CHECK(has(complaint("-j cut.dump"), "'cut.dump'; expected how many files to check in parallel, such as -j 4"));
    CHECK(has(complaint("rules jitdmp/"), "did you mean 'jitdump/'?"));
    // The format is right; mlpd and perfdata have rules whose ids are nearer.
    CHECK(has(complaint("explain xray/truncated-recrod"), "did you mean 'xray/truncated-record'?"));
    CHECK(has(complaint("explain pprof/mapping-overlaps"), "did you mean 'pprof/mapping-overlap'?"));
}

TEST_CASE("a word that is no file is taken for a command that is called otherwise") {
    const Workplace run;
    write(run / "cut.dump", cut());
    constexpr std::pair<const char*, const char*> kHints[] = {
        {"rulse", "did you mean 'rules'?"},
        {"validate cut.dump", "; to check files, no command is needed: tracelint FILE..."},
        {"lint cut.dump", "; to check files, no command is needed: tracelint FILE..."},
        {"version", "; did you mean 'tracelint --version'?"},
        {"completion", "; completions for bash, zsh and fish come with the packages"},
        {"--quiet explain jitdump/bad-magic", "; a command precedes its options: tracelint explain ..."},
    };
    for (const auto& [arguments, hint] : kHints) {
        CAPTURE(arguments);
        const Run wrong = run(arguments);
        CHECK(wrong.status == 3);
        CHECK(has(wrong.err, hint));
    }
}

TEST_CASE("reports in files are followed by one line that says what was found and written") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "clean.dump", clean());
    const Run written = run("--output html=r.html --output json=r.json cut.dump clean.dump");
    CHECK(written.status == 1);
    CHECK(written.out == "2 files: 1 with errors, 1 ok; written: r.html, r.json\n");
    CHECK(run("--quiet --output json=r.json cut.dump").out.empty());
    CHECK_FALSE(has(run("--output text --output json=r.json cut.dump").out, "written:"));
    CHECK(run("--output json=none/r.json cut.dump").out.empty());
}

TEST_CASE("a file may be called like a command or an option") {
    const Workplace run;
    write(run / "rules", clean());
    write(run / "--quiet", clean());
    CHECK(has(run("./rules").out, "./rules: ok: jitdump"));
    CHECK(has(run("-- rules").out, "rules: ok: jitdump"));
    CHECK(has(run("-- --quiet").out, "--quiet: ok: jitdump"));
    CHECK(has(run("rules").out, "input/unknown-format"));
}

TEST_CASE("standard input is read, piped or redirected") {
    const Workplace run;
    write(run / "cut.dump", cut());
    for (const char* command : {"\"$T\" - <cut.dump", "cat cut.dump | \"$T\" -", "cat cut.dump | \"$T\" /dev/stdin"}) {
        CAPTURE(command);
        const Run piped = run.shell(command);
        CHECK(piped.status == 1);
        CHECK(has(piped.out, "[jitdump/truncated-record]"));
    }
    CHECK(has(run.shell("\"$T\" - <cut.dump").out, "<stdin>:0x"));
    CHECK(has(run("--output json - <cut.dump").out, "\"path\":\"-\""));
}

TEST_CASE("folders are walked in order, and files that are not traces are skipped") {
    const Workplace run;
    fs::create_directories(run / "traces/b/deep");
    write(run / "traces/c.dump", clean());
    write(run / "traces/a.dump", cut());
    write(run / "traces/b/deep/x.dump", noted());
    write(run / "traces/b/note.txt", "no trace");
    write(run / "traces/empty", "");
    fs::create_directory_symlink("..", run / "traces/b/up");
    REQUIRE(mkfifo((run / "traces/pipe").c_str(), 0600) == 0);
    const Run walked = run("traces");
    CHECK(walked.status == 1);
    const auto closing_of = [&](const std::string& file) { return walked.out.rfind(file + ": "); };
    const size_t a = closing_of("traces/a.dump"), x = closing_of("traces/b/deep/x.dump"),
                 c = closing_of("traces/c.dump");
    CHECK((a < x && x < c && c != std::string::npos));
    CHECK(has(walked.out, "3 files: 1 with errors, 1 with notes only, 1 ok; 2 skipped"));

    fs::create_directory(run / "none");
    write(run / "none/note.txt", "no trace");
    const Run none = run("none");
    CHECK(none.status == 3);
    CHECK(has(none.err, "no traces found in none; looked at 1 file: 1 of no known format\n"));
}

TEST_CASE("in a folder, a container of no trace is skipped, whatever is wrong with it") {
    const Workplace run;
    fs::create_directory(run / "traces");
    write(run / "traces/a.dump", clean());
    REQUIRE(run.shell("cd traces; gzip -c a.dump | head -c 1000 >cut.gz; echo text | gzip >text.gz; "
                      "cat text.gz text.gz >joined.gz; { cat text.gz; echo junk; } >junk.gz; "
                      "head -c 22 text.gz >cut-text.gz; head -c 8 text.gz >header.gz; "
                      "seq 9999 | gzip | head -c 9000 >cut-long.gz")
                .status == 0);
    const Run walked = run("--output concise traces");
    CHECK(walked.status == 1);
    CHECK(lines_of(walked.out) == 1);
    CHECK(has(walked.out, "traces/cut.gz:0x"));
    CHECK(has(walked.out, "[gzip/truncated]"));
    CHECK(has(run("traces").out, "2 files: 1 with errors, 1 ok; 6 skipped"));
    // --as says that every file is a trace, so nothing is skipped.
    write(run / "traces/empty", "");
    CHECK(has(run("--as jitdump --output concise traces").out, "traces/empty:0x0"));
}

TEST_CASE("several gzip members hold one trace") {
    const Workplace run;
    write(run / "a.dump", clean());
    REQUIRE(run.shell("{ head -c 100 a.dump | gzip; tail -c +101 a.dump | gzip; } >a.gz; printf hello | gzip -n >h; "
                      "cat h h >hello.gz")
                .status == 0);
    CHECK(run("a.gz").status == 0);
    CHECK(run("dump a.gz").out == run("dump a.dump").out);
    const Run hello = run("--output concise hello.gz");
    CHECK(hello.status == 1);
    CHECK(hello.out ==
          "hello.gz:0x0+10: error: the file is not in a known format; if you know it, name it with --as "
          "[input/unknown-format]\n");
}

TEST_CASE("an input without an end is not read for ever") {
    const Workplace run;
    struct Case {
        const char *producer, *words;
        int status;
        const char* says;
    };
    const Case cases[] = {
        {":", "/dev/zero", 1, "[input/unknown-format]"},
        {"yes", "-", 1, "[input/unknown-format]"},
        {"yes | gzip", "-", 1, "[input/unknown-format]"},
        {"yes", "--output json -", 1, "\"size\":null"},
        {"head -c 70000 /dev/zero; exec sleep 100", "-", 1, "1 error: unknown format, not read to its end"},
        {"printf JiTD; cat /dev/zero", "-", 1, "[jitdump/record-size-too-small]"},
        {":", "--as jitdump /dev/zero", 1, "[jitdump/bad-magic]"},
        {":", "--as xray /dev/zero", 1, "[xray/unsupported-version]"},
        {":", "--as gperftools /dev/zero", 1, "[gperftools/header-words-too-small]"},
        {":", "--as mlpd /dev/zero", 1, "[mlpd/bad-magic]"},
        {"printf JiTD; head -c 5000 /dev/zero; exec sleep 100", "-", 1, "not read to its end"},
        {"printf JiTD; cat /dev/zero", "dump -", 0, "header at 0x0"},
    };
    for (const auto& [producer, words, status, says] : cases) {
        CAPTURE(producer);
        CAPTURE(words);
        const Run ran =
            run.shell("rm -f pipe; mkfifo pipe; { " + std::string(producer) + "; } >pipe & <pipe timeout 20 \"$T\" " +
                      words + "; status=$?; kill $! 2>/dev/null; exit $status");
        CHECK(ran.status == status);
        CHECK(has(ran.out, says));
    }
}

TEST_CASE("a link whose target cannot be read is also unreadable in a folder") {
    const Workplace run;
    fs::create_directory(run / "traces");
    write(run / "traces/b.dump", clean());
    fs::create_symlink("b.dump", run / "traces/good");
    CHECK(run("traces").status == 0);
    CHECK(has(run("traces").out, "2 files: "));
    fs::create_symlink("nowhere", run / "traces/a");
    fs::create_symlink("loop", run / "traces/loop");
    const Run walked = run("traces");
    CHECK(walked.status == 3);
    CHECK(walked.err ==
          "tracelint: traces/a: cannot open: No such file or directory\n"
          "tracelint: traces/loop: cannot open: Too many levels of symbolic links\n");
    CHECK(has(walked.out, "4 files: 2 ok, 2 unreadable"));
    CHECK(run("traces/a").status == 3);
}

TEST_CASE("a folder without traces is reported even if other files are clean") {
    const Workplace run;
    fs::create_directories(run / "none/deep");
    fs::create_directory(run / "empty");
    write(run / "none/deep/note.txt", "no trace");
    write(run / "clean.dump", clean());
    const Run checked = run("none clean.dump empty");
    CHECK(checked.status == 0);
    CHECK(checked.err ==
          "tracelint: no traces found in none; looked at 1 file: 1 of no known format\n"
          "tracelint: no traces found in empty; it contains no files\n");
}

TEST_CASE("a limit that is hit shows in the exit status whatever rules are enabled") {
    const Workplace run;
    write(run / "clean.dump", clean());
    for (const char* rules : {"", "--ignore jitdump/", "--select jitdump/bad-magic"}) {
        CAPTURE(rules);
        CHECK(run("--max-memory 1 " + std::string(rules) + " clean.dump").status == 4);
    }
}

TEST_CASE("files are checked even if no thread can be started") {
    const Workplace run;
    write(run / "a.dump", clean());
    write(run / "b.dump", cut());
    // A stack size that no address space has room for.
    const Run checked = run.shell("ulimit -s 1000000000000; \"$T\" -j 4 a.dump b.dump");
    CHECK(checked.status == 1);
    CHECK(checked.err.empty());
}

TEST_CASE("the output is the same however many files are checked at once") {
    const Workplace run;
    fs::create_directory(run / "many");
    for (int i = 0; i < 60; ++i) {
        const std::string name = "many/" + std::to_string(i);
        write(run / name, i % 3 == 0 ? cut() : i % 3 == 1 ? noted() : clean());
    }
    for (const char* kind : {"text", "concise", "json", "ndjson"}) {
        const Run one = run("--output " + std::string(kind) + " many missing many/5");
        const Run eight = run("-j 8 --output " + std::string(kind) + " many missing many/5");
        CHECK(one.out == eight.out);
        CHECK(one.err == eight.err);
        CHECK(one.status == eight.status);
        CHECK(run("-j0 --quiet many").status == 1);
    }
}

TEST_CASE("a closed pipe ends the output quietly") {
    const Workplace run;
    fs::create_directory(run / "many");
    for (int i = 0; i < 200; ++i) write(run / ("many/" + std::to_string(i)), cut());
    const Run closed = run.shell("{ \"$T\" many; echo $? >status; } | head -n 1");
    CHECK(lines_of(closed.out) == 1);
    CHECK(closed.err.empty());
    CHECK(content_of(run / "status") == "4\n");
    const Run rules = run.shell("{ \"$T\" rules; echo $? >status; } | :");
    CHECK(rules.err.empty());
    CHECK(content_of(run / "status") == "0\n");
}

TEST_CASE("output that cannot be written is an error") {
    const Workplace run;
    write(run / "clean.dump", clean());
    const Run full = run.shell("\"$T\" clean.dump >/dev/full");
    CHECK(full.status == 4);
    CHECK(has(full.err, "cannot write standard output: No space left on device"));
    const Run nowhere = run("--output json=no/such/folder clean.dump");
    CHECK(nowhere.status == 4);
    CHECK(has(nowhere.err, "cannot write no/such/folder"));
    CHECK(run("--output json=clean.dump clean.dump").status == 2);
    CHECK(content_of(run / "clean.dump") == clean());
}

TEST_CASE("a file above the limit of the shell is an error") {
    const Workplace run;
    write(run / "noted.dump", noted());
    for (const char* to : {">out", "--output json=out"}) {
        CAPTURE(to);
        const Run limited = run.shell("ulimit -f 1; \"$T\" --notes --max-per-rule 0 noted.dump " + std::string(to));
        CHECK(limited.status == 4);
        CHECK(has(limited.err, "File too large"));
    }
}

TEST_CASE("an opened file does not take the place of a closed standard stream") {
    const Workplace run;
    write(run / "clean.dump", clean());
    write(run / "cut.dump", cut());
    struct Case {
        const char* words;
        int status;
    };
    const Case cases[] = {
        {"clean.dump >&-", 4},
        {"dump clean.dump >&-", 4},
        {"- <&-", 3},
        {"--output json=out cut.dump >&-", 1},
        {"--output json=out --output concise cut.dump >&-", 4},
        {"--output json=out missing.dump cut.dump 2>&-", 3},
        {"--output json=out missing.dump cut.dump <&- >&- 2>&-", 3},
    };
    for (const auto& [words, status] : cases) {
        CAPTURE(words);
        CHECK(run(words).status == status);
        if (has(words, "=out")) CHECK(nlohmann::json::parse(content_of(run / "out")).at("files").size() >= 1);
    }
}

TEST_CASE("an output overwrites neither an input nor another output") {
    const Workplace run;
    struct Case {
        const char* command;
        int status;
        const char* complaint;
    };
    const Case cases[] = {
        {"\"$T\" --output json=a --output ndjson=./a good", 2, "more than one output to ./a"},
        {"ln -s b link; \"$T\" --output json=link --output ndjson=b good", 2, "more than one output to b"},
        {"\"$T\" --output json=c --output ndjson good >c", 2, "more than one output to c"},
        {"\"$T\" --output json=/dev/null --output ndjson=/dev/./null good", 0, ""},
        {"\"$T\" --output json=d/x.dump d", 2, "d/x.dump is an input"},
        {"ln -s d/x.dump x; \"$T\" --output json=x d", 2, "x is an input"},
        {"\"$T\" --output json=d/y.gz d", 2, "d/y.gz is an input"},
        {"\"$T\" --output json=good - <good", 2, "good is an input"},
        {"\"$T\" --as jitdump --output json=d/findings.json d", 2, "d/findings.json is an input"},
        {"\"$T\" --output json=d/findings.json d", 0, ""},
        {"\"$T\" dump good >>good", 2, "good: standard output is redirected to this input"},
        {"\"$T\" dump - <good 1<>good", 2, "<stdin>: standard output is redirected to this input"},
        {"ln good hard; \"$T\" dump hard >>good", 2, "hard: standard output is redirected to this input"},
        {"\"$T\" good >>good", 2, "standard output is redirected to an input"},
        {"\"$T\" d >>d/x.dump", 2, "standard output is redirected to an input"},
        {"\"$T\" d >d/report.txt && \"$T\" d >>d/report.txt", 0, ""},
        {"\"$T\" --quiet good >>good", 0, ""},
    };
    fs::create_directory(run / "d");
    write(run / "good", clean());
    write(run / "d/x.dump", clean());
    REQUIRE(run.shell("gzip -c good >d/y.gz; \"$T\" --output json=d/findings.json d").status == 0);
    for (const Case& c : cases) {
        CAPTURE(c.command);
        const Run checked = run.shell(c.command);
        CHECK(checked.status == c.status);
        CHECK(has(checked.err, c.complaint));
        CHECK(content_of(run / "good") == clean());
        CHECK(content_of(run / "d/x.dump") == clean());
    }
    const auto summary = nlohmann::json::parse(content_of(run / "d/findings.json")).at("summary");
    CHECK((summary.at("files") == 2 && summary.at("skipped") == 0));
}

TEST_CASE("several outputs are written at once, and --quiet does not affect files") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const Run both = run("--output concise --output json=out.json --output ndjson=out.ndjson cut.dump");
    CHECK(both.status == 1);
    CHECK(has(both.out, "cut.dump:0x"));
    const auto report = nlohmann::json::parse(content_of(run / "out.json"));
    CHECK(schema_fault(output_schema(), "", report) == "");
    CHECK(report.at("summary").at("with_findings") == 1);
    CHECK(has(content_of(run / "out.ndjson"), "\"type\":\"summary\""));

    const Run quiet = run("--quiet --output json=quiet.json cut.dump");
    CHECK(quiet.status == 1);
    CHECK((quiet.out.empty() && quiet.err.empty()));
    CHECK(content_of(run / "quiet.json") == content_of(run / "out.json"));
    CHECK(run("--quiet cut.dump").out.empty());
}

TEST_CASE("real outputs match the schema") {
    const Workplace run;
    write(run / "cut.dump", cut());
    write(run / "text", "no trace");
    const std::string inputs =
        " '" + paths::root() + "/corpus/jitdump/real' cut.dump text missing \"$(printf 'no\\377utf8')\"";
    const Run json = run("--output json --max-per-rule 0" + inputs);
    CHECK(json.status == 3);
    CHECK(schema_fault(output_schema(), "", nlohmann::json::parse(json.out)) == "");
    std::istringstream lines(run("--output ndjson" + inputs).out);
    for (std::string line; std::getline(lines, line);)
        CHECK(schema_fault(output_schema(), "line", nlohmann::json::parse(line)) == "");
    const auto catalogue = nlohmann::json::parse(run("rules --output json").out);
    CHECK(schema_fault(output_schema(), "catalogue", catalogue) == "");
    CHECK(catalogue.at("rules").size() == all_rules().size());
}

TEST_CASE("what is shown changes neither counts nor the exit status") {
    const Workplace run;
    write(run / "noted.dump", noted() + "xyz");
    const auto counts = [&](const std::string& options) {
        const Run checked = run("--output json --fail-on note " + options + " noted.dump");
        const auto file = nlohmann::json::parse(checked.out).at("files").at(0);
        uint64_t hidden = 0, all = 0;
        for (const auto& [rule, count] : file.at("not_shown").items()) hidden += count.get<uint64_t>();
        for (const auto& [severity, count] : file.at("counts").items()) all += count.get<uint64_t>();
        CHECK(hidden + file.at("diagnostics").size() == all);
        return file.at("counts").dump() + std::to_string(checked.status);
    };
    const std::string plain = counts("");
    CHECK(counts("--max-per-rule 1") == plain);
    CHECK(counts("--max-per-rule 0") == plain);
    CHECK(counts("--min-severity error") == plain);
    CHECK(counts("--select jitdump/header-") != plain);
}

TEST_CASE("select and ignore choose the enabled rules") {
    const Workplace run;
    write(run / "cut.dump", cut());
    CHECK(run("--ignore jitdump/truncated-record cut.dump").status == 0);
    CHECK(run("--ignore jitdump/ cut.dump").status == 0);
    CHECK(run("--ignore jitdump/header- cut.dump").status == 1);
    CHECK(run("--select jitdump/truncated-record cut.dump").status == 1);
    CHECK(run("--select jitdump/ --ignore jitdump/truncated-record,gzip/ cut.dump").status == 0);
    const Run rules = run("rules --select gzip/");
    CHECK(run("rules gzip/").out == rules.out);
    CHECK(lines_of(run("rules gzip/truncated jitdump/bad-magic").out) == 2);
    CHECK(lines_of(rules.out) == 4);
    CHECK(run("--as jitdump cut.dump").status == 1);
}

TEST_CASE("an option of a grammar decides how its records are read") {
    Workplace run;
    // A record of id 827346260 with room for positions, and no LOAD.
    std::string bytes = real("php-8.2-stubs.dump").substr(0, 40);
    bytes += std::string("TMP1\x30\0\0\0", 8) + bytes.substr(24, 8) + std::string(32, '\0');
    write(run / "contested.dump", bytes);
    CHECK(has(run("contested.dump").out, "[samply/id-conflict]"));
    CHECK(has(run("--notes --samply-260=tier contested.dump").out, "[samply/opaque-record]"));
    CHECK(has(run("--samply-260 positions contested.dump").out, "[samply/info2-without-load]"));
    CHECK(has(run("dump contested.dump").out, "code_offset_count"));
    CHECK(!has(run("dump --samply-260 tier contested.dump").out, "code_offset_count"));
}

TEST_CASE("statistics and colours are there when asked for") {
    const Workplace run;
    write(run / "clean.dump", clean());
    CHECK_FALSE(has(run("clean.dump").out, "LOAD"));
    CHECK(has(run("--statistics clean.dump").out, "  LOAD\n"));
    CHECK_FALSE(has(run("clean.dump").out, "\x1b"));
    CHECK_FALSE(has(run.shell("NO_COLOR=1 \"$T\" clean.dump").out, "\x1b"));
    CHECK(has(run.shell("NO_COLOR=1 \"$T\" --color always clean.dump").out, "\x1b[1m"));
}

TEST_CASE("a rule is explained") {
    const Workplace run;
    const Run explained = run("explain jitdump/truncated-record");
    CHECK(explained.status == 0);
    CHECK(has(explained.out, "the last record is complete"));
    CHECK(has(explained.out, "example"));
    CHECK(has(explained.out, "spec       grammars/jitdump/spec.md, "));
    CHECK(has(run("explain gzip/corrupt").out, "spec       RFC 1952, section 2.3\n"));
    CHECK(has(run("explain input/unknown-format").out, "severity   error"));
}

TEST_CASE("a dump shows records, fields, values and meanings") {
    const Workplace run;
    write(run / "clean.dump", clean());
    write(run / "cut.dump", cut());
    write(run / "letter.txt", "no trace");
    const Run dumped = run("dump clean.dump");
    CHECK(dumped.status == 0);
    CHECK(dumped.out.starts_with("header at 0x0, 40 bytes\n"));
    CHECK(has(dumped.out, "records[0] JIT_CODE_LOAD at 0x28, "));
    CHECK(has(dumped.out, "| 62                                       | X86_64\n"));
    CHECK(run.shell("cat clean.dump | \"$T\" dump -").out == dumped.out);
    CHECK(run.shell("gzip -k clean.dump && \"$T\" dump clean.dump.gz").out == dumped.out);
    CHECK(has(run("dump cut.dump").out, "  ... 10 bytes missing: the file ends here\n"));
    const Run limited = run("dump --max-record 20 clean.dump");
    CHECK(has(limited.out, "bytes not shown\n"));
    CHECK(limited.err == "tracelint: clean.dump: not all of a record is shown: --max-record\n");
    CHECK(limited.status == 4);
    CHECK(run("dump --max-memory 1M clean.dump").status == 0);
    CHECK(run("dump letter.txt").status == 1);
    CHECK(run("dump missing").status == 3);
    CHECK(has(run("dump --as jitdump letter.txt").out, "not recognised at 0x0"));
}

TEST_CASE("a generated file is clean, or broken where the message says") {
    const Workplace run;
    CHECK(run("generate jitdump --seed 7 --size 64K -o good.dump").status == 0);
    CHECK(fs::file_size(run / "good.dump") >= 65536);
    CHECK(run("--fail-on warning good.dump").status == 0);
    CHECK(run.shell("\"$T\" generate jitdump --seed 7 --size 64K | cmp - good.dump").status == 0);
    CHECK(run("generate jitdump --violate jitdump/truncated-record -o bad.dump").status == 0);
    CHECK(has(run("--output concise bad.dump").out, "[jitdump/truncated-record]"));
    CHECK_FALSE(has(run("generate jitdump --violate jitdump/truncated-record -o bad.dump").err, "--as"));
    const Run large = run("generate mlpd --size 64M --max-memory 1M -o large.mlpd");
    CHECK(large.status == 4);
    CHECK(has(large.err,
              "tracelint: out of memory: generating mlpd of 67108864 bytes takes more than --max-memory allows"));
    CHECK_FALSE(fs::exists(run / "large.mlpd"));
    const Run magic = run("generate jitdump --violate jitdump/bad-magic -o bad");
    CHECK(has(magic.err, "; check it with --as jitdump\n"));
    CHECK(has(run("--as jitdump --output concise bad").out, "[jitdump/bad-magic]"));
}

TEST_CASE("the command line becomes a plain struct") {
    const Parsed parsed =
        parse_command_line({"-j4", "--max-memory", "1M", "--max-record=2K", "--fail-on", "never", "--output",
                            "json=x=y", "--output", "text", "a", "--as=jitdump", "b", "--", "-c"});
    const CheckLine& line = std::get<CheckLine>(parsed.command_line);
    CHECK(line.limits.jobs == 4);
    CHECK(line.limits.of_file.memory == 1 << 20);
    CHECK(line.limits.of_file.record == 2048);
    CHECK_FALSE(line.reporting.fail_on.has_value());
    CHECK(line.inputs.files == std::vector<std::string>{"a", "b", "-c"});
    CHECK(line.choices.recognition.as == find_format("jitdump"));
    const std::vector<Output>& outputs = line.reporting.outputs;
    REQUIRE(outputs.size() == 2);
    CHECK(outputs[0].file == "x=y");
    CHECK(outputs[1].kind->name == "text");
}

}  // namespace
}  // namespace tracelint
