// The command line where memory, an input or an output fails once, at every place: the exit status says so, with a
// message, or the report is whole.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/containers.hpp"
#include "tests/failures/fault.hpp"
#include "tests/support/oracle_files.hpp"
#include "tests/support/scratch.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

// Makes a standard stream a file.
void redirect(int stream, const std::string& path, int flags) {
    const int file = open(path.c_str(), flags | O_CLOEXEC);
    dup2(file, stream);
    close(file);
}

// The lowest free descriptor: a failure must not leave a file open.
int lowest_free() {
    const int descriptor = dup(STDIN_FILENO);
    close(descriptor);
    return descriptor;
}

struct Ran {
    int status = 0;
    bool struck = false;
    std::string out, err;
};

// Runs the program's main function in a process of its own.
Ran run_words(const std::vector<std::string>& words, const std::string& input, Call call, uint64_t number,
              Way way = Way::fails, bool onwards = false) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    const ScratchFile out, err;
    Ran ran;
    struct Result {
        bool struck = true;  // until the child reports: it did not get to the end
        bool left_open = false;
    } result;
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        redirect(STDIN_FILENO, input, O_RDONLY);
        redirect(STDOUT_FILENO, out.path(), O_WRONLY);
        redirect(STDERR_FILENO, err.path(), O_WRONLY);
        const int free = lowest_free();
        int status;
        {
            const Fault fault(call, number, way, onwards);
            status = run(arguments);
            result.struck = fault.struck();
        }
        result.left_open = lowest_free() != free;
        _exit(write(ends[1], &result, sizeof result) == sizeof result ? status : 99);
    }
    close(ends[1]);
    (void)!read(ends[0], &result, sizeof result);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.struck = result.struck;
    CHECK_FALSE(result.left_open);
    ran.out = *read_file(out.path());
    ran.err = *read_file(err.path());
    return ran;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A clean file, a broken one, one with notes in a container, and a folder: so deep that the walk opens folders again on
// its way back, with a file at the bottom, one at the top, and a link to it.
class Inputs {
  public:
    Inputs()
        : clean_(*read_file(kRoot / "corpus/jitdump/real/php-8.2-stubs.dump")),
          broken_(read_file(clean_.path())->substr(0, 900)),
          packed_(gzip_member(*read_file(kRoot / "corpus/jitdump/real/node-18.dump"))) {
        std::filesystem::path bottom = folder_.path();
        for (int depth = 0; depth < 40; ++depth) bottom /= "d";
        std::filesystem::create_directories(bottom);
        std::filesystem::copy(clean(), bottom / "clean");
        std::filesystem::copy(broken(), folder_.path() / "broken");
        std::filesystem::create_symlink("broken", folder_.path() / "link");
    }

    const std::string& clean() const { return clean_.path(); }
    const std::string& broken() const { return broken_.path(); }
    const std::string& packed() const { return packed_.path(); }
    std::string folder() const { return folder_.path().string(); }

  private:
    ScratchFile clean_, broken_, packed_;
    ScratchFolder folder_;
};

// Calls that are tried one by one: a run of the program takes thousands of allocations, and a page is written in
// hundreds of pieces.
constexpr uint64_t kFirst = 8;

using Words = std::vector<std::string>;

std::vector<Words> commands_on(const Inputs& inputs) {
    return {{"--output", "json", inputs.clean(), inputs.broken(), inputs.packed()},
            {"--output", "ndjson", "-j2", inputs.broken(), inputs.clean()},
            {"--output", "sarif", inputs.broken()},
            {"--output", "gitlab", inputs.broken()},
            {"--output", "junit", inputs.broken()},
            {"--output", "markdown", inputs.broken()},
            {"--output", "github", inputs.broken()},
            {"--output", "html", inputs.broken()},
            {"dump", "--output", "json", inputs.packed()},
            {"--output", "concise", "-"},
            {inputs.broken(), inputs.packed(), "/nonexistent"},
            {"--output", "concise", inputs.folder()},
            {"--select", "jitdump/,gzip/", "--max-per-rule", "0", "--statistics", inputs.packed()},
            {"--for", "any", "--output", "json", inputs.broken()},
            {"--for", "perf@6.1", "--output", "concise", inputs.clean(), inputs.packed()},
            {"dump", inputs.packed()},
            {"explain", "jitdump/header-unknown-flags"},
            {"rules", "--select", "gzip/"},
            {"generate", "gperftools", "--size", "300"},
            {"--no-such-option"},
            {"--help"}};
}

std::string joined(const Words& words) {
    std::string line;
    for (const std::string& word : words) line += word + ' ';
    return line;
}

}  // namespace

