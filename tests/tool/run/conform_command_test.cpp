// `conform`: what readers do, seen from outside. The readers are small programs of the shell.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/conformance/reader_runs.hpp"
#include "validator/tool/conformance/scoreboard.hpp"
#include "validator/tool/conformance/shell_words.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

// What conform complains about on a system without a sandbox.
std::string lacking_sandbox() {
    const std::string lacking = unguarded(available_sandbox());
    return lacking.empty() ? ""
                           : "tracelint: this system has no sandbox for " + lacking + "; the reader runs without\n";
}

Json scoreboard_of(const Workplace& run, const std::string& words, int status) {
    const Run made = run("conform --output json " + words);
    CHECK(made.status == status);
    CHECK(made.err == (has(words, "--no-sandbox") ? "" : lacking_sandbox()));
    const Json board = Json::parse(made.out);
    CHECK(schema_fault(scoreboard_schema(), "", board) == "");
    return board;
}

uint64_t total_of(const Json& board, const std::string& member) {
    uint64_t total = 0;
    for (const Json& format : board["formats"])
        for (const Json& score : format["scores"]) total += score[member].get<uint64_t>();
    return total;
}

// Files that a reader must refuse, may accept and must accept.
void write_corpus(const Workplace& run) {
    fs::create_directory(run / "corpus");
    Json expected = {{"schema_version", 1}, {"format", "jitdump"}, {"files", Json::array()}};
    for (const auto& [name, duty] :
         {std::pair{"bad", "must refuse"}, std::pair{"odd", "may accept"}, std::pair{"good", "must accept"}}) {
        write(run / ("corpus/" + std::string(name)), name);
        expected["files"].push_back({{"file", name},
                                     {"kind", "violation"},
                                     {"shows", "it"},
                                     {"rule", "jitdump/bad-magic"},
                                     {"spec", ""},
                                     {"reader", duty},
                                     {"options", Json::array()},
                                     {"findings", Json::array()}});
    }
    write(run / "corpus/expected.json", expected.dump());
}

void write_reader(const Workplace& run, const std::string& text) {
    write(run / "reader", "#!/bin/sh\n" + text + "\n");
    fs::permissions(run / "reader", fs::perms::owner_all);
}

TEST_CASE("a command is split as by a shell, and what only a shell can do is refused") {
    const struct {
        std::string_view command;
        Words words;
    } kSplit[] = {
        {"a {}", {"a", "{}"}},
        {"  a\t b\n", {"a", "b"}},
        {"'a b' \"c d\"e f\\ g", {"a b", "c de", "f g"}},
        {"a '' \"\"", {"a", "", ""}},
        {"a \"x\\\"y\\z\" 'q\\'", {"a", "x\"y\\z", "q\\"}},
        {"sh -c 'x | y >z; $w'", {"sh", "-c", "x | y >z; $w"}},
    };
    for (const auto& [command, words] : kSplit) CHECK(shell_words(command) == words);
    for (const char* command :
         {"", "  ", "a 'b", "a \"b", "a\\", "a | b", "a >b", "a; b", "a $b", "\"$a\"", "a `b`", "a *.c", "~/a", "(a)"})
        CHECK_THROWS_AS(shell_words(command), ShellFault);
}

TEST_CASE("the end of a run is an exit status, a signal, or what a shell says of one") {
    const auto exited = [](int status) { return status << 8; };
    CHECK(run_of(exited(0), {}).end == RunEnd::accepts);
    CHECK(run_of(exited(1), {}).end == RunEnd::refuses);
    CHECK(run_of(exited(101), {}).end == RunEnd::refuses);
    CHECK(run_of(exited(101), {2, 101}).end == RunEnd::crashes);
    CHECK(run_of(exited(128), {}).end == RunEnd::refuses);
    CHECK(run_of(exited(128 + SIGSEGV), {}).end == RunEnd::crashes);
    CHECK(run_of(exited(128 + SIGSEGV), {}).signal == SIGSEGV);
    CHECK(run_of(exited(255), {}).end == RunEnd::refuses);
    CHECK(run_of(SIGABRT, {}).end == RunEnd::crashes);
    CHECK(run_of(SIGABRT, {}).signal == SIGABRT);
}

