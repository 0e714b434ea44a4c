// Walks over folders: which files become inputs, in which order, and at which cost.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/allocated_bytes.hpp"
#include "tests/support/scratch.hpp"
#include "tests/support/skip.hpp"
#include "validator/tool/inputs/inputs.hpp"

namespace tracelint {
namespace {

namespace fs = std::filesystem;

// "path" or "path: failure" of each input, without the scratch folder.
std::vector<std::string> found_in(const fs::path& root, const std::string& below = "") {
    const std::string named = root.string() + below;
    const Inputs inputs({named});
    std::vector<std::string> found;
    for (const InputFile& input : inputs) {
        CHECK(input.walk == 0);
        const std::string path = inputs.path_of(input);
        REQUIRE(path.starts_with(root.string()));
        found.push_back(path.substr(root.string().size()) + (input.failure.empty() ? "" : ": " + input.failure));
    }
    return found;
}

void touch(const fs::path& path) { std::ofstream(path) << 'x'; }

TEST_CASE("the size of all inputs is known unless one is a pipe or cannot be read") {
    const ScratchFolder scratch;
    for (const char* name : {"a", "b"}) touch(scratch.path() / name);
    const std::string root = scratch.path().string();
    CHECK(Inputs({root}).total_size() == 2);
    CHECK(Inputs({root + "/a", root + "/none"}).total_size() == 0);
    REQUIRE(mkfifo((root + "/pipe").c_str(), 0600) == 0);
    CHECK(Inputs({root + "/a", root + "/pipe"}).total_size() == 0);
}

using Paths = std::vector<std::string>;

void replace_by_pipe(const fs::path& path) {
    fs::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
}

// Makes and removes a chain of folders that is deeper than a path may be long.
class DeepFolder {
  public:
    explicit DeepFolder(size_t depth, std::string name = "d")
        : depth_(depth), name_(std::move(name)), at_(open(root_.path().c_str(), kFlags)) {
        for (size_t i = 0; i < depth; ++i) {
            REQUIRE(mkdirat(at_, name_.c_str(), 0700) == 0);
            go(name_.c_str());
        }
    }
    DeepFolder(const DeepFolder&) = delete;
    DeepFolder& operator=(const DeepFolder&) = delete;
    ~DeepFolder() {
        for (size_t i = 0; i < files_; ++i) unlinkat(at_, std::to_string(i).c_str(), 0);
        for (size_t i = 0; i < depth_; ++i) {
            go("..");
            unlinkat(at_, name_.c_str(), AT_REMOVEDIR);
        }
        close(at_);
    }

