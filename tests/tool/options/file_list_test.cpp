// Lists of files and patterns of what is left out: their contents, their faults, and the program's reaction.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "fuzz/tool/text_oracles.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/file_list.hpp"

namespace tracelint {
namespace {

using std::string_literals::operator""s;
using Names = std::vector<std::string>;

struct Listed {
    Names names;
    std::string fault;
};

Listed listed(const std::string& text, char end) {
    MemorySource source(as_bytes(text));
    FileList list(end);
    read_file_list(source, list);
    return {list.names(), list.fault()};
}

TEST_CASE("names end in newlines, or in NULs") {
    struct Case {
        std::string text;
        char end;
        Names names;
    };
    const Case cases[] = {
        {"", '\n', {}},
        {"a", '\n', {"a"}},
        {"a\nb c\n", '\n', {"a", "b c"}},
        {"\n\na\n\n", '\n', {"a"}},
        {"a\r\n\r\nb\r", '\n', {"a", "b"}},
        {"a\rb\n", '\n', {"a\rb"}},
        {"\xef\xbb\xbf"
         "a\r\n\xef\xbb\xbf"
         "b",
         '\n',
         {"a",
          "\xef\xbb\xbf"
          "b"}},
        {"\xef\xbb\xbf\r\na", '\n', {"a"}},
        {"\xef\xbb\xbf"
         "a\0"s,
         '\0',
         {"\xef\xbb\xbf"
          "a"}},
        {"a\nb\r\0\0c"s, '\0', {"a\nb\r", "c"}},
        {std::string(4095, 'x') + "\r\n" + std::string(4095, 'y'),
         '\n',
         {std::string(4095, 'x'), std::string(4095, 'y')}},
    };
    for (const Case& c : cases) {
        CAPTURE(c.text);
        const Listed found = listed(c.text, c.end);
        CHECK(found.names == c.names);
        CHECK(found.fault.empty());
    }
}

TEST_CASE("a list that cannot be one is named with its line") {
    CHECK(listed("a\nb\0c"s, '\n').fault == "line 2 has a NUL; use -0 for a list whose names end with NUL");
    CHECK(listed("a\n" + std::string(5000, 'x'), '\n').fault ==
          "line 2 is longer than a path may be, which is 4095 bytes; is this a list of files?");
    CHECK(listed("a\0\0"s + std::string(5000, 'x'), '\0').fault ==
          "name 3 is longer than a path may be, which is 4095 bytes; is this a list of files?");
    const std::string many(2 * (kMostListedNames + 1), '\n');
    std::string names = many;
    for (size_t i = 0; i < names.size(); i += 2) names[i] = 'x';
    CHECK(listed(many, '\n').fault.empty());
    const Listed too_many = listed(names, '\n');
    CHECK(too_many.names.size() == kMostListedNames);
    CHECK(too_many.fault == "line 1048577 is one too many: a list holds up to 1048576 names of 256 MiB; divide it");
    CHECK(listed(names.substr(2), '\n').fault.empty());
}

TEST_CASE("a list without an end is read up to its first fault, or the last name that it may have") {
    class Endless final : public Source {
      public:
        explicit Endless(std::string piece) : piece_(std::move(piece)) {}
        size_t read(uint8_t* to, size_t bytes) override {
            const size_t got = std::min(bytes, piece_.size());
            std::copy_n(piece_.begin(), got, to);
            given += got;
            return got;
        }
        uint64_t given = 0;

      private:
        std::string piece_;
    };
    Endless one_name("x"), full_names(std::string(4000, 'y') + '\n');
    FileList first('\n'), second('\n');
    read_file_list(one_name, first);
    CHECK(first.fault().starts_with("line 1 is longer"));
    CHECK(one_name.given <= 4097);
    read_file_list(full_names, second);
    CHECK(second.fault().ends_with("divide it"));
    CHECK(full_names.given <= kLargestFileList + (uint64_t{1} << 20));
}

TEST_CASE("any bytes are a list or a fault") {
    Random random(1);
    constexpr std::string_view kBytes("ab/*[]?.-\\\r\n\n\0\0", 15);
    for (uint64_t left = seeds(2000); left > 0; --left) {
        std::string text(below(random, 60), '\0');
        for (char& c : text) c = kBytes[below(random, kBytes.size())];
        CAPTURE(text);
        hold(file_list(text, random()));
    }
}

TEST_CASE("patterns without a slash are for names, the others for paths; folders take along what they hold") {
    struct Case {
        const char* pattern;
        Names covered, not_covered;
    };
    const Case cases[] = {
        {"*.tmp", {"a.tmp", "x/a.tmp", "x.tmp/a", "./a.tmp", "/base/a.tmp"}, {"a.tmp.gz", "-", "tmp"}},
        {"old", {"old", "old/a", "x/old/a"}, {"older", "x/bold"}},
        {"old/", {"old/a", "x/old/a"}, {"older"}},
        {"x/old", {"x/old", "x/old/a/b", "/base/x/old", "x/y/../old"}, {"old", "y/x/old", "x/older"}},
        {"**/old", {"old", "x/y/old/z"}, {"older"}},
        {"x/**", {"x/a"}, {"x", "y/x/a"}},
        {"./x", {"x", "x/a"}, {"y/x"}},
        {"./*.tmp", {"a.tmp", "a.tmp/b"}, {"x/a.tmp"}},
        {"/base/x/*.tmp", {"x/a.tmp", "/base/x/a.tmp"}, {"a.tmp", "y/x/a.tmp"}},
        {"/base/x/", {"x", "x/a"}, {"y/x"}},
        {"../base/x/a", {"x/a"}, {"a"}},
        {"../*/x", {"/elsewhere/x"}, {"/x"}},
        {"x/*", {"x/a", "x/a/b"}, {"x"}},
        // Outside of the base, only the file's own name is the user's business.
        {"elsewhere", {"/any/elsewhere"}, {"/elsewhere/a"}},
        {"/elsewhere/*", {"/elsewhere/a", "/elsewhere/a/b"}, {"elsewhere/a"}},
    };
    for (const Case& c : cases) {
        CAPTURE(c.pattern);
        const Exclusions exclusions("/base", {c.pattern});
        const auto covers = [&](const std::string& path) {
            return exclusions.covers(path.starts_with('/') || path == "-" ? path : "/base/" + path);
        };
        for (const std::string& path : c.covered) CHECK_MESSAGE(covers(path), path);
        for (const std::string& path : c.not_covered) CHECK_MESSAGE(!covers(path), path);
    }
}

// A folder with three traces, one of them below old/, and a list of them.
void fill(const Workplace& run) {
    fs::create_directories(run / "d/old");
    for (const char* name : {"d/a.dump", "d/b.dump", "d/old/c.dump"}) write(run / name, clean());
    write(run / "list", "d/b.dump\r\n\nd/a.dump\n");
    write(run / "-", clean());
}

// The names of the files that are checked, each with a space.
std::string checked(const Workplace& run, const std::string& arguments) {
    std::istringstream lines(run("--summary " + arguments).out);
    std::string names;
    for (std::string line; std::getline(lines, line);)
        if (line.find(": jitdump") != line.npos) names += line.substr(0, line.find(':')) + ' ';
    return names;
}

TEST_CASE("--files-from adds the files of lists, --exclude leaves files out") {
    const Workplace run;
    fill(run);
    const std::pair<const char*, const char*> cases[] = {
        {"--files-from list", "d/b.dump d/a.dump "},
        {"d/old/c.dump --files-from list", "d/old/c.dump d/b.dump d/a.dump "},
        {"--files-from list --files-from list", "d/b.dump d/a.dump "},
        {"--files-from - <list", "d/b.dump d/a.dump "},
        {"d", "d/a.dump d/b.dump d/old/c.dump "},
        {"d --exclude old", "d/a.dump d/b.dump "},
        {"d --exclude d/old/ --exclude 'b.*'", "d/a.dump "},
        {"d --files-from list --exclude 'a.*'", "d/b.dump d/old/c.dump "},
        {"\"$PWD/d\" --exclude old --exclude a.dump", nullptr},
    };
    for (const auto& [arguments, names] : cases) {
        CAPTURE(arguments);
        const std::string found = checked(run, arguments);
        if (names != nullptr)
            CHECK(found == names);
        else
            CHECK((found.ends_with("/d/b.dump ") && std::ranges::count(found, ' ') == 1));
    }
    CHECK(has(run.shell("printf 'd/a.dump\\0-' | \"$T\" --files-from - -0 --summary").out, "\n./-: ok: jitdump"));
}

TEST_CASE("what is wrong with a list, and what is left to check, decide the exit status") {
    const Workplace run;
    fill(run);
    write(run / "binary", "a\0b"s);
    write(run / "blank", "\n\n");
    struct Case {
        const char* arguments;
        int status;
        const char* complaint;
    };
    const Case cases[] = {
        {"--files-from binary", 2, "tracelint: --files-from: binary: line 1 has a NUL; use -0 for a list"},
        {"--files-from missing", 3, "tracelint: --files-from: missing: cannot open: No such file"},
        {"--files-from blank", 3, "tracelint: --files-from: blank lists no file\n"},
        {"--files-from blank d/a.dump", 0, "tracelint: --files-from: blank lists no file\n"},
        {"--files-from - -", 2, "standard input (-) can be given only once"},
        {"--null d", 2, "--null needs --files-from or --manifest"},
        {"--exclude '[' d", 2, "--exclude: a pattern has a [ without a ]"},
        {"--exclude '' d", 2, "--exclude: a pattern is empty"},
        {"--output json=list --files-from list", 2, "--output: list is an input"},
        {"--exclude a.dump d/a.dump", 0, "tracelint: nothing to check: 1 input excluded\n"},
        {"--exclude '*' d", 3, "tracelint: no traces found in d; all its files are excluded\n"},
        {"--exclude '*' d d/a.dump", 3, "tracelint: no traces found in d; all its files are excluded\n"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.arguments);
        const Run done = run(c.arguments);
        CHECK(done.status == c.status);
        CHECK(has(done.err, c.complaint));
    }
    CHECK(lines_of(content_of(run / "list")) == 3);
}

TEST_CASE("a configuration's patterns are relative to its folder, and the command line replaces them") {
    const Workplace run;
    fill(run);
    write(run / ".tracelint.json", R"({"exclude": ["d/old", "b.dump"]})");
    CHECK(checked(run, "d") == "d/a.dump ");
    CHECK(checked(run, "d --exclude a.dump") == "d/b.dump d/old/c.dump ");
    CHECK(has(run.shell("cd d && \"$T\" --summary .").out, "./a.dump: ok: jitdump"));
    CHECK_FALSE(has(run.shell("cd d && \"$T\" --summary .").out, "old"));
    write(run / ".tracelint.json", R"({"files_from": "list"})");
    CHECK(run("d").err == "tracelint: " + fs::canonical(run / ".tracelint.json").string() +
                              ":1:2: 'files_from' is not a configuration key\n");
}

TEST_CASE("empty files, Git LFS pointers and folders without traces are named as what they are") {
    const Workplace run;
    fs::create_directories(run / "d");
    write(run / "d/empty", "");
    write(run / "d/pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n");
    write(run / "d/letter", "Dear reader");
    const Run none = run("d");
    CHECK(none.status == 3);
    CHECK(none.err ==
          "tracelint: no traces found in d; looked at 3 files: 1 empty, 1 of no known format, 1 Git LFS pointer; "
          "git lfs pull fetches the files\n");
    CHECK(has(run("d/empty").out, "error: the file is empty: the writer wrote nothing [input/empty]"));
    CHECK(has(run("d/empty").out, "\nd/empty: 1 error: empty\n"));
    CHECK(run("dump d/empty").err == "tracelint: d/empty: the file is empty: the writer wrote nothing\n");
    CHECK(has(run("d/pointer").out, "this is a Git LFS pointer, not the file itself [input/git-lfs-pointer]"));
    CHECK(has(run("d/pointer").out, "  help: nothing was checked; git lfs pull fetches the file\n"));
    CHECK(run("d/pointer").status == 1);
    CHECK(run("dump d/pointer").err ==
          "tracelint: d/pointer: this is a Git LFS pointer, not the file itself; git lfs pull fetches the file\n");
    write(run / "d/trace", clean());
    const Run some = run("d");
    CHECK(some.status == 0);
    CHECK(some.err == "tracelint: d: 1 empty file, 1 Git LFS pointer not checked; git lfs pull fetches the files\n");
}

TEST_CASE("findings of named pipes are shown with their bytes, however many threads read") {
    const Workplace run;
    write(run / "cut.dump", cut());
    REQUIRE(mkfifo((run / "one").c_str(), 0600) == 0);
    REQUIRE(mkfifo((run / "two").c_str(), 0600) == 0);
    const std::string plain = run("cut.dump").out;
    for (const char* jobs : {"1", "2"}) {
        const Run piped =
            run.shell("cat cut.dump >one & gzip -c cut.dump >two & \"$T\" one two -j " + std::string(jobs));
        CHECK(piped.status == 1);
        const std::string window = plain.substr(plain.find('\n'), plain.find("\ncut.dump: ") - plain.find('\n'));
        REQUIRE(has(window, "^^"));
        size_t found = 0;
        for (size_t at = piped.out.find(window); at != piped.out.npos; at = piped.out.find(window, at + 1)) ++found;
        CHECK(found == 2);
    }
}

}  // namespace
}  // namespace tracelint
