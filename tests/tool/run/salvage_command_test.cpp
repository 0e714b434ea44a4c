// `salvage` as a user meets it: what it writes, what it says, and what it leaves alone.
#include <doctest/doctest.h>

#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"

namespace tracelint {
namespace {

using Names = std::vector<std::string>;
using Json = nlohmann::json;

TEST_CASE("salvage writes what is left of a truncated file, and says what it left out") {
    const Workplace run;
    write(run / "cut", cut());
    const Run made = run("salvage cut -o good");
    CHECK(made.status == 0);
    CHECK(made.err.empty());
    CHECK(has(made.out, "; good has no error\n"));
    CHECK(has(made.out, " [jitdump/truncated-record]\n"));
    const std::string good = content_of(run / "good");
    CHECK(!good.empty());
    CHECK(cut().starts_with(good));
    CHECK(run("--quiet good").status == 0);
    CHECK(content_of(run / "cut") == cut());
    CHECK(run.names() == Names{"cut", "good"});
}

TEST_CASE("salvage copies a file without errors, compressed or not") {
    const Workplace run;
    write(run / "clean", clean());
    const Run made = run("salvage clean -o copy");
    CHECK(made.status == 0);
    CHECK(made.out == "clean: has no error; copy is a copy\n");
    CHECK(content_of(run / "copy") == clean());
    CHECK(run.shell("gzip -n clean && \"$T\" salvage clean.gz -o copy.gz").status == 0);
    CHECK(content_of(run / "copy.gz") == content_of(run / "clean.gz"));
}

TEST_CASE("what is salvaged of a truncated gzip file is not compressed") {
    const Workplace run;
    write(run / "noted", noted());
    const Run made = run.shell(
        "gzip -n noted && head -c $(($(stat -c %s noted.gz) / 2)) noted.gz >cut.gz && \"$T\" salvage --output json "
        "cut.gz -o good");
    CHECK(made.status == 0);
    const Json report = Json::parse(made.out);
    CHECK(schema_fault(salvage_schema(), "", report).empty());
    CHECK(report["container"] == "gzip");
    CHECK(report["container_rule"] == "gzip/truncated");
    CHECK(noted().starts_with(content_of(run / "good").substr(0, 4096)));
    CHECK(run("--quiet good").status == 0);
}

TEST_CASE("a file that cannot be read several times is refused, and so is an empty one") {
    const Workplace run;
    write(run / "empty", "");
    write(run / "cut", cut());
    const Run empty = run("salvage empty -o good");
    CHECK(empty.status == 3);
    CHECK(empty.err == "tracelint: empty: is empty\n");
    CHECK(run("shrink empty --keep input/empty -o good").err == empty.err);
    const Run piped = run.shell("cat cut | \"$T\" salvage /dev/stdin -o good");
    CHECK(piped.status == 3);
    CHECK(has(piped.err, ": salvage reads a file several times, and this one can be read only once\n"));
    CHECK_FALSE(fs::exists(run / "good"));
}

TEST_CASE("the report of salvage in JSON adds up, whatever the outcome") {
    const Workplace run;
    write(run / "cut", cut());
    write(run / "clean", clean());
    write(run / "header", clean().substr(0, 30));
    for (const auto& [file, verdict, status] :
         {std::tuple{"cut", "salvaged", 0}, std::tuple{"clean", "clean", 0}, std::tuple{"header", "impossible", 1}}) {
        CAPTURE(file);
        const Run made = run("salvage --output json=report.json " + std::string(file) + " -o out");
        CHECK(made.status == status);
        CHECK(made.out.empty());
        const Json report = Json::parse(content_of(run / "report.json"));
        CHECK(schema_fault(salvage_schema(), "", report) == "");
        CHECK(report["verdict"] == verdict);
        CHECK(report["output"].is_null() == (status != 0));
        if (status != 0) continue;
        const Json& bytes = report["bytes"];
        CHECK(bytes["kept"].get<uint64_t>() + bytes["left_out"].get<uint64_t>() + bytes["set"].get<uint64_t>() ==
              report["size"]);
        CHECK(report["new_size"] == content_of(run / "out").size());
    }
}

TEST_CASE("what cannot be salvaged is said, and nothing is written") {
    const Workplace run;
    write(run / "text", "no trace\n");
    write(run / "header", clean().substr(0, 30));
    write(run / "kept", "earlier");
    for (const auto& [file, complaint] : {std::pair{"text", "text: cannot be salvaged: its format is not recognised\n"},
                                          std::pair{"header", "header: cannot be salvaged: the header at 0"}}) {
        CAPTURE(file);
        const Run made = run("salvage " + std::string(file) + " -o kept");
        CHECK(made.status == 1);
        CHECK(made.out.empty());
        CHECK(has(made.err, complaint));
        CHECK(content_of(run / "kept") == "earlier");
    }
    CHECK(run.names() == Names{"header", "kept", "text"});
}

TEST_CASE("salvage never writes to its input") {
    const Workplace run;
    write(run / "cut", cut());
    fs::create_symlink("cut", run / "link");
    fs::create_hard_link(run / "cut", run / "other");
    for (const char* words : {"salvage cut -o cut", "salvage cut -o ./cut", "salvage link -o cut",
                              "salvage cut -o link", "salvage cut -o other"}) {
        CAPTURE(words);
        CHECK(run(words).status == 2);
        CHECK(content_of(run / "cut") == cut());
    }
}

TEST_CASE("salvage refuses what it cannot read several times, and wrong words") {
    const Workplace run;
    write(run / "cut", cut());
    CHECK(run.reading_pipe("salvage pipe -o out").status == 3);
    CHECK(run("salvage missing -o out").status == 3);
    CHECK(run("salvage cut").status == 2);
    CHECK(run("salvage - -o out").status == 2);
    CHECK(run("salvage cut -o -").status == 2);
    CHECK(run("salvage --output xml cut -o out").status == 2);
    CHECK(!fs::exists(run / "out"));
}

TEST_CASE("salvage writes nothing if a limit keeps it from checking all of the file") {
    const Workplace run;
    write(run / "noted", noted().substr(0, noted().size() - 5));
    const Run made = run("salvage --max-memory 1K noted -o out");
    CHECK(made.status == 4);
    CHECK(has(made.err, "a limit was reached"));
    CHECK(!fs::exists(run / "out"));
}

}  // namespace
}  // namespace tracelint
