#include "tests/tool/workplace.hpp"

#include <doctest/doctest.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/support/scratch.hpp"

extern char** environ;

namespace tracelint {

std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const fs::path& path, std::string_view content) { std::ofstream(path, std::ios::binary) << content; }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

size_t lines_of(std::string_view text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

int status_of(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Workplace::Workplace() {
    std::string name = (fs::temp_directory_path() / "tracelint-cli-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder_ = name;
}

std::vector<std::string> Workplace::names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

Run Workplace::shell(const std::string& command) const {
    const ScratchFile out, err;
    const pid_t child = start("{ " + command + "; } >'" + out.path() + "' 2>'" + err.path() + "'");
    const int status = status_of(child);
    return {status, content_of(out.path()), content_of(err.path())};
}

pid_t Workplace::start(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() + "' && export T='" + paths::program() + "' && " + command;
    const char* words[] = {"/bin/sh", "-c", line.c_str(), nullptr};
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, words[0], nullptr, nullptr, const_cast<char* const*>(words), environ) == 0);
    return child;
}

std::string real(const std::string& name) { return content_of(paths::root() + "/corpus/jitdump/real/" + name); }

const std::string& clean() {
    static const std::string bytes = real("php-8.2-stubs.dump");
    return bytes;
}

const std::string& noted() {
    static const std::string bytes = real("node-18.dump");
    return bytes;
}

std::string cut() { return clean().substr(0, clean().size() - 16 - 10); }

}  // namespace tracelint