TEST_CASE("a reader is wrong if it crashes, hangs, or does not do its duty") {
    for (const RunEnd end : {RunEnd::crashes, RunEnd::hangs})
        for (const ReaderDuty duty : {ReaderDuty::must_refuse, ReaderDuty::may_accept, ReaderDuty::must_accept})
            CHECK(is_wrong(duty, end));
    CHECK(is_wrong(ReaderDuty::must_refuse, RunEnd::accepts));
    CHECK(!is_wrong(ReaderDuty::must_refuse, RunEnd::refuses));
    CHECK(!is_wrong(ReaderDuty::may_accept, RunEnd::accepts));
    CHECK(!is_wrong(ReaderDuty::may_accept, RunEnd::refuses));
    CHECK(!is_wrong(ReaderDuty::must_accept, RunEnd::accepts));
    CHECK(is_wrong(ReaderDuty::must_accept, RunEnd::refuses));
}

TEST_CASE("conform counts what a reader does, and lists the files that it gets wrong") {
    const Workplace run;
    write_corpus(run);
    write_reader(run, "case $(cat \"$1\") in good) exit 1 ;; odd) kill -SEGV $$ ;; esac");
    const Run made = run("conform --corpus corpus './reader {}'");
    CHECK(made.status == 1);
    CHECK(made.err == lacking_sandbox());
    CHECK(made.out ==
          "format       a reader      files  refused accepted  crashed   hung  wrong\n"
          "jitdump      must refuse       1        0        1        0      0      1\n"
          "jitdump      may accept        1        0        0        1      0      1\n"
          "jitdump      must accept       1        1        0        0      0      1\n"
          "jitdump/bad: accepts it, but must refuse it: it [jitdump/bad-magic]\n"
          "jitdump/odd: crashes (signal 11): it [jitdump/bad-magic]\n"
          "jitdump/good: refuses it (status 1), but must accept it: it [jitdump/bad-magic]\n");
    write_reader(run, "[ $(cat) = good ]");
    const Json right = scoreboard_of(run, "--corpus corpus -j 1 ./reader", 0);
    CHECK(total_of(right, "refused") == 2);
    CHECK(total_of(right, "accepted") == 1);
    CHECK(total_of(right, "wrong") == 0);
    CHECK(right["corpus"] == "corpus");
}

TEST_CASE("a reader that takes too long hangs, and what it started ends with it") {
    const Workplace run;
    write_corpus(run);
    write_reader(run, "echo $$ >>pids; exec sleep 1000");
    const Json board = scoreboard_of(run, "--corpus corpus --max-seconds 1 -j 3 --no-sandbox ./reader", 1);
    CHECK(total_of(board, "hung") == 3);
    std::istringstream pids(content_of(run / "pids"));
    size_t count = 0;
    for (pid_t pid = 0; pids >> pid; ++count) CHECK(kill(pid, 0) != 0);
    CHECK(count == 3);
}

TEST_CASE("a reader has the memory that it is given") {
    const Workplace run;
    write_corpus(run);
    write_reader(run, "[ \"$(ulimit -v)\" = 102400 ]");
    CHECK(total_of(scoreboard_of(run, "--corpus corpus --max-memory 100M ./reader", 1), "accepted") == 3);
    write_reader(run, "[ \"$(ulimit -v)\" = unlimited ]");
    CHECK(total_of(scoreboard_of(run, "--corpus corpus --max-memory 0 ./reader", 1), "accepted") == 3);
}

