// Checks an input as a whole. tracelint/session.hpp is for one that arrives in pieces.
//
// No function here throws unless it says so: whatever goes wrong is part of the result. A malformed trace is a result
// like any other. Nothing is printed, and no signal or locale is touched. The library keeps no state but the seed of
// its hash tables and the catalogue, so any number of checks may run at a time, each with its own source. One result
// may be read by several threads at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracelint/company.hpp"
#include "tracelint/finding.hpp"
#include "tracelint/source.hpp"

namespace tracelint {

// A severity in place of the rules' own.
struct SeverityChoice {
    std::string rules;                 // a pattern, see Options
    std::optional<Severity> severity;  // empty: the rules are turned off
};

// The choice of a format's option, see Catalogue::options.
struct Setting {
    std::string name;
    std::string choice;
};

// Patterns of rules are ids, prefixes that end in a slash or dash ("jitdump/", "jitdump/load-"), or names of formats. A
// pattern that covers no rule, an unknown format or setting: the check fails with Failure::options and reads nothing.
struct Options {
    std::string format{};     // the id of the format; empty: it is recognised by the first bytes and the name
    std::string file_name{};  // for recognition and rules about names of files; may be empty
    Limits limits{};
    // Findings of one rule and severity that are kept. Those beyond are counted, but not kept. 0: as many as memory
    // allows, 500,000 of all rules at most.
    size_t kept_per_rule = 20;
    std::vector<std::string> select{};         // the rules that are checked; empty: all
    std::vector<std::string> ignore{};         // rules that are not
    std::vector<SeverityChoice> severities{};  // if several match a rule, the last one wins
    std::vector<Setting> settings{};
    // Whether the input is still being written. Its end is then where the writer has come to: what would be reported
    // for a file that ends there is one note, input/growing. Excludes `readers`.
    bool growing = false;
    // Programs that read the input: "perf" (its newest version), "perf@6.1", or "any" (the newest version of each).
    // Result::readers() predicts what each does with the input. The findings are those that affect at least one of the
    // readers, with the severity that they have for it. The input is read twice. If it cannot seek, up to a 32nd of
    // limits.memory, and 8 MiB at most, are kept for that; less can be predicted for a longer input. If a name or
    // version is unknown, the check fails with Failure::options and reads nothing.
    std::vector<std::string> readers{};
    // Files that belong to the input. Each is checked with the same options, including `format`, and has a result of
    // its own (Result::companions). A mismatch between two files is a finding of one of them. What is remembered to
    // compare the files takes at most limits.memory, in addition to the memory of each check.
    std::vector<Companion> companions{};
    // Called for each finding when it is made, kept or not, in the order of discovery. Findings about the end of the
    // input come when the check is over, those that are kept only, since a truncated container withdraws them. Runs on
    // the thread of the check, never twice at a time. If it throws, it is not called again, and the check continues;
    // the result has Failure::callback. It is not called for findings of companions. Findings about mismatches come
    // when all files are checked. With `readers`, all kept findings come then.
    std::function<void(const Finding&)> on_finding{};
};

// What kept a check from being complete.
enum class Failure : uint8_t {
    none,
    options,   // the options are wrong; nothing was read
    input,     // the input could not be read to its end, or the source threw
    memory,    // an allocation failed, which is not a limit that was hit
    thread,    // a session could not start its thread
    callback,  // on_finding threw; the result is complete
    internal,  // a fault of tracelint
    misuse,    // a session was finished twice, moved from, or finished by its own on_finding
};

// The worst that was found. unreadable: the check failed, except for Failure::callback.
enum class Verdict : uint8_t { clean, note, warning, error, unreadable };

// "clean", "note", "warning", "error" or "unreadable".
TRACELINT_API std::string_view to_string(Verdict verdict) noexcept;

// The findings of one rule.
struct RuleCount {
    std::string_view rule;  // its id
    uint64_t found = 0;
    uint64_t kept = 0;  // of these, in findings()
};

// A number that a format counts.
struct Statistic {
    std::string_view name;  // "records", then the format's own
    uint64_t number = 0;
};

// The result of a check. It owns what its functions return, unless they say otherwise.
class TRACELINT_API Result {
  public:
    struct State;  // of the implementation

