// Checks one file of a run: opens it, chooses what holds for it, and asks what the readers that the user named do with
// it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/inputs/source_chain.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/run/progress.hpp"
#include "validator/tool/run/supervisor.hpp"

namespace tracelint {

// What holds for the check of this file, `-` for standard input. It refers to the line and the choices.
CheckOptions check_options_of(const CheckLine& line, const FileChoices& choices, const std::string& path);

// Calls for different inputs may come from different threads.
class FileChecks {
  public:
    // All must outlive it, and `inputs` must not change. `supervisor` is null if the run is not restarted.
    FileChecks(const CheckLine& line, const Inputs& inputs, const Supervisor* supervisor,
               const Interruption& interruption, Progress& progress);
    FileChecks(const FileChecks&) = delete;
    FileChecks& operator=(const FileChecks&) = delete;

    // Never throws: a failure is an outcome. Null if there is no memory for one. `facts`: of the file, for those that
    // it belongs together with; null if not wanted.
    std::unique_ptr<Outcome> check(const InputFile& input, Facts* facts);

    // The bytes of a finished input, if they were kept.
    const KeptInput* kept(const InputFile& input) const;
    // What the readers that the user named do with a finished input. Taken once.
    std::vector<ReaderVerdict> verdicts(const InputFile& input);

  private:
    std::unique_ptr<Outcome> outcome_of(const InputFile& input, Facts* facts);
    std::string obstacle_to(const InputFile& input) const;
    const std::string* failure_of(const InputFile& input) const;
    void read(const InputFile& input, const FileChoices& choices, CheckOptions& options, Outcome& outcome);
    void keep(KeptInput& kept, CheckOptions& options) const;

    const CheckLine& line_;
    const Inputs& inputs_;
    const Supervisor* supervisor_;
    const Interruption& interruption_;
    Progress& progress_;
    std::map<const InputFile*, KeptInput> kept_;                       // bytes of pipes; each is one thread's
    std::map<const InputFile*, std::vector<ReaderVerdict>> verdicts_;  // the same
};

}  // namespace tracelint
