// The user's expectations about files, beyond the rules of their formats: a format, records, names, or that files
// exist. A run that wrote nothing then fails, although none of its files is wrong.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "validator/tool/inputs/glob.hpp"
#include "validator/tool/inputs/glob_set.hpp"
#include "validator/tool/json/located_json.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

inline constexpr size_t kMostNamePatterns = size_t{1} << 10;  // bytes of all patterns for names together

// The object "expect" of a configuration.
struct Expectations {
    const Format* format = nullptr;                            // null: any
    std::vector<std::pair<std::string, uint64_t>> statistics;  // the least that each must be
    std::vector<Glob> names;                                   // each must match a name
    std::optional<uint64_t> files{};                           // how many files an override must be for
    bool is_given = false;                                     // the configuration has the object

    // Whether anything is expected of a file's content.
    bool is_about_content() const { return format != nullptr || !statistics.empty() || !names.empty(); }
};

// Reads the object, or the id of a format, which stands for an object with that format. `is_override`: it may say how
// many files it is for. `name_bytes`: bytes of the patterns for names so far. Throws JsonFault.
Expectations read_expectations(const LocatedJson& value, bool is_override, size_t& name_bytes);

// What is expected of one file, collected from the configuration, which must outlive it, and the command line.
struct FileDemands {
    const Format* format = nullptr;  // null: any
    std::vector<std::pair<const std::string*, uint64_t>> statistics;
    std::vector<const Glob*> names;
    bool is_named = false;  // an override names the file: it must be a trace, also in a walked folder
    bool is_given = false;  // something is expected, if only that the file is a trace

    // Adds those that come later: its format and statistics win over earlier ones.
    void add(const Expectations& later);
    bool empty() const { return format == nullptr && statistics.empty() && names.empty(); }
};

// Judges one file.
class DemandCheck final : public FileExpectations, private NameListener {
  public:
    // `demands` must outlive the findings.
    explicit DemandCheck(const FileDemands& demands) : demands_(demands), names_(demands.names) {}

    NameListener* names() override { return demands_.names.empty() ? nullptr : this; }
    const Format* format() const override { return demands_.format; }
    void judge(Outcome& outcome) override;

  private:
    void on_name(Bytes name) override;
    void judge_format(Outcome& outcome) const;
    void judge_statistics(Outcome& outcome) const;
    void judge_names(Outcome& outcome) const;

    const FileDemands& demands_;
    NamePatterns names_;
};

}  // namespace tracelint
