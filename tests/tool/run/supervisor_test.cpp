// Files that end or hang the process that checks them.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/tool/workplace.hpp"
#include "validator/tool/run/supervisor.hpp"

namespace tracelint {
namespace {

enum class File : uint8_t { good, kills, kills_once, hangs };

// What the processes have in common.
struct Shared {
    std::atomic<int> runs{0};
    std::atomic<int> checked{0};  // files, in the last run
    std::atomic<bool> has_killed_once{false};
};

// Checks made-up files as the command does: in pairs, as with -j 2, until the supervisor asks for care.
class Supervised {
  public:
    explicit Supervised(std::vector<File> files, uint64_t most_seconds = 0)
        : files_(std::move(files)), supervisor_(2, most_seconds) {
        void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        REQUIRE(memory != MAP_FAILED);
        shared_ = new (memory) Shared;
    }
    Supervised(const Supervised&) = delete;
    Supervised& operator=(const Supervised&) = delete;
    ~Supervised() { munmap(shared_, sizeof(Shared)); }

    ExitStatus run() {
        const pid_t self = getpid();
        const auto check_in_child = [&] {
            const ExitStatus status = check();
            if (getpid() != self) _exit(status);
            return status;
        };
        return supervisor_.run(check_in_child, [&](pid_t died) { died_.push_back(died); });
    }

    // "0: why 3: why"
    std::string failures() const {
        std::string text;
        for (size_t i = 0; i < files_.size(); ++i)
            if (const std::string* failure = supervisor_.failure_of(i))
                text += (text.empty() ? "" : " ") + std::to_string(i) + ": " + *failure;
        return text;
    }
    const Shared& shared() const { return *shared_; }
    size_t deaths() const { return died_.size(); }

    bool dies_between_files = false;

  private:
    ExitStatus check() {
        ++shared_->runs;
        shared_->checked = 0;
        if (dies_between_files) raise(SIGKILL);
        for (size_t i = 0; i < files_.size(); i += supervisor_.is_careful() ? 1 : 2) {
            const Supervisor::Mark mark(&supervisor_, i);
            if (supervisor_.is_careful() || i + 1 == files_.size()) {
                check(i);
                continue;
            }
            const Supervisor::Mark other(&supervisor_, i + 1);
            check(i + 1);
            check(i);
        }
        return kFindings;
    }

    void check(size_t i) {
        if (supervisor_.failure_of(i) != nullptr) return;
        ++shared_->checked;
        switch (files_[i]) {
            case File::good: break;
            case File::kills: raise(SIGKILL); break;
            case File::kills_once:
                if (!shared_->has_killed_once.exchange(true)) raise(SIGKILL);
                break;
            case File::hangs:
                for (;;) pause();
        }
    }

