// What a shrunk file must still have: the finding, and nothing worse than the file had.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "validator/tracelint.hpp"

namespace tracelint {

struct ShrinkOptions {
    const Rule* rule = nullptr;      // of the finding that is kept
    std::optional<uint64_t> offset;  // where that finding begins in the file; empty: any of the rule will do
    const Format* format = nullptr;  // null: recognise it
    std::string file_name;           // of the file; may be empty
    std::string new_name;            // of the new file, by which it must be recognised; may be empty
    bool redacts = false;            // replaces names, paths, code and payloads
    Settings settings;
    Limits limits;
    // Whether to end with what there is. Null: never.
    std::function<bool()> is_over{};
    // Called with the number of checks so far, and the size in bytes of the smallest file. May be null.
    std::function<void(uint64_t, uint64_t)> on_progress{};
};

// Offsets at which the finding may begin, both included.
struct FindingPlace {
    uint64_t first = 0, last = kNone;
};

struct KeptFinding {
    Diagnostic finding;
    uint64_t others = 0;  // errors and warnings besides it
};

class Predicate {
  public:
    Predicate(const ShrinkOptions& options, Budget& budget) : options_(options), budget_(budget) {}

    enum class Learnt : uint8_t { found, absent, impossible, limited, unreadable };
    // Checks the file itself, which is at its start. `why`: a sentence, unless the finding is there.
    Learnt learn(Source& file, std::string& why);

    // Whether the finding is in the candidate, at this place, and no rule is broken that the file did not break, notes
    // aside. Empty: no. After `learn` has found it.
    std::optional<KeptFinding> holds(Source& candidate, const FindingPlace& place);

    const Format* format() const { return format_; }  // of the file; null: it was not recognised
    Container container() const { return container_; }
    const Diagnostic& finding() const { return finding_; }
    bool tracks_place() const { return options_.offset.has_value(); }
    uint64_t checks() const { return checks_; }

  private:
    CheckOptions check_options(FindingObserver& observer) const;
    std::string what_it_has(const Outcome& outcome) const;

    const ShrinkOptions& options_;
    Budget& budget_;
    const Format* format_ = nullptr;
    Container container_ = Container::none;
    Diagnostic finding_;
    std::set<const Rule*> broken_;  // by an error or a warning of the file
    bool had_limit_ = false;
    uint64_t checks_ = 0;
};

}  // namespace tracelint
