// Signals while files are checked: outputs are whole and say what is missing.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "fuzz/tool/page_oracle.hpp"
#include "fuzz/tool/report_formats_oracle.hpp"
#include "fuzz/tool/xml.hpp"
#include "tests/tool/schema.hpp"
#include "tests/tool/workplace.hpp"
#include "validator/tool/json/text.hpp"

namespace tracelint {
namespace {

using Json = nlohmann::json;

// A run of the program that waits for a named pipe, its second input of four.
class BackgroundRun {
  public:
    // `before` precedes the program's name, `words` precede its inputs.
    BackgroundRun(const Workplace& folder, const std::string& words, const std::string& before = "") {
        for (const char* name : {"first", "third", "fourth"}) write(folder / name, cut());
        write(folder / "kept", "earlier");
        const std::string pipe = (folder / "pipe").string();
        unlink(pipe.c_str());
        REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
        child_ = folder.start(before + "exec \"$T\" " + words + " first pipe third fourth >out 2>err");
        pipe_ = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);  // returns when the program has opened it
        REQUIRE(pipe_ >= 0);
    }
    BackgroundRun(const BackgroundRun&) = delete;
    BackgroundRun& operator=(const BackgroundRun&) = delete;
    ~BackgroundRun() {
        if (pipe_ >= 0) close(pipe_);
        if (child_ > 0) {
            kill(child_, SIGKILL);
            status_of(child_);
        }
    }