    TRACELINT_INTERNAL explicit Result(std::unique_ptr<State> state) noexcept;
    TRACELINT_INTERNAL explicit Result(Failure failure) noexcept;  // of a check that produced nothing
    Result(Result&&) noexcept;
    Result& operator=(Result&&) noexcept;
    ~Result();

    Failure failure() const noexcept;
    // Why the check failed, as a sentence without a full stop; empty if it did not.
    std::string_view failure_text() const noexcept;
    // Whether a limit left something unchecked, as the finding */tracking-limit says, or an allocation failed.
    bool limit_hit() const noexcept;

    Verdict verdict() const noexcept;
    // All findings of a severity, kept or not.
    uint64_t count(Severity severity) const noexcept;
    // The rules that have findings, in the order of their ids.
    std::span<const RuleCount> counts() const& noexcept;
    std::span<const RuleCount> counts() const&& = delete;  // a loop over it would outlive the result

    // The findings that are kept, in the order of their offsets.
    class Findings;
    Findings findings() const& noexcept;
    Findings findings() const&& = delete;

    // The format's id; empty: not recognised.
    std::string_view format() const noexcept;
    Identity identity() const noexcept;
    // "gzip" or "zstd", or empty.
    std::string_view container() const noexcept;
    // Bytes of the input, decompressed if there is a container. Empty if reading stopped before the end, since no
    // further byte could change the report.
    std::optional<uint64_t> size() const noexcept;
    std::span<const Statistic> statistics() const& noexcept;
    std::span<const Statistic> statistics() const&& = delete;

    // A prediction for each reader that the options name and that reads files of this format, in the order of the
    // options.
    std::span<const ReaderResult> readers() const& noexcept;
    std::span<const ReaderResult> readers() const&& = delete;
    // The results of the companions, in the order of the options. Empty if the check failed before them. A companion
    // has no companions.
    std::span<const Result> companions() const& noexcept;
    std::span<const Result> companions() const&& = delete;
    // How the functions in the input, a jitdump or perf map, match the recordings among its companions. If the input is
    // the recording, the results of its companions have them.
    std::span<const Pairing> pairings() const& noexcept;
    std::span<const Pairing> pairings() const&& = delete;

    // For the implementation; null if the check produced nothing.
    const State* state() const noexcept { return state_.get(); }

  private:
    size_t finding_count() const noexcept;
    Finding finding(size_t index) const noexcept;

    std::unique_ptr<State> state_;
    Failure failure_;  // where there is no state
};

// A range: for (const Finding& finding : result.findings()). It must not outlive the result; the findings may.
class Result::Findings {
  public:
    class Iterator {
      public:
        using value_type = Finding;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const Findings& findings, size_t index) noexcept : result_(findings.result_), index_(index) {}
        Finding operator*() const noexcept { return result_->finding(index_); }
        Iterator& operator++() noexcept {
            ++index_;
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            ++index_;
            return before;
        }
        bool operator==(const Iterator&) const noexcept = default;

      private:
        const Result* result_ = nullptr;
        size_t index_ = 0;
    };

    explicit Findings(const Result& result) noexcept : result_(&result) {}
    size_t size() const noexcept { return result_->finding_count(); }
    bool empty() const noexcept { return size() == 0; }
    // `index` must be less than size().
    Finding operator[](size_t index) const noexcept { return result_->finding(index); }
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, size()}; }

  private:
    const Result* result_;
};

inline Result::Findings Result::findings() const& noexcept { return Findings(*this); }

// Checks the bytes of `source`, which must be at its start. It is used until the call returns, and not afterwards.
TRACELINT_API Result check(Source& source, const Options& options) noexcept;

// Checks bytes in memory, which must not change until the call returns. They are not copied.
TRACELINT_API Result check_memory(Bytes bytes, const Options& options = {}) noexcept;

// Checks a file, a pipe or a device. A regular file is read up to the size that it has when it is opened. If the
// options' file_name is empty, `path` is used. A file that cannot be opened gives a result with Failure::input.
TRACELINT_API Result check_file(const std::string& path, const Options& options = {}) noexcept;

}  // namespace tracelint
