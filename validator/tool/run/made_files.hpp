// The files that generate and mutate write into a folder.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "validator/tool/conformance/expected.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/status.hpp"

namespace tracelint {

// Writes the files, and what a check finds in each into expected.json if that is asked for.
class MadeFiles {
  public:
    // Creates the folder. Afterwards status() says whether that worked.
    MadeFiles(const Format& format, const FilesChoice& choice, Settings settings = {});

    // A mutant or a valid file, which gets the number of the files of its kind.
    void add(std::string_view kind, const std::string& shows, const std::string& trace);
    // A file that breaks the rule. Not written, and false, if the check does not report the rule.
    bool add_violation(const Rule& rule, uint64_t number, const std::string& shows, const std::string& trace);
    // Completes expected.json.
    ExitStatus finish();

    ExitStatus status() const { return status_; }
    uint64_t count() const { return count_; }

  private:
    Outcome check_of(std::string_view bytes) const;
    // `bytes`: the trace in its container.
    void write(ExpectedFile file, const Outcome& outcome, std::string_view trace, std::string_view bytes);
    // "START.jitdump" or "START.jitdump.gz"
    std::string name_of(const std::string& start) const;

    const Format& format_;
    const FilesChoice& choice_;
    Settings settings_;
    std::unique_ptr<FileSink> expected_sink_;
    std::unique_ptr<ExpectedWriter> expected_;
    uint64_t count_ = 0;
    ExitStatus status_ = kClean;
};

// Makes the N-th file that violates a rule, with any number that stays the same for the same N; nothing if it cannot.
using MakeViolation = std::function<std::optional<PlantedFile>(const Rule& rule, uint64_t number)>;

// Fills the folder with violations of the chosen rule, or of all, and names those that cannot be violated on standard
// error, once. `where`: what the rules cannot be violated in.
ExitStatus write_violations(const Format& format, const FilesChoice& choice, const Settings& settings,
                            std::string_view where, const MakeViolation& make);

// As options_with(); complains where there is no such file.
std::optional<GenerateOptions> generate_options(const Format& format, const FilesChoice& choice);

// write_violations() with generated files.
ExitStatus write_generated_violations(const Format& format, const FilesChoice& choice);

}  // namespace tracelint