    void feed(std::string_view bytes) const {
        REQUIRE(::write(pipe_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    }
    void end_input() { close(std::exchange(pipe_, -1)); }
    // Waits until the program has opened a file, of which it may have done nothing yet when it reads the named pipe.
    bool opens(const fs::path& file) const {
        const fs::path descriptors = "/proc/" + std::to_string(child_) + "/fd";
        for (int tries = 0; tries < 6000; ++tries) {
            std::error_code closed;  // a descriptor, while it was looked at
            for (const fs::directory_entry& one : fs::directory_iterator(descriptors))
                if (fs::read_symlink(one.path(), closed) == file) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return false;
    }
    void send(int signal) const { REQUIRE(kill(child_, signal) == 0); }
    int status() { return status_of(std::exchange(child_, -1)); }

  private:
    pid_t child_ = -1;
    int pipe_ = -1;
};

TEST_CASE("a signal ends the outputs validly, and they say that they are incomplete") {
    struct Case {
        int signal;
        const char* name;
        const char* jobs;
    };
    for (const auto& [signal, name, jobs] : {Case{SIGINT, "SIGINT", "-j1"}, Case{SIGTERM, "SIGTERM", "-j1"},
                                             Case{SIGHUP, "SIGHUP", "-j1"}, Case{SIGINT, "SIGINT", "-j3"}}) {
        CAPTURE(name);
        CAPTURE(jobs);
        const Workplace folder;
        BackgroundRun run(folder, std::string(jobs) + " --output json=kept --output ndjson=lines --output text");
        run.feed(std::string_view(clean()).substr(0, 100));
        CHECK(content_of(folder / "kept") == "earlier");
        run.send(signal);
        CHECK(run.status() == 4);

        const Json report = Json::parse(content_of(folder / "kept"));
        CHECK(schema_fault(output_schema(), "", report) == "");
        CHECK(report.at("summary").at("incomplete") == std::string("interrupted by ") + name);
        const size_t checked = report.at("files").size(), missing = report.at("summary").at("not_checked");
        CHECK(checked + missing == 4);
        const auto is_cut = [](const Json& file) { return file.value("failure", "") == "interrupted"; };
        const auto cut = static_cast<size_t>(std::ranges::count_if(report.at("files"), is_cut));
        if (jobs == std::string_view("-j1")) {  // with more, the others may be checked, or not even begun
            REQUIRE(checked == 2);
            CHECK(cut == 1);
            CHECK(report.at("files").at(0).at("verdict") == "error");
            CHECK(report.at("files").at(1).at("verdict") == "unreadable");
            CHECK(report.at("files").at(1).at("failure") == "interrupted");
        }

        std::istringstream lines(content_of(folder / "lines"));
        std::string line, last;
        while (std::getline(lines, line)) {
            CHECK(schema_fault(output_schema(), "line", Json::parse(line)) == "");
            last = line;
        }
        CHECK(Json::parse(last).at("not_checked") == missing);
        const std::string says =
            std::string("interrupted by ") + name + "; " + counted(missing + cut, "input") + " not checked\n";
        CHECK(content_of(folder / "out").ends_with("incomplete: " + says));
        CHECK(has(content_of(folder / "err"), "tracelint: " + says));
        CHECK(folder.names() ==
              std::vector<std::string>{"err", "first", "fourth", "kept", "lines", "out", "pipe", "third"});
    }
}

TEST_CASE("a signal ends the outputs for other programs validly, and they say that they are incomplete") {
    const Workplace folder;
    BackgroundRun run(folder,
                      "--output sarif=sarif --output github=github --output gitlab=gitlab --output junit=junit "
                      "--output html=html --output markdown");
    run.feed(std::string_view(clean()).substr(0, 100));
    run.send(SIGINT);
    CHECK(run.status() == 4);
    const std::string says = "incomplete: interrupted by SIGINT; 3 inputs not checked";
    const Json invocation = Json::parse(content_of(folder / "sarif")).at("runs").at(0).at("invocations").at(0);
    CHECK(invocation.at("executionSuccessful") == false);
    CHECK(invocation.at("toolExecutionNotifications").back().at("message").at("text") == says);
    CHECK(Json::parse(content_of(folder / "gitlab")).back().at("description") == says);
    const auto suites = read_xml(content_of(folder / "junit"));
    REQUIRE(suites);
    CHECK(junit_fault(*suites) == "");
    CHECK(suites->children.size() == 3);
    CHECK(suites->children.back().children.at(0).children.at(0).attribute("message") == says);
    CHECK(has(content_of(folder / "github"), "::error title=tracelint::" + says + '\n'));
    CHECK(has(content_of(folder / "out"), "**" + says + "**\n"));
    const std::string page = content_of(folder / "html");
    REQUIRE(report_in(page));
    const Json summary = Json::parse(*report_in(page)).at("summary");
    CHECK(summary.at("incomplete") == "interrupted by SIGINT");
    CHECK(summary.at("not_checked") == 3);
    CHECK(folder.names() == std::vector<std::string>{"err", "first", "fourth", "github", "gitlab", "html", "junit",
                                                     "kept", "out", "pipe", "sarif", "third"});
}

TEST_CASE("a pipe without a writer is waited for until a signal comes") {
    const Workplace folder;
    REQUIRE(mkfifo((folder / "silent").c_str(), 0600) == 0);
    BackgroundRun run(folder, "--output json silent -j4");  // the first input; `first` waits for its turn
    run.end_input();
    REQUIRE(run.opens(folder / "silent"));
    run.send(SIGTERM);
    CHECK(run.status() == 4);
    const Json report = Json::parse(content_of(folder / "out"));
    CHECK(report.at("files").at(0).at("failure") == "interrupted");
    CHECK(report.at("files").size() + report.at("summary").at("not_checked").get<size_t>() == 5);
}

TEST_CASE("a signal that was ignored when the program started stays ignored") {
    const Workplace folder;
    BackgroundRun run(folder, "--output json", "trap '' INT; ");
    run.send(SIGINT);
    run.feed(clean());
    run.end_input();
    CHECK(run.status() == 1);
    const Json report = Json::parse(content_of(folder / "out"));
    CHECK(report.at("files").size() == 4);
    CHECK_FALSE(report.at("summary").contains("incomplete"));
}

// Waits until the named pipe, which somebody reads from, has no room.
bool becomes_full(const fs::path& pipe) {
    pollfd writable{open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC), POLLOUT, 0};
    bool has_room = true;
    for (int tries = 0; tries < 6000; ++tries) {
        has_room = poll(&writable, 1, 0) != 0;
        if (!has_room) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    close(writable.fd);
    return !has_room;
}

// Waits until the program no longer catches a signal.
bool ceases_to_catch(pid_t program, int signal) {
    for (int tries = 0; tries < 6000; ++tries) {
        const std::string status = content_of("/proc/" + std::to_string(program) + "/status");
        const size_t caught = status.find("SigCgt:");
        if (caught == status.npos || (std::stoull(status.substr(caught + 7), nullptr, 16) >> (signal - 1) & 1) == 0)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

TEST_CASE("a second signal ends the program at once") {
    const Workplace folder;
    std::string inputs;
    for (int i = 0; i < 100; ++i) {
        const std::string name = "noted-" + std::to_string(i);
        write(folder / name, noted());
        inputs += ' ' + name;
    }
    REQUIRE(mkfifo((folder / "full").c_str(), 0600) == 0);
    const pid_t child = folder.start("exec \"$T\" --notes --max-per-rule 0" + inputs + " >full");
    const int reader = open((folder / "full").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(becomes_full(folder / "full"));  // nothing reads, so the program cannot continue
    REQUIRE(kill(child, SIGINT) == 0);
    REQUIRE(ceases_to_catch(child, SIGTERM));  // which is what it does about the first one
    CHECK(waitpid(child, nullptr, WNOHANG) == 0);
    REQUIRE(kill(child, SIGTERM) == 0);
    CHECK(status_of(child) == 128 + SIGTERM);
    close(reader);
}

}  // namespace
}  // namespace tracelint
