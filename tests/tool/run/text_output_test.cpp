// What a person sees: the order of findings, folded notes, bytes of standard input, explanations.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/support/corpus.hpp"
#include "tests/support/zstd_skip.hpp"
#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

TEST_CASE("explain lists the rules of a prefix, and says what a severity does to the exit status") {
    const Workplace run;
    const Run listed = run("explain jitdump/load-");
    CHECK(listed.status == 0);
    CHECK(listed.out == run("rules --select jitdump/load-").out.substr(0, listed.out.size()));
    CHECK(lines_of(listed.out) > 5);
    CHECK(has(run("explain jitdump/bad-magic").out, "exit       an error makes the exit status 1"));
    CHECK(has(run("explain jitdump/no-load").out, "exit       a note makes the exit status 1 only if"));
    CHECK(has(run("explain jitdump/unknown-record-kind").out, "exit       a warning makes the exit status 1 if"));
}

TEST_CASE("notes are folded unless they are asked for, and errors come first") {
    const Workplace run;
    write(run / "noted.dump", noted());
    write(run / "broken.dump", noted().substr(0, noted().size() - 3));
    const Run folded = run("noted.dump");
    CHECK(has(folded.out, "notes (--notes shows them in full)\n"));
    CHECK_FALSE(has(folded.out, ": note: "));
    CHECK(has(folded.out.substr(folded.out.rfind("noted.dump: ")), "noted.dump: ok, "));
    for (const char* asked : {"--notes", "--min-severity note"}) {
        const Run full = run(std::string(asked) + " noted.dump");
        CHECK(has(full.out, ": note: "));
        CHECK_FALSE(has(full.out, "--notes"));
    }
    for (const char* kind : {"concise", "github"}) {
        const std::string short_kind = std::string("--output ") + kind + " noted.dump";
        const char* const note = std::string_view(kind) == "concise" ? ": note: " : "::notice ";
        CHECK_FALSE(has(run(short_kind).out, note));
        CHECK(has(run("--notes " + short_kind).out, note));
        CHECK(has(run("--min-severity note " + short_kind).out, note));
    }
    CHECK(run("broken.dump").out.substr(0, run("broken.dump").out.find('\n')).find(": error: ") != std::string::npos);
    const Run summary = run("--summary noted.dump broken.dump");
    CHECK(lines_of(summary.out) == 3);
    CHECK(has(summary.out, "broken.dump: 1 error, "));
    std::istringstream lines(run("--summary --for any noted.dump").out);
    size_t readers = 0;
    for (std::string line; std::getline(lines, line); ++readers) CHECK(line.starts_with("noted.dump: "));
    CHECK(readers > 2);
}

// As a terminal of 80 columns shows it.
size_t rows_of(const std::string& text) {
    constexpr size_t kColumns = 80;
    size_t rows = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        rows += std::max<size_t>(1, (line.size() + kColumns - 1) / kColumns);
    return rows;
}

TEST_CASE("a healthy producer's file takes ten lines at most, and five for each file found beside it" *
          doctest::test_suite(kEachReal)) {
    constexpr size_t kMost = 10, kMostMore = 5;
    const Workplace run;
    size_t healthy = 0;
    const auto check_file = [&](const fs::path& path) {
        const std::string command =
            "cd '" + path.parent_path().string() + "' && \"$T\" --fail-on warning '" + path.filename().string() + "'";
        const Run result = run.shell(command);
        if (result.status != 0) return;
        ++healthy;
        size_t files = 0;  // each has a verdict of its own
        std::istringstream lines(result.out);
        for (std::string line; std::getline(lines, line);) files += has(line, ": ok") ? 1 : 0;
        CHECK_MESSAGE(rows_of(result.out) <= kMost + (files < 3 ? 0 : (files - 2) * kMostMore), shown(path)
                                                                                                    << ":\n"
                                                                                                    << result.out);
    };
    for (const fs::directory_entry& grammar : fs::directory_iterator(paths::root() + "/corpus")) {
        if (!fs::exists(grammar.path() / "real")) continue;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(grammar.path() / "real")) {
            const fs::path& path = entry.path();
            const bool is_text = path.extension() == ".md" || path.extension() == ".findings";
            if (!entry.is_regular_file() || is_text || !is_tested_file(shown(path))) continue;
            if (!skips_zstd(read_file(path).value_or(""), shown(path))) check_file(path);
        }
    }
    CHECK((healthy > 0 || !narrowed_to().empty()));
}

