// Runs the program as a user does, in a folder of its own.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "tests/support/paths.hpp"
#include "tests/support/scratch.hpp"

extern char** environ;

namespace tracelint {

namespace fs = std::filesystem;

inline std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void write(const fs::path& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline size_t lines_of(const std::string& text) {
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

struct Run {
    int status = -1;  // that of the program, or 128 and the signal that ended it
    std::string out, err;
};

inline int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A folder of its own, in which the program runs.
class Workplace {
  public:
    Workplace() {
        std::string name = (fs::temp_directory_path() / "tracelint-cli-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    ~Workplace() { fs::remove_all(folder_); }

    fs::path operator/(std::string_view name) const { return folder_ / name; }

    // The names in the folder, sorted.
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    // Runs the program through the shell: `words` may redirect and pipe. $T is the program.
    Run shell(const std::string& command) const {
        const ScratchFile out, err;
        const pid_t child = start("{ " + command + "; } >'" + out.path() + "' 2>'" + err.path() + "'");
        const int status = status_of(child);
        return {status, content_of(out.path()), content_of(err.path())};
    }
    Run operator()(const std::string& arguments) const { return shell("\"$T\" " + arguments); }

    // Starts a shell in the folder. Where `command` begins with `exec`, the process is the program's.
    pid_t start(const std::string& command) const {
        const std::string line = "cd '" + folder_.string() + "' && export T='" + paths::program() + "' && " + command;
        const char* words[] = {"/bin/sh", "-c", line.c_str(), nullptr};
        pid_t child = 0;
        REQUIRE(posix_spawn(&child, words[0], nullptr, nullptr, const_cast<char* const*>(words), environ) == 0);
        return child;
    }

  private:
    fs::path folder_;
};

inline std::string real(const std::string& name) { return content_of(paths::root() + "/corpus/jitdump/real/" + name); }

// Real files: without a finding, with only notes, and one whose last LOAD and CLOSE (16 bytes) are cut.
inline const std::string& clean() {
    static const std::string bytes = real("php-8.2-stubs.dump");
    return bytes;
}
inline const std::string& noted() {
    static const std::string bytes = real("node-18.dump");
    return bytes;
}
inline std::string cut() { return clean().substr(0, clean().size() - 16 - 10); }

}  // namespace tracelint
