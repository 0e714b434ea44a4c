// Sources: files, pipes, standard input, memory, and the chunked source of the tests themselves.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "fuzz/chunked_source.hpp"
#include "tests/support/asleep.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

std::string rest_of(Source& source, size_t asked = 7) {
    std::string text, piece(asked, '\0');
    while (const size_t got = source.read(reinterpret_cast<uint8_t*>(piece.data()), asked))
        text += piece.substr(0, got);
    return text;
}

// After the end, at the limits of a file offset, and beyond them.
constexpr uint64_t kFarOffsets[] = {
    11,
    4096,
    uint64_t{1} << 40,
    INT64_MAX - 4096,
    INT64_MAX - 3,
    INT64_MAX - 1,
    INT64_MAX,
    uint64_t{INT64_MAX} + 1,
    kNone - 1,
    kNone,
};

TEST_CASE("a regular file knows its size, seeks, and has no bytes after its end") {
    const ScratchFile file("0123456789");
    const auto source = open_file(file.path());
    CHECK(source->size() == 10);
    CHECK(rest_of(*source) == "0123456789");
    CHECK(source->seek(4));
    CHECK(rest_of(*source) == "456789");
    for (const uint64_t offset : kFarOffsets) {
        CAPTURE(offset);
        CHECK(source->seek(offset));
        CHECK(rest_of(*source, 4096).empty());
        CHECK(source->failure().empty());
    }
    CHECK(source->seek(9));
    CHECK(rest_of(*source) == "9");
    CHECK_FALSE(source->has_changed());
    CHECK_FALSE(source->is_cut());
}

TEST_CASE("a file that is appended to has changed, and is read to the size that it had") {
    const ScratchFile file("abc");
    const auto source = open_file(file.path());
    file.append("def");
    CHECK(source->size() == 3);
    CHECK(source->has_changed());
    CHECK(rest_of(*source) == "abc");
    CHECK(source->seek(2));
    CHECK(rest_of(*source) == "c");
    CHECK(source->seek(3));
    CHECK(rest_of(*source).empty());
}

TEST_CASE("an empty file that is appended to has changed, and stays empty") {
    const ScratchFile file;
    const auto source = open_file(file.path());
    CHECK(rest_of(*source).empty());
    CHECK_FALSE(source->has_changed());
    file.append("def");
    CHECK(source->has_changed());
    CHECK(rest_of(*source).empty());
    CHECK(source->failure().empty());
}

TEST_CASE("a regular file that says that it is empty is read all the same") {
    if (access("/proc/version", R_OK) != 0) return skip("there is no /proc");
    struct stat status;
    REQUIRE(stat("/proc/version", &status) == 0);
    REQUIRE(S_ISREG(status.st_mode));
    REQUIRE(status.st_size == 0);
    const auto source = open_file("/proc/version");
    CHECK(source->size() == kNone);
    CHECK_FALSE(source->seek(0));
    const std::string text = rest_of(*source);
    CHECK(text.size() > 7);
    CHECK(text.back() == '\n');
    CHECK(source->failure().empty());
    CHECK_FALSE(source->has_changed());
}

TEST_CASE("a file that is shortened has changed, and its current size is known once its end was met") {
    const ScratchFile file("abcdef");
    const auto source = open_file(file.path());
    REQUIRE(truncate(file.path().c_str(), 4) == 0);
    CHECK(source->has_changed());
    CHECK(rest_of(*source) == "abcd");
    CHECK(source->size() == 4);
    REQUIRE(truncate(file.path().c_str(), 2) == 0);
    REQUIRE(source->seek(1));
    CHECK(rest_of(*source) == "b");
    CHECK(source->size() == 2);
}

TEST_CASE("a file with another size has changed, even if its times are the same") {
    const ScratchFile file("one");
    const auto source = open_file(file.path());
    struct stat before;
    REQUIRE(stat(file.path().c_str(), &before) == 0);
    file.append("two");
    const timespec times[] = {before.st_atim, before.st_mtim};
    REQUIRE(utimensat(AT_FDCWD, file.path().c_str(), times, 0) == 0);
    CHECK(source->has_changed());
}