TEST_CASE("a command for which memory is missing says so") {
    const Inputs inputs;
    uint64_t failed = 0;
    for (const Words& words : commands_on(inputs))
        for (const bool onwards : {false, true}) {
            CAPTURE(joined(words));
            CAPTURE(onwards);
            const Ran whole = run_words(words, inputs.broken(), Call::none, 1);
            bool struck = true;
            for (uint64_t number = 1; struck; number = following(number, kFirst)) {
                CAPTURE(number);
                const Ran ran = run_words(words, inputs.broken(), Call::allocation, number, Way::fails, onwards);
                struck = ran.struck;
                failed += struck;
                if (ran.status == whole.status && ran.out == whole.out && ran.err == whole.err) continue;
                CHECK(struck);
                CHECK(ran.status == kInternal);
                CHECK(has(ran.err, "out of memory"));
            }
        }
    MESSAGE(failed << " allocations failed");
    CHECK(failed > 1000);
}

TEST_CASE("a file for which memory is missing does not stop the others") {
    const Inputs inputs;
    const Words words{"--output", "concise", "-j1", inputs.clean(), inputs.broken(), inputs.broken()};
    // In steps of one: a small file needs so few allocations that larger steps may miss them all.
    bool has_continued = false;
    for (uint64_t number = 1; number < 8000 && !has_continued; ++number) {
        const Ran ran = run_words(words, inputs.broken(), Call::allocation, number);
        has_continued = has(ran.err, inputs.clean() + ": out of memory") && has(ran.out, inputs.broken());
    }
    CHECK(has_continued);
}

TEST_CASE("a call of the system that is interrupted is made again, a short read is followed by another") {
    const Inputs inputs;
    for (const Words& words : commands_on(inputs))
        for (const Way way : {Way::interrupted, Way::one_byte})
            for (const Call call : {Call::open, Call::read, Call::poll}) {
                CAPTURE(joined(words));
                CAPTURE(static_cast<int>(call));
                const Ran whole = run_words(words, inputs.broken(), Call::none, 1);
                bool struck = true;
                for (uint64_t number = 1; struck; ++number) {
                    CAPTURE(number);
                    if (way == Way::one_byte && call != Call::read) break;
                    const Ran ran = run_words(words, inputs.broken(), call, number, way);
                    struck = ran.struck;
                    CHECK(ran.status == whole.status);
                    CHECK(ran.out == whole.out);
                    CHECK(ran.err == whole.err);
                }
            }
}

TEST_CASE("an input that cannot be opened or read says so in the exit status") {
    const Inputs inputs;
    uint64_t failed = 0;
    for (const Words& words : commands_on(inputs))
        for (const Call call : {Call::open, Call::list, Call::read, Call::status, Call::position}) {
            CAPTURE(joined(words));
            CAPTURE(static_cast<int>(call));
            const Ran whole = run_words(words, inputs.broken(), Call::none, 1);
            bool struck = true;
            for (uint64_t number = 1; struck; ++number) {
                CAPTURE(number);
                const Ran ran = run_words(words, inputs.broken(), call, number);
                struck = ran.struck;
                failed += struck;
                // A folder of which the system does not say what it is cannot be opened as a file.
                const bool is_reported = has(ran.err, "cannot open: Input/output error") ||
                                         has(ran.err, "cannot read: Input/output error") ||
                                         has(ran.err, "cannot list: Input/output error") ||
                                         has(ran.err, "is a directory");
                if (is_reported)
                    CHECK(ran.status == kUnreadable);
                else
                    CHECK(ran.status == whole.status);  // the bytes beside a finding are not shown, that is all
                if (!has(joined(words), "json")) continue;
                if (ran.status == whole.status && !has(whole.err, "cannot")) CHECK(ran.out == whole.out);
            }
        }
    MESSAGE(failed << " calls failed");
    CHECK(failed > 20);
}

TEST_CASE("an output that cannot be written says so in the exit status") {
    const Inputs inputs;
    const ScratchFolder folder;
    const std::string to = (folder.path() / "earlier").string();
    std::vector<Words> commands = commands_on(inputs);
    commands.push_back({"--output", "json=" + to, "--output", "concise", inputs.broken()});
    commands.push_back({"generate", "gperftools", "-o", to});
    uint64_t not_in_place = 0;
    for (const Words& words : commands)
        for (const Call call : {Call::create, Call::write, Call::flush, Call::close, Call::rename}) {
            CAPTURE(joined(words));
            CAPTURE(static_cast<int>(call));
            bool struck = true;
            for (uint64_t number = 1; struck; number = following(number, kFirst)) {
                CAPTURE(number);
                write_file(to, "earlier");
                const Ran ran = run_words(words, inputs.broken(), call, number);
                struck = ran.struck;
                if (!struck) continue;
                CHECK(ran.status == kInternal);
                CHECK(has(ran.err, "cannot write"));
                if (has(ran.err, to)) {
                    ++not_in_place;
                    CHECK(read_file(to) == "earlier");
                }
                CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
            }
        }
    CHECK(not_in_place >= 10);  // five calls for either file
}

}  // namespace tracelint
