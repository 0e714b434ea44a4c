// Comparing folder by folder excludes what comparing whole paths does.
#include "validator/tool/inputs/exclusions.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/oracle_files.hpp"
#include "validator/generator/record_values.hpp"

namespace tracelint {
namespace {

std::string text_of(Random& random, std::string_view letters, uint64_t most) {
    std::string text;
    for (uint64_t length = between(random, 1, most); length > 0; --length)
        text += letters[below(random, letters.size())];
    return text;
}

// Some folders, each name of one or two letters.
std::string path_in(Random& random, std::string base) {
    for (uint64_t parts = between(random, 1, 6); parts > 0; --parts)
        base += (base.empty() || base.ends_with('/') ? "" : "/") + text_of(random, "aab", 2);
    return base;
}

std::string pattern_in(Random& random) {
    constexpr std::string_view kBefore[] = {"", "", "", "./", "../", "/", "/a/", "**/", "/a/b/", "/**/"};
    while (true) {
        std::string pattern(kBefore[below(random, std::size(kBefore))]);
        for (uint64_t parts = between(random, 1, 3); parts > 0; --parts)
            pattern +=
                (one_in(random, 3) ? std::string("**") : text_of(random, "aab*?[]!", 3)) + (parts > 1 ? "/" : "");
        if (one_in(random, 6)) pattern += '/';
        if (PathPattern::fault_of(pattern).empty()) return pattern;
    }
}

// By the definition: a pattern matches the whole path, or that of a folder that it leads through.
class PlainExclusions {
  public:
    PlainExclusions(const std::string& base, const std::vector<std::string>& patterns) : base_(base) {
        for (const std::string& pattern : patterns) patterns_.emplace_back(pattern, base, PathPattern::Bare::names);
    }
    bool covers(const std::string& path) const {
        const ComparedPath compared = base_.compared(path);
        return std::ranges::any_of(patterns_, [&](const auto& one) { return one.matches_path_or_folder(compared); });
    }

  private:
    PathBase base_;
    std::vector<PathPattern> patterns_;
};

TEST_CASE("folder by folder, the same is excluded as by whole paths. TRACELINT_SEEDS=N asks for more paths") {
    Random random(1);
    uint64_t covered = 0, all = 0;
    for (uint64_t left = seeds(2000); left > 0; --left) {
        constexpr std::string_view kBases[] = {"/", "/a", "/a/b", "/a/a/aa", "/b"};
        const std::string base(kBases[below(random, std::size(kBases))]);
        std::vector<std::string> patterns;
        for (uint64_t count = between(random, 1, 4); count > 0; --count) patterns.push_back(pattern_in(random));
        const Exclusions exclusions(base, patterns);
        const PlainExclusions plain(base, patterns);
        CAPTURE(base);
        CAPTURE(patterns.front());
        CAPTURE(patterns.back());
        const std::string path = path_in(random, one_in(random, 2) ? base : "/");
        CHECK_MESSAGE(exclusions.covers(path) == plain.covers(path), path);
        // A walk begins at any folder above, and sees a folder at a time.
        size_t slash = path.find('/', one_in(random, 2) ? 1 : path.size() / 2);
        if (slash == path.npos) continue;
        Exclusions::Folder folder = exclusions.folder(path.substr(0, slash));
        while (slash != path.npos) {
            const size_t next = path.find('/', slash + 1);
            const std::string name = path.substr(slash + 1, next == path.npos ? next : next - slash - 1);
            const bool is_covered = exclusions.covers(folder, name);
            CHECK_MESSAGE(is_covered == plain.covers(path.substr(0, next)), path.substr(0, next));
            covered += is_covered;
            ++all;
            folder = exclusions.enter(folder, name);
            slash = next;
        }
    }
    CHECK(covered > all / 10);
    CHECK(covered < all * 9 / 10);
}

TEST_CASE("patterns for paths match together what they match one by one, piece by piece") {
    Random random(1);
    uint64_t matched = 0, all = 0;
    for (uint64_t left = seeds(2000); left > 0; --left) {
        std::vector<Glob> globs;
        for (uint64_t count = between(random, 0, 40); count > 0; --count) {
            const std::string pattern = one_in(random, 8) ? "**/**/***/" + pattern_in(random) : pattern_in(random);
            globs.emplace_back(pattern);
        }
        std::vector<const Glob*> pointers;
        for (const Glob& glob : globs) pointers.push_back(&glob);
        const GlobSet together(pointers);
        GlobSet::State state = together.start();
        uint64_t steps = 0;
        std::string path;
        for (uint64_t pieces = between(random, 1, 4); pieces > 0; --pieces) {
            const std::string piece = text_of(random, "aab//\xc3\xa9", 4);
            path += piece;
            together.advance(state, piece, steps);
        }
        CAPTURE(path);
        bool any = false;
        for (size_t i = 0; i < globs.size(); ++i) {
            CAPTURE(globs[i].pattern());
            const bool is_matched = globs[i].matches(path);
            CHECK(together.is_matched(state, i) == is_matched);
            any |= is_matched;
            matched += is_matched;
            ++all;
        }
        CHECK(together.is_any_matched(state) == any);
    }
    CHECK(matched > all / 40);
    CHECK(matched < all / 2);
}

}  // namespace
}  // namespace tracelint
