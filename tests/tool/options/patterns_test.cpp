// Patterns for paths and names: matches, faults, and the cost of matching.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/oracle_files.hpp"
#include "validator/generator/record_values.hpp"
#include "validator/tool/options/expectations.hpp"

namespace tracelint {
namespace {

TEST_CASE("a pattern matches paths") {
    const struct {
        std::string_view pattern;
        std::vector<std::string_view> matching, others;
    } cases[] = {
        {"a.dump", {"a.dump"}, {"", "a.dumps", "ba.dump", "x/a.dump", "a_dump"}},
        {"*.dump", {".dump", "a.dump", "a.b.dump"}, {"dump", "x/a.dump", "a.dump/x"}},
        {"jit-*-*.dump", {"jit-1-2.dump", "jit--.dump", "jit-1-2-3.dump"}, {"jit-1.dump", "jit-1/2-3.dump"}},
        {"?.prof", {"a.prof", "\xc3\xa9.prof"}, {".prof", "ab.prof", "/.prof"}},
        {"a**b", {"ab", "a/b", "axx/yb"}, {"a", "ba"}},
        {"**", {"", "a", "a/b", "/a/b"}, {}},
        {"**/a", {"a", "x/a", "x/y/a", "/a"}, {"xa", "x/ya", "a/b", ""}},
        {"x/**/a", {"x/a", "x/y/a", "x/y/z/a"}, {"xa", "x/ya", "y/x/a"}},
        {"x/**", {"x/", "x/a", "x/a/b"}, {"x", "y/x/a"}},
        {"**/x/*.prof", {"x/a.prof", "a/b/x/c.prof"}, {"x/a/b.prof", "a.prof"}},
        {"**/**/a", {"a", "x/a", "x/y/a"}, {"xa"}},
        {"[a-c]1", {"a1", "b1", "c1"}, {"d1", "-1", "1"}},
        {"[!a-c]1", {"d1", "-1"}, {"a1", "/1", "1"}},
        {"[^a]", {"b"}, {"a", "/"}},
        {"[]a]x", {"]x", "ax"}, {"bx"}},
        {"[a-]", {"a", "-"}, {"b"}},
        {"[/]", {}, {"/"}},
        {"\\*\\[a", {"*[a"}, {"x[a", "\\*\\[a"}},
        {"a\\\\[b]", {"a\\b"}, {"a[b]"}},
        {"-", {"-"}, {"a"}},
        {"a\\xff*", {"a\xff", "a\xff\xfe"}, {"axff", "a\xfe", "a"}},
        {"\\x7f\\xag\\x8", {"x7fxagx8"}, {"\x7f"}},
        {"\\\\xff", {"\\xff"}, {"\xff"}},
    };
    for (const auto& [pattern, matching, others] : cases) {
        CAPTURE(pattern);
        REQUIRE(Glob::fault_of(pattern).empty());
        const Glob glob(pattern);
        for (const std::string_view path : matching) CHECK_MESSAGE(glob.matches(path), path);
        for (const std::string_view path : others) CHECK_FALSE_MESSAGE(glob.matches(path), path);
    }
}

TEST_CASE("a pattern may be wrong") {
    CHECK(Glob::fault_of("") == "a pattern is empty");
    for (const char* pattern : {"[", "a[b", "[!", "[]", "[!]", "\\\\[a"})
        CHECK(Glob::fault_of(pattern) == "a pattern has a [ without a ]");
    for (const char* pattern : {"\\", "a\\", "[a]\\"})
        CHECK(Glob::fault_of(pattern) == "a pattern ends in a backslash");
    CHECK(Glob::fault_of("\\[a").empty());
}

TEST_CASE("a pattern for names takes a slash for any other character") {
    const Glob glob("Ljava/*Main;?[!a]", Glob::Of::names);
    CHECK(glob.matches("Ljava/x/y/Main;/b"));
    CHECK(glob.matches("Ljava/Main;a/"));
    CHECK_FALSE(glob.matches("Ljava/x/y/Main;/a"));
    CHECK_FALSE(glob.matches("java/x/y/Main;/b"));
    CHECK(Glob("**/a", Glob::Of::names).matches("x/y/a"));
    CHECK_FALSE(Glob("**/a", Glob::Of::names).matches("a"));
}

// The patterns that match one of the names, one by one.
std::vector<bool> matched_one_by_one(const std::vector<Glob>& patterns, const std::vector<std::string>& names) {
    std::vector<bool> matched;
    for (const Glob& glob : patterns)
        matched.push_back(std::ranges::any_of(names, [&](const std::string& name) { return glob.matches(name); }));
    return matched;
}

TEST_CASE("patterns for names match together what they match one by one. TRACELINT_SEEDS=N asks for more of them") {
    Random random(1);
    constexpr std::string_view kLetters = "aab*?*?[!]/\\\xc3\xa9", kInNames = "aaab/*\\\xc3\xa9";
    uint64_t matched = 0, all = 0;
    for (uint64_t left = seeds(2000); left > 0; --left) {
        std::vector<Glob> patterns;
        std::vector<std::string> names(between(random, 0, 4));
        for (uint64_t count = between(random, 1, 30); count > 0; --count) {
            std::string pattern(between(random, 1, 12), '\0');
            for (char& c : pattern) c = kLetters[below(random, kLetters.size())];
            if (Glob::fault_of(pattern).empty()) patterns.emplace_back(pattern, Glob::Of::names);
        }
        for (std::string& name : names)
            for (uint64_t length = between(random, 0, 8); length > 0; --length)
                name += kInNames[below(random, kInNames.size())];
        std::vector<const Glob*> pointers;
        for (const Glob& pattern : patterns) pointers.push_back(&pattern);
        NamePatterns together(pointers);
        for (const std::string& name : names) together.add(name);
        const std::vector<bool> wanted = matched_one_by_one(patterns, names);
        for (size_t i = 0; i < patterns.size(); ++i) {
            CAPTURE(patterns[i].pattern());
            CHECK(together.is_matched(i) == wanted[i]);
            matched += wanted[i];
            ++all;
        }
    }
    CHECK(matched > all / 40);
    CHECK(matched < all / 2);
}

TEST_CASE("no patterns make hearing names expensive") {
    const auto repeated = [](std::string_view part, size_t bytes) {
        std::string text;
        while (text.size() + part.size() <= bytes) text += part;
        return text;
    };
    const std::string longest = repeated("*a", kMostNamePatterns - 1) + "b";
    const std::vector<std::vector<std::string>> cases = {
        {longest},
        {repeated("?", kMostNamePatterns)},
        {repeated("?*", kMostNamePatterns)},
        std::vector<std::string>(kMostNamePatterns / 3, "*b?"),
        std::vector<std::string>(kMostNamePatterns, "a"),
    };
    const std::string name(size_t{1} << 16, 'a');
    for (const std::vector<std::string>& patterns : cases) {
        std::vector<Glob> globs;
        for (const std::string& pattern : patterns) globs.emplace_back(pattern, Glob::Of::names);
        std::vector<const Glob*> pointers;
        for (const Glob& glob : globs) pointers.push_back(&glob);
        NamePatterns together(pointers);
        together.add(name);
        // Up to two bits for each byte of a pattern, and one for its end.
        CHECK(together.steps() <= name.size() * 3 * kMostNamePatterns / 64);
    }
    // A name that no pattern begins with is not read to its end, and nor is any when all are met.
    const Glob literal("a", Glob::Of::names);
    NamePatterns patterns({&literal});
    patterns.add("b" + name);
    CHECK(patterns.steps() == 1);
    patterns.add("a");
    CHECK(patterns.is_matched(0));
    patterns.add(name);
    CHECK(patterns.steps() == 2);
    CHECK(patterns.added() == 3);
}

TEST_CASE("a pattern for one path matches no other") {
    for (const std::string path :
         {"a", "a*b", "a?[b]", "a\\b", "*", "", "\xff", "\\xff", "a\\\xc3/\xc3\xbc", "\xe2\x80"}) {
        CAPTURE(path);
        CHECK(Glob::literal_of(Glob::escaped(path)) == path);
        CHECK(Glob(Glob::escaped(path)).matches(path));
    }
    CHECK_FALSE(Glob(Glob::escaped("a*")).matches("ab"));
    for (const std::string_view pattern : {"a*", "?", "a[b]", "**"}) CHECK_FALSE(Glob::literal_of(pattern));
}

TEST_CASE("no pattern makes matching explode") {
    std::string stars, folders;
    for (int i = 0; i < 2000; ++i) {
        stars += "*a";
        folders += "**/";
    }
    CHECK_FALSE(Glob(stars + "b").matches(std::string(4000, 'a')));
    CHECK_FALSE(Glob(folders + "b").matches(std::string(4000, '/')));
    CHECK(Glob(folders + "b").matches("b"));
}

}  // namespace
}  // namespace tracelint