TEST_CASE("a file that is overwritten has changed, as its times show") {
    const ScratchFile file("abc");
    const auto set_time = [&](const timespec& modified) {
        const timespec times[] = {{0, UTIME_OMIT}, modified};
        REQUIRE(utimensat(AT_FDCWD, file.path().c_str(), times, 0) == 0);
    };
    set_time({1, 0});
    const auto source = open_file(file.path());
    CHECK_FALSE(source->has_changed());
    set_time({1, 1});
    CHECK(source->has_changed());
    set_time({2, 0});
    CHECK(source->has_changed());
}

TEST_CASE("a file that cannot be read says why") {
    struct Unreadable {
        std::string path, failure;
    };
    const ScratchFile not_a_directory;
    const Unreadable unreadables[] = {
        {"/", "is a directory"},
        {"", "cannot open: No such file or directory"},
        {"/nonexistent/trace", "cannot open: No such file or directory"},
        {not_a_directory.path() + "/trace", "cannot open: Not a directory"},
    };
    for (const auto& [path, failure] : unreadables) {
        CAPTURE(path);
        const auto source = open_file(path);
        CHECK(source->failure() == failure);
        CHECK(rest_of(*source).empty());
        CHECK(source->failure() == failure);
        CHECK_FALSE(source->seek(0));
        CHECK(source->size() == kNone);
        CHECK_FALSE(source->has_changed());
    }
}

TEST_CASE("a named pipe is read in order") {
    const ScratchFile name;
    REQUIRE(unlink(name.path().c_str()) == 0);
    REQUIRE(mkfifo(name.path().c_str(), 0600) == 0);
    std::thread writer([&] {
        const int to = open(name.path().c_str(), O_WRONLY | O_CLOEXEC);
        for (const char* piece : {"one ", "two ", "three"}) CHECK(write(to, piece, std::strlen(piece)) > 0);
        close(to);
    });
    const auto source = open_file(name.path());
    CHECK_FALSE(source->seek(0));
    CHECK(source->size() == kNone);
    CHECK(rest_of(*source) == "one two three");
    CHECK(source->failure().empty());
    CHECK_FALSE(source->has_changed());
    writer.join();
}

TEST_CASE("what is found in a folder and is no regular file is not waited for") {
    const ScratchFile name;
    CHECK(open_regular_file(name.path())->failure().empty());
    REQUIRE(unlink(name.path().c_str()) == 0);
    CHECK(open_regular_file(name.path())->failure() == "cannot open: No such file or directory");
    REQUIRE(mkfifo(name.path().c_str(), 0600) == 0);
    for (const std::string& path : {name.path(), std::string("/dev/null"), std::string("/dev/zero")}) {
        CAPTURE(path);
        const auto source = open_regular_file(path);
        CHECK(source->failure() == "is not a regular file");
        CHECK(rest_of(*source).empty());
    }
    CHECK(open_regular_file("/")->failure() == "is a directory");
}

// Ends the waiting of a source after a minute, unless it is destroyed before.
class Bound {
  public:
    explicit Bound(Source& source) {
        REQUIRE(pipe(pipe_) == 0);
        source.end_waiting_at(pipe_[0]);
        thread_ = std::thread([this] {
            std::unique_lock lock(mutex_);
            if (!over_.wait_for(lock, std::chrono::minutes(1), [this] { return is_over_; }))
                CHECK(write(pipe_[1], "x", 1) == 1);
        });
    }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    ~Bound() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        over_.notify_one();
        thread_.join();
        close(pipe_[0]), close(pipe_[1]);
    }

  private:
    int pipe_[2] = {-1, -1};
    std::mutex mutex_;
    std::condition_variable over_;
    bool is_over_ = false;
    std::thread thread_;
};

