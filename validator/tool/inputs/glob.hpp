// Patterns for paths and names. Matching takes time linear in the path for each character of the pattern, whatever the
// pattern.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracelint {

// * stands for any characters but slashes, ** for any characters, **/ for nothing or any folders, ? for one character
// but a slash, [a-z] and [!a-z] for one byte of a set. A backslash takes the meaning from the next character, and
// \xNN (from 80) is one byte, of a path that is no UTF-8.
class Glob {
  public:
    // In a name, a slash is a character like any other.
    enum class Of : uint8_t { paths, names };
    // What is wrong with the pattern; empty if nothing is.
    static std::string fault_of(std::string_view pattern);
    // `pattern` has no fault.
    explicit Glob(std::string_view pattern, Of of = Of::paths);
    // The pattern that matches only `path`. It is UTF-8, whatever the path.
    static std::string escaped(std::string_view path);
    // The only path that the pattern matches; nothing if it may match several.
    static std::optional<std::string> literal_of(std::string_view pattern);

    bool matches(std::string_view path) const { return run(path, false); }
    // Whether it matches the path or one of the folders that the path leads through.
    bool matches_path_or_folder(std::string_view path) const { return run(path, true); }
    const std::string& pattern() const { return pattern_; }
    // A pattern without a slash is meant for file names.
    bool has_slash() const { return pattern_.find('/') != pattern_.npos; }

    using Set = std::bitset<256>;
    // A step of the automaton. All that are active at a time are followed.
    struct Step {
        Set moves{};               // bytes that lead to the next step
        Set stays{};               // bytes after which this step is still active
        bool is_optional = false;  // the next step is also active
        bool is_folders = false;   // the one after the next is also active; not in patterns for names. No two
                                   // such steps follow each other
    };
    const std::vector<Step>& steps() const { return steps_; }

  private:
    void add_one(const Set& set) { steps_.push_back({set, {}, false, false}); }
    void add_any(const Set& set) { steps_.push_back({{}, set, true, false}); }
    size_t add_stars(size_t at);
    size_t add_set(size_t at);
    bool run(std::string_view path, bool may_end_at_slash) const;
    void activate(std::vector<char>& active, size_t step) const;

    std::string pattern_;
    Set separator_{};  // what * and ? do not match
    std::vector<Step> steps_;
};

}  // namespace tracelint