    std::vector<File> files_;
    Supervisor supervisor_;
    Shared* shared_ = nullptr;
    std::vector<pid_t> died_;
};

TEST_CASE("a check that ends by itself is run once") {
    Supervised checked({File::good, File::good, File::good});
    CHECK(checked.run() == kFindings);
    CHECK(checked.failures() == "");
    CHECK(checked.deaths() == 0);
    CHECK(checked.shared().runs == 1);
    CHECK(checked.shared().checked == 3);
}

TEST_CASE("files that end the process twice are abandoned, and the others are checked") {
    Supervised checked({File::good, File::kills, File::good, File::good, File::kills});
    CHECK(checked.run() == kFindings);
    const std::string why = "internal error: the check was ended by SIGKILL";
    CHECK(checked.failures() == "1: " + why + " 4: " + why);
    // The first one is checked together with another file, then by itself; the second one is by itself both times.
    CHECK(checked.deaths() == 4);
    CHECK(checked.shared().runs == 5);
    CHECK(checked.shared().checked == 3);
}

TEST_CASE("a file whose process ended once is checked again") {
    Supervised checked({File::good, File::kills_once, File::good});
    CHECK(checked.run() == kFindings);
    CHECK(checked.failures() == "");
    CHECK(checked.deaths() == 1);
    CHECK(checked.shared().checked == 3);
}

TEST_CASE("a file that takes too long is abandoned at once") {
    Supervised checked({File::good, File::good, File::hangs, File::kills}, 1);
    CHECK(checked.run() == kFindings);
    CHECK(checked.failures() == "2: the check took longer than 1 s 3: internal error: the check was ended by SIGKILL");
    CHECK(checked.shared().checked == 2);
}

TEST_CASE("a process that ends between files is not started for ever") {
    Supervised checked({File::good});
    checked.dies_between_files = true;
    CHECK(checked.run() == kInternal);
    CHECK(checked.failures() == "");
    CHECK(checked.shared().runs == 3);
}

// A pipe without a writer makes a check wait.
void add_pipe(const Workplace& run) {
    run.shell("mkdir t; mkfifo t/pipe; printf 't/a\\nt/pipe\\nt/b\\n' >m");
    write(run / "t/a", clean());
    write(run / "t/b", cut());
}

TEST_CASE("a file of a manifest that takes too long counts as unreadable, and nothing else changes") {
    const Workplace run;
    add_pipe(run);
    for (const char* jobs : {"1", "3"}) {
        CAPTURE(jobs);
        const Run checked =
            run(std::string("--manifest m --redo --exit-zero --max-seconds 1 --output ndjson=p -j ") + jobs);
        CHECK(checked.status == 4);
        CHECK(has(checked.err, "t/pipe: the check took longer than 1 s"));
        CHECK(run.names() == std::vector<std::string>{"m", "p", "t"});
        std::vector<nlohmann::json> files;
        std::istringstream lines(content_of(run / "p"));
        for (std::string line; std::getline(lines, line);)
            if (nlohmann::json json = nlohmann::json::parse(line); json.at("type") == "file") files.push_back(json);
        REQUIRE(files.size() == 3);
        CHECK(files[0].at("verdict") == "clean");
        CHECK(files[1].at("verdict") == "unreadable");
        CHECK(files[1].at("limited") == true);
        CHECK(!files[1].contains("rules"));
        CHECK(files[2].at("verdict") == "error");
        const Run merged = run("merge p --expect-manifest m");
        CHECK(merged.status == 4);
        CHECK(has(merged.out, "t/pipe: the check took longer than 1 s"));
    }
    // Its file may take less time now.
    CHECK_FALSE(has(run("--manifest m --max-seconds 1 --output ndjson=p").err, "is finished"));
}

TEST_CASE("a part is the same whatever --max-seconds is") {
    const Workplace run;
    write(run / "a", cut());
    write(run / "m", "a\n");
    CHECK(run("--manifest m --output ndjson=p").status == 1);
    CHECK(run("--manifest m --max-seconds 100 --output ndjson=q").status == 1);
    CHECK(content_of(run / "p") == content_of(run / "q"));
    CHECK(has(run("--manifest m --max-seconds 7 --output ndjson=p").err, "p is finished"));
}

TEST_CASE("--max-seconds is refused where a run cannot begin again") {
    const Workplace run;
    write(run / "a", clean());
    write(run / "m", "a\n");
    struct Case {
        const char* words;
        const char* message;
    };
    for (const Case& c : {Case{"--max-seconds 1 a", "--max-seconds needs --manifest"},
                          Case{"--max-seconds 0 --manifest m", "--max-seconds: expected 1 to 1000000"},
                          Case{"--max-seconds 1 --manifest m", "--max-seconds needs a file for every --output"},
                          Case{"--max-seconds 1 --manifest m --output json=/dev/null",
                               "--max-seconds needs a file for every --output"}}) {
        CAPTURE(c.words);
        const Run refused = run(c.words);
        CHECK(refused.status == 2);
        CHECK_MESSAGE(has(refused.err, c.message), refused.err);
    }
    CHECK(run("--max-seconds 1 --manifest m --quiet").status == 0);
}

TEST_CASE("signals to a run with a manifest reach the process that checks") {
    const Workplace run;
    add_pipe(run);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
        CAPTURE(signal);
        const pid_t child = run.start("exec \"$T\" --manifest m --output ndjson=p --output json=j 2>err");
        const int pipe = open((run / "t/pipe").c_str(), O_WRONLY | O_CLOEXEC);  // returns when the file is in progress
        REQUIRE(pipe >= 0);
        kill(child, signal);
        CHECK(status_of(child) == (signal == SIGKILL ? 128 + SIGKILL : 4));
        CHECK(!fs::exists(run / "p"));
        if (signal != SIGKILL) {
            CHECK(has(content_of(run / "err"), "p is not written: the shard is not finished"));
            CHECK(has(content_of(run / "j"), "\"incomplete\""));
        }
        // The other process is also gone: nothing reads from the pipe.
        const auto before = std::signal(SIGPIPE, SIG_IGN);
        for (int tries = 0; tries < 200 && ::write(pipe, "", 1) == 1; ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        CHECK(errno == EPIPE);
        std::signal(SIGPIPE, before);
        close(pipe);
        run.shell("rm -f j .tracelint-*");
    }
}

}  // namespace
}  // namespace tracelint
