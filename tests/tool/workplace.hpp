// Runs the program as a user does, in a folder of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/paths.hpp"

namespace tracelint {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path);
void write(const fs::path& path, std::string_view content);

bool has(std::string_view text, std::string_view part);
size_t lines_of(std::string_view text);

struct Run {
    int status = -1;  // that of the program, or 128 and the signal that ended it
    std::string out, err;
};

// Waits until the child has ended.
int status_of(pid_t child);

// A folder of its own, in which the program runs.
class Workplace {
  public:
    Workplace();
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() { fs::remove_all(folder_); }

    fs::path operator/(std::string_view name) const { return folder_ / name; }

    // The names in the folder, sorted.
    std::vector<std::string> names() const;

    // Runs the program through the shell: `words` may redirect and pipe. $T is the program.
    Run shell(const std::string& command) const;
    Run operator()(const std::string& arguments) const { return shell("\"$T\" " + arguments); }

    // The same with a pipe of the name "pipe", into which the file "cut" is written. The writer does not outlive the
    // run: it would wait for a reader that did not come.
    Run reading_pipe(const std::string& arguments) const {
        return shell("mkfifo pipe; cat cut >pipe & \"$T\" " + arguments + "; status=$?; kill $! 2>&-; (exit $status)");
    }

    // Starts a shell in the folder. Where `command` begins with `exec`, the process is the program's.
    pid_t start(const std::string& command) const;

  private:
    fs::path folder_;
};

// A file of corpus/jitdump/real.
std::string real(const std::string& name);

// Real files: without a finding, with only notes, and one whose last LOAD and CLOSE (16 bytes) are cut.
const std::string& clean();
const std::string& noted();
std::string cut();

}  // namespace tracelint
