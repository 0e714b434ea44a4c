// Files that are checked while they are written.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "fuzz/findings.hpp"
#include "fuzz/oracles.hpp"
#include "tests/support/counted_reads.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/input/input_rules.hpp"
#include "validator/tool/inputs/followed_file.hpp"

namespace tracelint {
namespace {

using namespace std::chrono_literals;

constexpr FollowTimes kQuick{.after_close = 20ms, .between_looks = 1ms};

// Waits until the file has the text; false: it is not there after a minute.
bool comes(const fs::path& path, std::string_view text) {
    for (int tries = 0; tries < 6000; ++tries) {
        if (has(content_of(path), text)) return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

void append(const fs::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

// The findings of a file that is written in pieces while it is followed, up to the writer's last.
Outcome followed(const std::string& bytes, const std::vector<uint64_t>& ends, uint64_t* read = nullptr) {
    const Workplace folder;
    const fs::path path = folder / "growing.dump";
    write(path, "");
    FollowedFile file(path.string(), kQuick);
    std::thread writer([&] {
        std::ofstream to(path, std::ios::binary | std::ios::app);
        uint64_t at = 0;
        for (const uint64_t end : ends) {
            to << std::string_view(bytes).substr(at, end - at) << std::flush;
            at = end;
            std::this_thread::yield();
        }
    });
    CountedReads counted(file);
    CheckOptions options;
    options.report.kept_per_rule = 0;
    options.format = find_format("jitdump");
    options.is_growing = [&] { return file.end() != FollowEnd::closed; };
    Outcome outcome = check(counted, options);
    writer.join();
    CHECK(file.end() == FollowEnd::closed);
    CHECK(file.failure() == "");
    if (read != nullptr) *read = counted.bytes();
    return outcome;
}

}  // namespace

TEST_CASE("a writer that stops in the middle of every record gives the findings of the whole file") {
    for (const std::string& bytes : {clean(), noted(), cut()}) {
        std::vector<uint64_t> ends;
        for (uint64_t end = 13; end < bytes.size(); end += 1 + bytes.size() / 97) ends.push_back(end);
        ends.push_back(bytes.size());
        uint64_t read = 0;
        const Outcome outcome = followed(bytes, ends, &read);
        const Outcome whole = check_all({as_bytes(bytes), find_format("jitdump")});
        CHECK(transcript(outcome) == transcript(whole));
        CHECK(outcome.size == bytes.size());
        CHECK(read <= bytes.size() + 4);  // the magic number of a container is read first
    }
}

TEST_CASE("input/growing") {
    MemorySource source(as_bytes(clean()).first(clean().size() - 20));
    CheckOptions options;
    options.is_growing = [] { return true; };
    const Outcome outcome = check(source, options);
    CHECK(outcome.report().count(Severity::error) == 0);
    REQUIRE(outcome.report().count(kInputGrowing) == 1);
    const std::string message = message_of(outcome.report().diagnostics().back());
    CHECK(message == "the file ends here so far; as a finished file it would break jitdump/truncated-record");
}

TEST_CASE("a file that becomes shorter, or whose name another file takes, is no longer followed") {
    const Workplace folder;
    const fs::path path = folder / "a.dump";
    uint8_t byte = 0;
    write(path, "1234");
    FollowedFile shorter(path.string(), kQuick);
    CHECK(shorter.read(&byte, 1) == 1);
    fs::resize_file(path, 2);
    REQUIRE(shorter.seek(4));
    CHECK(shorter.read(&byte, 1) == 0);
    CHECK(shorter.end() == FollowEnd::truncated);
    CHECK(shorter.failure() == "became shorter while it was followed: 4 bytes before, 2 now");

    FollowedFile replaced(path.string(), kQuick);
    write(folder / "b.dump", "other");
    fs::rename(folder / "b.dump", path);
    REQUIRE(replaced.seek(2));
    CHECK(replaced.read(&byte, 1) == 0);
    CHECK(replaced.end() == FollowEnd::replaced);
    CHECK(replaced.failure() == "");

    FollowedFile idle(path.string(), {.idle = 1ms, .between_looks = 1ms});
    REQUIRE(idle.seek(5));
    CHECK(idle.read(&byte, 1) == 0);
    CHECK(idle.end() == FollowEnd::idle);

    const FollowedFile absent((folder / "absent").string(), kQuick);
    CHECK(absent.end() == FollowEnd::failed);
    CHECK(absent.failure() == "cannot open: No such file or directory");
    const FollowedFile of_folder(folder.names().empty() ? "" : fs::path(path).parent_path().string(), kQuick);
    CHECK(of_folder.failure() == "is not a regular file, and cannot be followed");
}

TEST_CASE("the opening waits for as much as is wanted, and is read again") {
    const Workplace folder;
    const fs::path path = folder / "a.dump";
    write(path, "12");
    FollowedFile file(path.string(), kQuick);
    CHECK(as_text(file.opening(1, 4)) == "12");
    std::thread writer([&] { append(path, "345"); });
    CHECK(as_text(file.opening(3, 4)).substr(0, 3) == "123");
    writer.join();
    CHECK(as_text(file.opening(4, 4)) == "1234");
    std::string all(5, ' ');
    for (size_t at = 0; at < all.size();) at += file.read(reinterpret_cast<uint8_t*>(all.data()) + at, all.size() - at);
    CHECK(all == "12345");
}

TEST_CASE("findings come while the file is written, and a signal ends with a summary") {
    std::string broken = noted();
    broken[40] = 9;  // the id of the first record
    for (const std::string kind : {"concise", "ndjson", "text"}) {
        CAPTURE(kind);
        const Workplace folder;
        write(folder / "a.dump", std::string_view(broken).substr(0, 30));
        const pid_t child =
            folder.start("exec \"$T\" --fail-on warning --output " + kind + " --follow a.dump >out 2>err");
        append(folder / "a.dump", std::string_view(broken).substr(30, 4000));
        CHECK(comes(folder / "out", "jitdump/unknown-record-kind"));
        CHECK_FALSE(has(content_of(folder / "out"), "so far"));
        REQUIRE(kill(child, SIGINT) == 0);
        CHECK(status_of(child) == 1);
        const std::string out = content_of(folder / "out");
        if (kind == "text") CHECK(has(out, "a.dump: 1 warning"));
        if (kind != "ndjson") continue;
        std::istringstream lines(out);
        std::vector<std::string> types;
        for (std::string line; std::getline(lines, line);) {
            const nlohmann::json object = nlohmann::json::parse(line);
            CHECK(schema_fault(output_schema(), "line", object) == "");
            types.push_back(object.at("type"));
        }
        REQUIRE(types.size() > 2);
        CHECK(types.front() == "diagnostic");
        CHECK(types[types.size() - 2] == "file");
        CHECK(types.back() == "summary");
    }
}

TEST_CASE("a folder is followed for files that appear in it") {
    const Workplace folder;
    fs::create_directory(folder / "traces");
    write(folder / "traces/old.dump", cut());
    const pid_t child = folder.start("exec \"$T\" --output concise --follow traces >out 2>err");
    write(folder / "traces/new.dump", cut());
    write(folder / "traces/notes.txt", "no trace");
    // Another time lets them look changed, if the program has seen them in its first look at the folder.
    for (int tries = 0; tries < 6000 && !has(content_of(folder / "err"), "closed it"); ++tries) {
        for (const char* name : {"traces/new.dump", "traces/notes.txt"})
            fs::last_write_time(folder / name, fs::file_time_type::clock::now());
        std::this_thread::sleep_for(10ms);
    }
    CHECK(comes(folder / "out", "traces/new.dump:"));
    REQUIRE(kill(child, SIGTERM) == 0);
    CHECK(status_of(child) == 1);
    CHECK_FALSE(has(content_of(folder / "out"), "notes.txt"));
    CHECK_FALSE(has(content_of(folder / "out"), "old.dump"));
}

TEST_CASE("a folder in which no trace is written is followed for the time of --idle") {
    const Workplace folder;
    fs::create_directory(folder / "traces");
    write(folder / "traces/notes.txt", "no trace");
    const Run run = folder("--follow --idle 1 traces");
    CHECK(run.status == 0);
    CHECK(run.out == "");
}

TEST_CASE("what makes no sense with files that are written is refused") {
    const Workplace folder;
    write(folder / "a.dump", clean());
    const struct {
        const char* words;
        const char* says;
    } kRows[] = {
        {"--growing --for perf a.dump", "--growing and --for exclude each other: a reader sees the file as it is"},
        {"--follow --for perf a.dump", "--follow and --for exclude each other: a reader sees the file as it is"},
        {"--follow --with b.data a.dump", "--follow and --with exclude each other"},
        {"--follow --manifest list", "--follow and --manifest exclude each other"},
        {"--follow -", "--follow and standard input (-) exclude each other"},
        {"--idle 5 a.dump", "--idle needs --follow"},
    };
    for (const auto& [words, says] : kRows) {
        const Run run = folder(words);
        CHECK(run.status == 2);
        CHECK(has(run.err, says));
    }
}

TEST_CASE("a file that ends early is ok so far with --growing") {
    const Workplace folder;
    write(folder / "a.dump", cut());
    CHECK(folder("a.dump").status == 1);
    const Run run = folder("--growing a.dump");
    CHECK(run.status == 0);
    CHECK(has(run.out, "a.dump: ok so far"));
    write(folder / "empty.dump", "");
    CHECK(folder("--growing empty.dump").status == 0);
    write(folder / "a.txt", "heap profile: 1: 2 [3: 4] @ heapprofile\n");
    CHECK(folder("--growing a.txt").status == 1);
}

}  // namespace tracelint
