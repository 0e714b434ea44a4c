// Runs another reader of a format over many files.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/support/corpus.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/skip.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {

inline bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

// Files in a folder of their own, so that one shell can run a peer over all of them.
class PeerRun {
  public:
    void add(const std::string& name, const std::string& bytes) { write_file(folder_.path() / name, bytes); }

    // What a shell prints that runs `command` in the folder, line by line.
    std::vector<std::string> lines(const std::string& command) const {
        REQUIRE(std::system(
                    ("cd '" + folder_.path().string() + "' && { " + command + "; } >'" + list_.path() + "'").c_str()) ==
                0);
        std::ifstream list(list_.path());
        std::vector<std::string> lines;
        for (std::string line; std::getline(list, line);) lines.push_back(line);
        return lines;
    }

    // The names of the files for which `command "$0"` fails or takes more than 20 seconds.
    std::vector<std::string> refused(const std::string& command) const {
        return lines("ls | xargs -P \"$(nproc)\" -n 1 sh -c 'timeout 20 " + command +
                     " >/dev/null 2>&1 || echo \"$0\"'");
    }

  private:
    ScratchFile list_;
    ScratchFolder folder_;
};

// Bytes cut out, put in, or the file cut.
inline std::string structural_mutant(std::string bytes, Random& random) {
    constexpr uint64_t kMostMoved = 64;
    const uint64_t at = below(random, bytes.size());
    switch (below(random, 3)) {
        case 0: return bytes.erase(at, between(random, 1, kMostMoved));
        case 1: return bytes.insert(at, random_bytes(random, between(random, 1, kMostMoved)));
        default: return bytes.substr(0, at);
    }
}

}  // namespace tracelint