// poll() never reports some files of /proc as ready, whatever they contain.
TEST_CASE("a regular file is not waited for") {
    bool has_any = false;
    for (const std::string path : {"/proc/bus/input/devices", "/proc/version"}) {
        CAPTURE(path);
        const auto source = open_file(path);
        if (!source->failure().empty()) continue;
        has_any = true;
        const Bound bound(*source);
        (void)rest_of(*source, 1 << 16);
        CHECK(source->failure().empty());
    }
    if (!has_any) skip("there is no /proc");
}

TEST_CASE("a device is read in order") {
    const auto source = open_file("/dev/null");
    CHECK_FALSE(source->seek(0));
    CHECK(source->size() == kNone);
    CHECK(rest_of(*source).empty());
    CHECK(source->failure().empty());
}

// Replaces standard input by a descriptor during a test.
class StandardInput {
  public:
    explicit StandardInput(int descriptor) : kept_(dup(STDIN_FILENO)) { dup2(descriptor, STDIN_FILENO); }
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;
    ~StandardInput() {
        dup2(kept_, STDIN_FILENO);
        close(kept_);
    }

  private:
    int kept_;
};

TEST_CASE("standard input from a file begins at its current position") {
    const ScratchFile file("header body");
    const int descriptor = open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
    lseek(descriptor, 7, SEEK_SET);
    const StandardInput input(descriptor);
    const auto source = open_standard_input();
    CHECK(source->size() == 4);
    CHECK(rest_of(*source) == "body");
    CHECK(source->seek(1));
    CHECK(rest_of(*source) == "ody");
    for (const uint64_t offset : kFarOffsets) {
        CHECK(source->seek(offset));
        CHECK(rest_of(*source).empty());
    }
    close(descriptor);
}

TEST_CASE("standard input from a file is read to the size that the file had") {
    const ScratchFile file("header body");
    const int descriptor = open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
    lseek(descriptor, 7, SEEK_SET);
    {
        const StandardInput input(descriptor);
        const auto source = open_standard_input();
        file.append(" and more");
        CHECK(source->size() == 4);
        CHECK(rest_of(*source) == "body");
    }
    close(descriptor);
}

TEST_CASE("standard input that cannot be read says why") {
    const ScratchFile file("abc");
    const int write_only = open(file.path().c_str(), O_WRONLY | O_CLOEXEC);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    for (const int descriptor : {write_only, ends[1]}) {
        const StandardInput input(descriptor);
        const auto source = open_standard_input();
        CHECK(rest_of(*source).empty());
        CHECK(source->failure() == "cannot read: Bad file descriptor");
        close(descriptor);
    }
    close(ends[0]);
    const StandardInput input(STDIN_FILENO);
    close(STDIN_FILENO);
    CHECK(open_standard_input()->failure() == "cannot open: Bad file descriptor");
}

TEST_CASE("a pipe without data is waited for") {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    const StandardInput input(ends[0]);
    const auto source = open_standard_input();
    std::thread writer([&, reader = gettid()] {
        wait_until_asleep(reader);
        CHECK(write(ends[1], "late", 4) == 4);
        close(ends[1]);
    });
    CHECK(rest_of(*source) == "late");
    CHECK(source->failure().empty());
    writer.join();
    close(ends[0]);
}

TEST_CASE("waiting for input ends on request, and the source reports it") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "pipe").string();
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    int input_ends[2], stop[2];
    REQUIRE(pipe2(input_ends, O_CLOEXEC) == 0);
    REQUIRE(pipe2(stop, O_CLOEXEC) == 0);
    const StandardInput input(input_ends[0]);
    const std::unique_ptr<Source> sources[] = {open_file(path), open_standard_input()};
    CHECK(write(input_ends[1], "early", 5) == 5);
    for (const auto& source : sources) source->end_waiting_at(stop[0]);
    std::string early(5, ' ');
    CHECK(sources[1]->read(reinterpret_cast<uint8_t*>(early.data()), early.size()) == 5);
    std::thread ender([&, reader = gettid()] {
        wait_until_asleep(reader);
        CHECK(write(stop[1], "", 1) == 1);
    });
    for (const auto& source : sources) {
        CHECK(rest_of(*source).empty());
        CHECK(source->failure() == "cannot read: Operation canceled");
    }
    ender.join();
    for (const int end : {input_ends[0], input_ends[1], stop[0], stop[1]}) close(end);
}

