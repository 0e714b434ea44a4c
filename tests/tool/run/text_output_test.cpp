// What a person sees: the order of findings, folded notes, bytes of standard input, explanations.
#include <doctest/doctest.h>

#include <sstream>

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
        CHECK_FALSE(has(full.out, "--notes shows"));
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

TEST_CASE("a dump of a file of another format says what it is") {
    const Workplace run;
    write(run / "a.heap", "heap_v2/1\n");
    CHECK(has(run("dump a.heap").err, "the file is not in a known format; this is a heap profile of jemalloc as text"));
}

TEST_CASE("check and help are understood as commands") {
    const Workplace run;
    write(run / "cut.dump", cut());
    const Run checked = run("check cut.dump");
    CHECK(checked.status == 1);
    CHECK(checked.out == run("cut.dump").out);
    CHECK(run("help").out == run("--help").out);
    for (const char* command : {"", "rules", "explain", "dump", "generate"}) {
        std::istringstream help(run(std::string(command) + " --help").out);
        for (std::string text; std::getline(help, text);) CHECK_MESSAGE(text.size() <= 80, text);
    }
    CHECK(run("help").status == 0);
}

}  // namespace
}  // namespace tracelint