TEST_CASE("a reader in the sandbox reads what it likes, and writes in its scratch folder only") {
    const struct {
        std::string_view attempt;  // of the reader, as a script
        bool Sandbox::* guarded;   // null: allowed in a sandbox
    } kAttempts[] = {
        {"cat \"$1\" && ls / && : >/dev/null", nullptr},
        {": >\"${TMPDIR:-.}/a\" && : >\"${TMPDIR:-.}/a\" && rm \"${TMPDIR:-.}/a\"", nullptr},
        {"cd \"${TMPDIR:-.}\" && mkdir -p a && : >a/b && mv a/b c && rm -r a && ln -s c d && rm c d", nullptr},
        {": >new", &Sandbox::files},
        {"echo more >>\"$1\"", &Sandbox::files},
        {"mkdir -p new$$", &Sandbox::files},
        {"ln -s x link$$", &Sandbox::files},
        {"chmod +x reader && (: >new)", &Sandbox::files},
        {"rm \"$1\"", &Sandbox::files},
        // No packet is sent.
        {"exec bash -c ': >/dev/udp/127.0.0.1/9'", &Sandbox::network},
    };
    const Sandbox sandbox = available_sandbox();
    for (const auto& [attempt, guarded] : kAttempts) {
        CAPTURE(attempt);
        const Workplace run;
        write_corpus(run);
        write_reader(run, "{ " + std::string(attempt) + "; } || exit 1");
        const bool is_refused = guarded != nullptr && sandbox.*guarded;
        CHECK(total_of(scoreboard_of(run, "--corpus corpus './reader {}'", 1), "accepted") == (is_refused ? 0 : 3));
        if (is_refused) {
            CHECK(content_of(run / "corpus/good") == "good");
            CHECK(run.names() == std::vector<std::string>{"corpus", "reader"});
        }
        write_corpus(run);
        CHECK(total_of(scoreboard_of(run, "-j 1 --corpus corpus --no-sandbox './reader {}'", 1), "accepted") == 3);
    }
}

TEST_CASE("the scratch folder of a run is new, and is removed after it") {
    const Workplace run;
    write_corpus(run);
    fs::create_directory(run / "tmp");
    write_reader(run, "[ -z \"$(ls -A \"$TMPDIR\")\" ] && : >\"$TMPDIR/a\" && mkdir -p \"$TMPDIR/b/c\"");
    const Run made = run.shell("TMPDIR=\"$PWD/tmp\" \"$T\" conform --corpus corpus './reader {}'");
    CHECK(has(made.out, "jitdump      must accept       1        0        1 "));
    CHECK(has(made.out, "jitdump      must refuse       1        0        1 "));
    CHECK(fs::is_empty(run / "tmp"));
    const Run nowhere = run.shell("TMPDIR=\"$PWD/missing\" \"$T\" conform --corpus corpus true");
    CHECK(nowhere.status == 3);
    CHECK(has(nowhere.err, "no scratch folder can be made"));
}

// A list of variables that is as large as this is in no free part of the heap, so a copy of it takes more memory.
TEST_CASE("a run knows its scratch folder, however much memory this process has and however little the reader gets") {
    constexpr size_t kReserved = size_t{1} << 30, kVariables = 100'000;
    const Workplace run;
    write_reader(run, "[ -d \"$TMPDIR\" ] && [ \"$A\" = b ]");
    fs::create_directory(run / "scratch");
    void* const reserved = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    REQUIRE(reserved != MAP_FAILED);
    char variable[] = "A=b";
    std::vector<char*> variables(kVariables, variable);
    variables.push_back(nullptr);
    RunnerOptions options;
    options.words = {(run / "reader").string()};
    options.memory = 64 * kMiB;
    options.scratch = (run / "scratch").string();
    std::string failure;
    char** const before = std::exchange(environ, variables.data());
    const auto made = run_reader(options, {1, [](size_t) { return "/dev/null"; }, [](size_t) {}}, failure);
    environ = before;
    munmap(reserved, kReserved);
    REQUIRE_MESSAGE(made, failure);
    CHECK(made->at(0).end == RunEnd::accepts);
    CHECK(fs::is_empty(run / "scratch"));
}

TEST_CASE("the report names what the sandbox guarded, and conform complains about what it does not") {
    const Workplace run;
    write_corpus(run);
    CHECK(scoreboard_of(run, "--corpus corpus --no-sandbox true", 1)["sandbox"] == Json::array());
    Json guarded = Json::array();
    if (available_sandbox().files) guarded.push_back("files");
    if (available_sandbox().network) guarded.push_back("network");
    CHECK(scoreboard_of(run, "--corpus corpus true", 1)["sandbox"] == guarded);
    CHECK(unguarded({true, true}).empty());
    CHECK(unguarded({true, false}) == "network");
    CHECK(unguarded({false, true}) == "files");
    CHECK(unguarded({false, false}) == "files and network");
}