TEST_CASE("what follows a fault and was not checked is counted, in the same words for every format") {
    const Workplace run;
    std::string broken = clean();
    broken.replace(40 + 4, 4, std::string("\3\0\0\0", 4));  // the size of the first record
    broken.resize(240);
    write(run / "broken.dump", broken);
    CHECK(has(run("broken.dump").out, ", 0 records, 240 bytes, of which 200 bytes (83 %) were not checked\n"));
    const struct {
        const char *rule, *words;
    } cases[] = {
        {"jitdump/truncated-record", " %) were not checked\n"},
        {"mlpd/truncated-buffer", " were not checked\n"},
        {"perfdata/record-size-too-small", " were not checked"},
        {"perfmap/not-text", " were not checked\n"},
        {"pprof/field-exceeds-file", " (below 1 %) was not checked\n"},
        {"xray/basic-unknown-action", ", of which 1 was not checked, "},
        {"xray/profile-block-size", " were not checked\n"},
        {"xray/garbage-before-buffer", " were not checked, at most "},
    };
    for (const auto& [rule, words] : cases) {
        const std::string format(rule, std::string_view(rule).find('/'));
        REQUIRE(run("generate " + format + " --seed 1 --violate " + rule + " -o x").status == 0);
        CHECK_MESSAGE(has(run("x").out, words), run("x").out);
    }
}

TEST_CASE("findings of standard input are shown with their bytes") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const std::string file = run("cut.dump").out;
    REQUIRE(has(file, "  |"));
    const auto renamed = [&](std::string text) {
        for (size_t i = text.find("<stdin>"); i != text.npos; i = text.find("<stdin>")) text.replace(i, 7, "cut.dump");
        return text;
    };
    CHECK(renamed(run.shell("cat cut.dump | \"$T\" -").out) == file);
    CHECK(renamed(run.shell("\"$T\" - <cut.dump").out) == file);
    CHECK(renamed(run.shell("cat cut.dump | \"$T\" -j2 - cut.dump").out).starts_with(file));
    CHECK(run.shell("gzip -c cut.dump | \"$T\" -").out == run.shell("gzip -c cut.dump >x; \"$T\" - <x").out);
    CHECK(has(run.shell("gzip -c cut.dump | \"$T\" -").out, "  |"));
    // 32 times 16 bytes are kept: findings beyond have no bytes, and none are made up.
    const Run little = run.shell("cat cut.dump | \"$T\" --max-memory 512 -");
    CHECK_FALSE(has(little.out, "  |"));
}

TEST_CASE("the first line about a file of another format says what it is, and so does a dump") {
    const Workplace run;
    write(run / "a.heap", "heap_v2/1\n");
    const std::string said = "the file is not in a known format; this is a heap profile of jemalloc as text";
    CHECK(has(run("dump a.heap").err, said));
    CHECK(run("a.heap").out.starts_with("a.heap:0x0: error: " + said + ": jeprof reads it [input/unknown-format]\n"));
    CHECK(has(run("--output concise a.heap").out, said));
}

TEST_CASE("google-pprof reports an empty profile if its header ends after two words") {
    const Workplace run;
    const std::string words("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
    write(run / "three.prof", words);
    write(run / "one.prof", words.substr(0, 12));
    const auto verdict = [&](const std::string& file) {
        return run("--as gperftools --for google-pprof --output concise " + file).out;
    };
    CHECK(verdict("one.prof").starts_with("one.prof: google-pprof 2.10 refuses the file because"));
    CHECK(verdict("three.prof").starts_with("three.prof: google-pprof 2.10 stops silently"));
}

TEST_CASE("check and help are understood as commands") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const Run checked = run("check cut.dump");
    CHECK(checked.status == 1);
    CHECK(checked.out == run("cut.dump").out);
    CHECK(run("help").out == run("--help").out);
    for (const char* command : {"", "rules", "explain", "dump", "salvage", "shrink", "report", "generate", "mutate",
                                "dictionary", "conform", "describe"}) {
        std::istringstream help(run(std::string(command) + " --help").out);
        for (std::string text; std::getline(help, text);) CHECK_MESSAGE(text.size() <= 80, text);
    }
    CHECK(run("help").status == 0);
}

}  // namespace
}  // namespace tracelint