    // Makes files in the deepest folder: "0", "1" and so on.
    void make_files(size_t count) {
        for (; files_ < count; ++files_) {
            const int file = openat(at_, std::to_string(files_).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            REQUIRE(file >= 0);
            close(file);
        }
    }
    std::string path() const { return root_.path().string(); }

  private:
    static constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

    void go(const char* where) {
        const int next = openat(at_, where, kFlags);
        REQUIRE(next >= 0);
        close(at_);
        at_ = next;
    }

    ScratchFolder root_;
    size_t depth_, files_ = 0;
    std::string name_;
    int at_;
};

}  // namespace

TEST_CASE("a folder stands for its regular files, sorted by path") {
    const ScratchFolder scratch;
    const fs::path& root = scratch.path();
    CHECK(found_in(root).empty());
    fs::create_directories(root / "b/deep/er");
    fs::create_directories(root / "empty");
    for (const char* name : {"c", "a", "\xff", "B", "b.z", "b/2", "b/10", "b/deep/er/x", "b/.hidden"})
        touch(root / name);
    REQUIRE(mkfifo((root / "pipe").c_str(), 0600) == 0);
    CHECK(found_in(root) == Paths{"/B", "/a", "/b/.hidden", "/b/10", "/b/2", "/b/deep/er/x", "/b.z", "/c", "/\xff"});
    CHECK(found_in(root, "/") == found_in(root));
    CHECK(found_in(root, "/b//") == Paths{"/b//.hidden", "/b//10", "/b//2", "/b//deep/er/x"});
}

TEST_CASE("what was found must still be a regular file when it is opened, what was named may be anything") {
    const ScratchFolder scratch;
    const fs::path found = scratch.path() / "below/found", named = scratch.path() / "below/named";
    fs::create_directories(scratch.path() / "below");
    touch(found), touch(named);
    const Inputs inputs({scratch.path().string(), named.string()});
    REQUIRE(inputs.size() == 2);
    for (const InputFile& input : inputs) CHECK(inputs.open(input)->failure().empty());
    replace_by_pipe(found), replace_by_pipe(named);
    CHECK(inputs.open(inputs[0])->failure() == "is not a regular file");
    CHECK(inputs.open(inputs[1])->failure().empty());
}

TEST_CASE("links to files are followed, links to folders are not, links to nothing are tried") {
    const ScratchFolder scratch;
    const fs::path& root = scratch.path();
    fs::create_directories(root / "b");
    touch(root / "b/file");
    fs::create_directory_symlink("..", root / "b/up");
    fs::create_directory_symlink("b", root / "c");
    fs::create_symlink("b/file", root / "link");
    fs::create_symlink("nowhere", root / "dangling");
    fs::create_symlink("loop", root / "loop");
    fs::create_symlink("/dev/null", root / "device");
    CHECK(found_in(root) == Paths{"/b/file", "/dangling", "/link", "/loop"});
    CHECK(found_in(root, "/c") == Paths{"/c/file"});  // but a named one is
}

TEST_CASE("what the user may not see is an input that cannot be read") {
    const ScratchFolder scratch;
    const fs::path& root = scratch.path();
    for (const char* name : {"listed", "searched"}) {
        fs::create_directories(root / name);
        touch(root / name / "file");
    }
    REQUIRE(chmod(root.c_str(), 0755) == 0);
    REQUIRE(chmod((root / "listed").c_str(), 0444) == 0);
    REQUIRE(chmod((root / "searched").c_str(), 0111) == 0);
    fs::create_symlink("listed/file", root / "link");
    constexpr uid_t kNobody = 65534;
    const uid_t user = geteuid();
    if (user == 0 && seteuid(kNobody) != 0) return skip("root may list every folder");  // and cannot be another user
    const Paths found = found_in(root);
    REQUIRE(seteuid(user) == 0);
    CHECK(found == Paths{"/link", "/listed/file", "/searched: cannot list: Permission denied"});
    for (const char* name : {"listed", "searched"}) chmod((root / name).c_str(), 0700);
}

TEST_CASE("named files and folders keep their order") {
    const ScratchFolder scratch;
    const std::string root = scratch.path().string();
    for (const char* name : {"/x", "/y", "/z"}) {
        fs::create_directory(root + name);
        touch(root + name + "/file");
    }
    const Inputs inputs({"-", root + "/y", "missing", root + "/x", root + "/z/file"});
    REQUIRE(inputs.size() == 5);
    const auto path = [&](size_t i) { return inputs.path_of(inputs[i]); };
    CHECK((path(0) == "-" && !inputs[0].walk));
    CHECK((path(1) == root + "/y/file" && inputs[1].walk == 0));
    CHECK((path(2) == "missing" && !inputs[2].walk));
    CHECK((path(3) == root + "/x/file" && inputs[3].walk == 1));
    CHECK((path(4) == root + "/z/file" && !inputs[4].walk));
    CHECK(inputs.walks() == Paths{root + "/y", root + "/x"});
}

TEST_CASE("a file is an input once, however often it is named") {
    const ScratchFolder scratch;
    const fs::path& root = scratch.path();
    fs::create_directories(root / "x/deep");
    for (const char* name : {"a", "b", "x/file", "x/other", "x/deep/file"}) touch(root / name);
    fs::create_symlink("a", root / "link");
    fs::create_directory_symlink("x", root / "y");
    const auto of = [&](std::initializer_list<const char*> names) {
        std::vector<std::string> words;
        for (const char* name : names) words.push_back(root.string() + name);
        const Inputs inputs(words);
        Paths paths;
        for (const InputFile& input : inputs)
            paths.push_back(inputs.path_of(input).substr(root.string().size()) + (input.is_named ? " named" : ""));
        return paths;
    };
    CHECK(of({"/a", "/b", "/a"}) == Paths{"/a", "/b"});
    CHECK(of({"/a", "/./a", "//a", "/x/../a"}) == Paths{"/a"});
    CHECK(of({"/gone", "/gone"}) == Paths{"/gone"});
    CHECK(of({"/no/gone", "/no/gone", "/no/./gone"}) == Paths{"/no/gone", "/no/./gone"});
    CHECK(of({"/a", "/link"}) == Paths{"/a", "/link"});
    CHECK(of({"/x/other", "/x", "/x/other"}) == Paths{"/x/deep/file", "/x/file", "/x/other named"});
    CHECK(of({"/x", "/x/"}) == Paths{"/x/deep/file", "/x/file", "/x/other"});
    CHECK(of({"/x/deep", "/x"}) == Paths{"/x/deep/file", "/x/file", "/x/other"});
    CHECK(of({"/x", "/x/deep", "/y"}) == Paths{"/x/deep/file", "/x/file", "/x/other"});
    const Inputs repeated({root / "x", root / "x/deep"});
    CHECK(!repeated.repeats(0));
    CHECK(repeated.repeats(1));
}

TEST_CASE("a walk goes deeper than there are descriptors, and than a path may be long") {
    constexpr size_t kDepth = 3000;
    DeepFolder deep(kDepth);
    deep.make_files(2);
    touch(deep.path() + "/d/d/z");
    const Inputs inputs({deep.path()});
    REQUIRE(inputs.size() == 3);
    std::string bottom = deep.path();
    for (size_t i = 0; i < kDepth; ++i) bottom += "/d";
    CHECK(inputs.path_of(inputs[0]) == bottom + "/0");
    CHECK(inputs.path_of(inputs[1]) == bottom + "/1");
    CHECK(inputs.path_of(inputs[2]) == deep.path() + "/d/d/z");  // after the way back up
    fs::remove(deep.path() + "/d/d/z");
}

TEST_CASE("what excluding costs is linear in the depth of folders") {
    const std::string name(20, 'a');
    std::vector<std::string> patterns{"old", "*.tmp", "./x/**"};
    size_t bytes = 0;  // of patterns
    for (int i = 0; i < 40; ++i)
        patterns.push_back("**/a" + std::to_string(i) + "/**/b" + std::to_string(i) + "*/**/c*");
    for (const std::string& pattern : patterns) bytes += pattern.size();
    for (const size_t depth : {size_t{100}, size_t{1500}}) {
        DeepFolder deep(depth, name);
        deep.make_files(1);
        const Exclusions exclusions("", patterns);
        const Inputs inputs({deep.path()}, &exclusions);
        REQUIRE(inputs.size() == 1);
        // A folder is compared once to see whether it is excluded, and once to enter it. The scratch folder is the
        // parent.
        const size_t compared = 2 * depth * (name.size() + 1) + 2 * deep.path().size() + 2;
        CHECK(exclusions.steps() <= compared * (2 * bytes / 64 + 3));
    }
}

TEST_CASE("a folder's name is kept once, however many files are below it") {
    constexpr size_t kFiles = 2000;
    DeepFolder deep(1950);
    deep.make_files(kFiles);
    const size_t before = allocated_bytes();
    const Inputs inputs({deep.path()});
    REQUIRE(inputs.size() == kFiles);
    CHECK(allocated_bytes() - before < 500 * kFiles);
}

}  // namespace tracelint