TEST_CASE("crash statuses are those of the user") {
    const Workplace run;
    write_corpus(run);
    write_reader(run, "exit 2");
    CHECK(total_of(scoreboard_of(run, "--corpus corpus ./reader", 1), "crashed") == 0);
    CHECK(total_of(scoreboard_of(run, "--corpus corpus --crash-status 2,101 ./reader", 1), "crashed") == 3);
}

TEST_CASE("JUnit has a suite for each format and a test for each file") {
    const Workplace run;
    write_corpus(run);
    const Run made = run("conform --corpus corpus --output junit=out.xml 'false {}'");
    CHECK(made.status == 1);
    CHECK(made.out.empty());
    const std::string xml = content_of(run / "out.xml");
    CHECK(has(xml, "<testsuite name=\"jitdump\" tests=\"3\" failures=\"1\" errors=\"0\">"));
    CHECK(has(xml, "<testcase classname=\"tracelint.jitdump\" name=\"bad\"/>"));
    CHECK(has(xml, "<failure type=\"jitdump/bad-magic\" message=\"refuses it (status 1), but must accept it\">it<"));
}

TEST_CASE("the corpus in the program is run from a scratch folder that is removed") {
    const Workplace run;
    fs::create_directory(run / "tmp");
    // Sanitizers take more addresses than a reader gets.
    const Run made = run.shell(
        "TMPDIR=\"$PWD/tmp\" \"$T\" conform --max-memory 0 --output json "
        "\"'$T' --quiet --no-config --no-pair {}\" perfmap");
    CHECK(made.status == 1);
    const Json board = Json::parse(made.out);
    CHECK(board["corpus"].is_null());
    CHECK(board["is_complete"] == true);
    CHECK(total_of(board, "files") > 80);
    // An empty file is a perf map only if the user says so.
    std::string wrong;
    for (const Json& file : board["files"])
        if (file["is_wrong"] == true) wrong += file["file"].get<std::string>() + '\n';
    CHECK(wrong == "perfmap/perfmap-empty-file-violation-02.perfmap\n");
    CHECK(fs::is_empty(run / "tmp"));
}

TEST_CASE("mutants are a corpus") {
    const Workplace run;
    REQUIRE(run("mutate gperftools --count 10 --expected -o mutants").status == 0);
    const Json board = scoreboard_of(run, "--corpus mutants true", 1);
    CHECK(total_of(board, "accepted") == 10);
}

TEST_CASE("conform refuses what it cannot run or read") {
    const Workplace run;
    write_corpus(run);
    fs::create_directory(run / "leads-out");
    write(
        run / "leads-out/expected.json",
        R"({"schema_version":1,"format":"jitdump","files":[{"file":"../x","rule":"a","shows":"","reader":"may accept"}]})");
    const struct {
        std::string words;
        int status;
        std::string_view complaint;
    } kRefused[] = {
        {"", 2, "expected: tracelint conform"},
        {"a b c", 2, "expected: tracelint conform"},
        {"'a | b'", 2, "no shell runs the command"},
        {"'a {}' xrya", 2, "did you mean 'xray'?"},
        {"--corpus corpus ./missing", 2, "cannot run ./missing: No such file"},
        {"--corpus nowhere true", 3, "no expected.json"},
        {"--corpus corpus true xray", 3, "no expected.json lists a file of xray"},
        {"--corpus leads-out true", 3, "leads out of the folder"},
        {"--max-seconds 0 true", 2, "--max-seconds"},
        {"--crash-status 256 true", 2, "--crash-status"},
        {"--output markdown true", 2, "--output"},
    };
    for (const auto& [words, status, complaint] : kRefused) {
        CAPTURE(words);
        const Run refused = run("conform " + words);
        CHECK(refused.status == status);
        CHECK(has(refused.err, complaint));
    }
}

}  // namespace
}  // namespace tracelint
