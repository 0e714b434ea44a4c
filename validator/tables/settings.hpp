// Options that a grammar offers where its specification is ambiguous and the file itself cannot settle the question.
// The command line and the cases set them by name.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tracelint {

struct Option {
    std::string_view name;                      // --<name>=<choice>
    std::string_view doc;                       // one line for --help
    std::span<const std::string_view> choices;  // the first is the default
};

// The user's choices.
class Settings {
  public:
    void set(const Option& option, size_t choice) { chosen_.emplace_back(&option, choice); }
    // Index of the choice, in Option::choices; the last one set counts.
    size_t of(const Option& option) const {
        size_t choice = 0;
        for (const auto& [set, number] : chosen_)
            if (set == &option) choice = number;
        return choice;
    }

  private:
    std::vector<std::pair<const Option*, size_t>> chosen_;
};

}  // namespace tracelint
