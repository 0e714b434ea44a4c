// scripts/strangers: what it lists, and when it fails.
#include <doctest/doctest.h>

#include "tests/support/corpus.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/skip.hpp"

namespace tracelint {
namespace {

struct Listed {
    int status;
    std::string text;
};

Listed strangers(const std::filesystem::path& folder) {
    const ScratchFolder output;
    const std::string list = output.path() / "list";
    const std::string command = "TRACELINT='" + paths::program() + "' '" + paths::root() + "/scripts/strangers' '" +
                                folder.string() + "' >'" + list + "' 2>&1";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_file(list).value_or("")};
}

TEST_CASE("scripts/strangers lists the files that are recognised as a trace, and fails if one is unknown") {
    if (std::system("python3 --version >/dev/null 2>&1") != 0) return skip("python3 is not installed");
    const ScratchFolder folder;
    const auto below = folder.path() / "some" / "folder";
    std::filesystem::create_directories(below);
    write_file(below / "text", "no trace\n");
    write_file(folder.path() / "empty", "");
    CHECK(strangers(folder.path()).status == 0);
    CHECK(strangers(folder.path()).text == "2 files, 0 of them unreadable; 0 taken for a trace, 0 of them unknown\n");

    const auto known = below / "copy";
    std::filesystem::copy_file(kRoot / "corpus/jitdump/real/lli-19.dump", known);
    const Listed one = strangers(folder.path());
    CHECK(one.status == 0);
    CHECK(one.text == "known    jitdump    note       " + known.string() +
                          "\n3 files, 0 of them unreadable; 1 taken for a trace, 0 of them unknown\n");

    write_file(known, "DTiJ");
    const Listed other = strangers(folder.path());
    CHECK(other.status == 1);
    CHECK(other.text == "STRANGER jitdump    error      " + known.string() +
                            "\n3 files, 0 of them unreadable; 1 taken for a trace, 1 of them unknown\n");
    CHECK(strangers(known).status == 2);
}

}  // namespace
}  // namespace tracelint