TEST_CASE("a pipe that is written to does not count as changed") {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "pipe").string();
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const int writer = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(reader >= 0);
    REQUIRE(writer >= 0);
    const timespec long_ago[] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
    REQUIRE(futimens(reader, long_ago) == 0);
    const StandardInput input(reader);
    const auto source = open_standard_input();
    CHECK(write(writer, "bytes", 5) == 5);  // and so its time is now
    close(writer);
    CHECK(rest_of(*source) == "bytes");
    CHECK_FALSE(source->has_changed());
    close(reader);
}

TEST_CASE("a signal during a read is neither the end nor a failure") {
    static std::atomic<bool> came;
    came = false;
    struct sigaction ignores{}, before{};
    ignores.sa_handler = [](int) { came = true; };  // without SA_RESTART
    REQUIRE(sigaction(SIGUSR1, &ignores, &before) == 0);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    {
        const StandardInput input(ends[0]);
        const auto source = open_standard_input();
        std::thread writer([&, reader = pthread_self(), thread = gettid()] {
            wait_until_asleep(thread);
            pthread_kill(reader, SIGUSR1);
            while (!came) std::this_thread::yield();
            wait_until_asleep(thread);
            CHECK(write(ends[1], "late", 4) == 4);
            close(ends[1]);
        });
        CHECK(rest_of(*source) == "late");
        CHECK(source->failure().empty());
        writer.join();
    }
    close(ends[0]);
    sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("a source closes its file, but not standard input") {
    const auto is_open = [](int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; };
    const ScratchFile file("0123456789");
    const int next = dup(STDOUT_FILENO);  // the lowest number that is free
    REQUIRE(next >= 0);
    close(next);
    {
        const auto source = open_file(file.path());
        REQUIRE(source->failure().empty());
        CHECK(is_open(next));
        CHECK(fcntl(next, F_GETFD) == FD_CLOEXEC);  // no other program gets it
    }
    CHECK_FALSE(is_open(next));
    {
        const StandardInput restored(STDIN_FILENO);
        close(STDIN_FILENO);
        {
            const auto source = open_file(file.path());  // has the number that is free now
            CHECK(is_open(STDIN_FILENO));
        }
        CHECK_FALSE(is_open(STDIN_FILENO));
    }
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    const StandardInput input(ends[0]);
    {
        const auto source = open_standard_input();
    }
    CHECK(is_open(STDIN_FILENO));
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE("memory is a source that seeks") {
    MemorySource source(as_bytes("0123456789"));
    CHECK(rest_of(source, 3) == "0123456789");
    CHECK(source.seek(8));
    CHECK(rest_of(source) == "89");
    for (const uint64_t offset : kFarOffsets) {
        CHECK(source.seek(offset));
        CHECK(rest_of(source).empty());
    }
    CHECK(source.size() == 10);
}

TEST_CASE("a chunked source gives pieces of the requested sizes") {
    const auto pieces = [](Chunking chunking) {
        ChunkedSource source(as_bytes("0123456789"), std::move(chunking));
        std::string text;
        uint8_t to[8];
        while (const size_t got = source.read(to, sizeof to)) text += std::string(as_text({to, got})) + '|';
        return text + source.failure();
    };
    CHECK(pieces({}) == "01234567|89|");
    CHECK(pieces({.sizes = {1}}) == "0|1|2|3|4|5|6|7|8|9|");
    CHECK(pieces({.sizes = {3, 0, 4}}) == "012|3|4567|89|");
    CHECK(pieces({.short_at = 5}) == "01234|56789|");
    CHECK(pieces({.fails_at = 2}) == "01|the source is set to fail here");
    CHECK(pieces({.fails_at = 0}) == "the source is set to fail here");
    CHECK(pieces({.seed = 1}) != pieces({}));
}

}  // namespace
}  // namespace tracelint
