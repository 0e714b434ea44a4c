// Output files as a user meets them: nothing is lost by a mistake or a failure, and nothing else about a file changes.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

using Names = std::vector<std::string>;

// Whether this process may do what permissions forbid.
bool is_root() { return geteuid() == 0; }

mode_t permissions_of(const fs::path& path) {
    struct stat status{};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

bool is_report(const std::string& text) {
    return schema_fault(output_schema(), "", nlohmann::json::parse(text, nullptr, false)).empty();
}

TEST_CASE("a usage error leaves the output files as they were") {
    const Workplace run;
    write(run / "good", clean());
    write(run / "kept", "earlier");
    for (const char* words : {"--output json=kept --output text=./kept good", "--output json=kept --output ndjson=new",
                              "--output json=new --output text=./new good", "generate jitdump -o kept --seed x",
                              "rules --output json=kept --select none"}) {
        CAPTURE(words);
        CHECK(run(words).status == 2);
        CHECK(content_of(run / "kept") == "earlier");
        CHECK(run.names() == Names{"good", "kept"});
    }
}

TEST_CASE("an output that cannot be written whole leaves the earlier file") {
    const Workplace run;
    write(run / "noted", noted());
    write(run / "kept", "earlier");
    CHECK(run.shell("ulimit -f 1; \"$T\" --max-per-rule 0 --output json=kept noted").status == 4);
    CHECK(run.shell("ulimit -f 1; \"$T\" generate jitdump --size 64K -o kept").status == 4);
    CHECK(content_of(run / "kept") == "earlier");
    CHECK(run.names() == Names{"kept", "noted"});
}

TEST_CASE("an output takes the place of the earlier file, with its permissions") {
    const Workplace run;
    write(run / "good", clean());
    write(run / "private", "earlier");
    REQUIRE(chmod((run / "private").c_str(), 0640) == 0);
    CHECK(run.shell("umask 027; \"$T\" --output json=private --output json=new good").status == 0);
    CHECK(is_report(content_of(run / "private")));
    CHECK(permissions_of(run / "private") == 0640);
    CHECK(permissions_of(run / "new") == 0640);
    CHECK(run.shell("umask 0; \"$T\" --output json=open good").status == 0);
    CHECK(permissions_of(run / "open") == 0666);
    CHECK(run.names() == Names{"good", "new", "open", "private"});
}

TEST_CASE("an output without a line empties the earlier file") {
    const Workplace run;
    write(run / "good", clean());
    write(run / "replaced", "earlier");
    write(run / "in-place", "earlier");
    fs::create_hard_link(run / "in-place", run / "other-name");
    CHECK(run("--output concise=replaced --output concise=in-place good").status == 0);
    CHECK(content_of(run / "replaced").empty());
    CHECK(content_of(run / "other-name").empty());
}

TEST_CASE("links are followed, and a file keeps its other names") {
    const Workplace run;
    fs::create_directory(run / "reports");
    write(run / "good", clean());
    write(run / "reports/one", "earlier and longer");
    fs::create_symlink("reports/one", run / "to-one");
    fs::create_symlink("to-one", run / "to-link");
    fs::create_symlink("reports/new", run / "to-new");
    write(run / "two", std::string(100'000, '.'));
    fs::create_hard_link(run / "two", run / "also-two");
    CHECK(run("--output json=to-link --output json=to-new --output json=two good").status == 0);
    for (const char* link : {"to-one", "to-link", "to-new"}) CHECK(fs::is_symlink(run / link));
    for (const char* name : {"reports/one", "reports/new", "two", "also-two"}) {
        CAPTURE(name);
        CHECK(is_report(content_of(run / name)));
    }
    CHECK(fs::hard_link_count(run / "two") == 2);
    const Run same = run("--output json=to-link --output text=reports/one good");
    CHECK(same.status == 2);
    CHECK(has(same.err, "more than one output to reports/one"));
    fs::create_symlink("reports/later", run / "to-later");
    CHECK(run("--output json=to-later --output text=reports/../reports/later good").status == 2);
}

TEST_CASE("pipes, devices and standard streams are written to as they are") {
    const Workplace run;
    write(run / "good", clean());
    CHECK(is_report(run.shell("mkfifo pipe; cat pipe & \"$T\" --output json=pipe good; wait").out));
    CHECK(fs::is_fifo(run / "pipe"));
    CHECK(run("--output json=/dev/null good").status == 0);
    CHECK(is_report(run("--output json=/dev/stdout good").out));
    CHECK(is_report(run.shell("\"$T\" --output json=/dev/stdout good | cat").out));
    CHECK(is_report(run.shell("\"$T\" --output json=/dev/fd/3 good 3>three; cat three").out));
    CHECK(is_report(run.shell("\"$T\" --output json=log good >log; cat log").out));
    CHECK(run.names() == Names{"good", "log", "pipe", "three"});
}

TEST_CASE("what permissions forbid is not done in another way") {
    if (is_root()) return;  // may do everything
    const Workplace run;
    fs::create_directory(run / "closed");
    write(run / "good", clean());
    write(run / "read-only", "earlier");
    write(run / "closed/report", "earlier");
    REQUIRE(chmod((run / "read-only").c_str(), 0400) == 0);
    REQUIRE(chmod((run / "closed").c_str(), 0500) == 0);
    const Run refused = run("--output json=read-only good");
    CHECK(refused.status == 4);
    CHECK(has(refused.err, "cannot write read-only: Permission denied"));
    CHECK(content_of(run / "read-only") == "earlier");
    CHECK(run("--output json=closed/new good").status == 4);
    CHECK(run("--output json=closed/report good").status == 0);
    CHECK(is_report(content_of(run / "closed/report")));
    REQUIRE(chmod((run / "closed").c_str(), 0700) == 0);
}

}  // namespace
}  // namespace tracelint
