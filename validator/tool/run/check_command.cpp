// The main command: checks the inputs and passes the results to the writers in the order of the command line.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

#include "validator/recognise.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/baseline_run.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/expected_files.hpp"
#include "validator/tool/run/file_groups.hpp"
#include "validator/tool/run/folder_complaints.hpp"
#include "validator/tool/run/follow_run.hpp"
#include "validator/tool/run/one_file.hpp"
#include "validator/tool/run/outputs.hpp"
#include "validator/tool/run/parallel.hpp"
#include "validator/tool/run/shard_run.hpp"

namespace tracelint {
namespace {

// Whether a file found in a folder is checked, not skipped, judging by its opening.
bool is_trace(const std::string& path, const Choices& given) {
    if (choices_for(given, path).format != nullptr) return true;
    const std::unique_ptr<Source> source = open_regular_file(path);
    Budget budget(Limits{}.memory);
    OpenedInput input(*source, budget);
    Window window(input.trace());
    return recognise(formats(), window, path) != nullptr;
}

// An output must not overwrite an input or a list of inputs, nor grow while it is read as one; that is reported. An
// output file of an earlier run that is in a walked folder may be overwritten; it is removed from the inputs.
bool overwrites_input(const CheckLine& line, Inputs& inputs) {
    for (const Output& output : line.reporting.outputs) {
        if (output.file.empty() && line.reporting.quiet) continue;
        const auto file = output.file.empty() ? regular_file(STDOUT_FILENO) : regular_file(output.file);
        if (!file) continue;
        const auto is_output = [&](const InputFile& input) { return regular_file(inputs.path_of(input)) == file; };
        const auto is_lost = [&](const InputFile& input) {
            return is_output(input) && (!input.walk || is_trace(inputs.path_of(input), line.choices));
        };
        const auto is_list = [&](const std::string& path) { return regular_file(path) == file; };
        const std::string& manifest = line.inputs.manifest;
        if (std::ranges::any_of(inputs, is_lost) || std::ranges::any_of(line.inputs.lists.names, is_list) ||
            (!manifest.empty() && is_list(manifest))) {
            complain(output.file.empty() ? "standard output is redirected to an input; send it to another file"
                                         : fmt::format("--output: {} is an input", printable(output.file)));
            return true;
        }
        inputs.erase_if(is_output);
    }
    return false;
}

// The folders on the command line that were searched completely. Files that the configuration excludes do not count.
std::vector<std::string> searched_folders(const CheckLine& line, const Inputs& inputs) {
    std::vector<std::string> folders;
    for (size_t i = 0; i < inputs.walks().size(); ++i)
        if (inputs.excluded_in(i) == 0 || line.inputs.excluded_by_configuration) folders.push_back(inputs.walks()[i]);
    return folders;
}

// One run over the inputs.
class CheckRun {
  public:
    // `line` and the others must outlive it. `shard` and `supervisor` are null without a manifest.
    CheckRun(const CheckLine& line, Inputs inputs, ShardRun* shard, const Supervisor* supervisor)
        : line_(line), inputs_(std::move(inputs)), shard_(shard), supervisor_(supervisor), expected_(line.choices) {}
    CheckRun(const CheckRun&) = delete;
    CheckRun& operator=(const CheckRun&) = delete;

    ExitStatus run() {
        if (overwrites_input(line_, inputs_)) return kUsage;
        if (const ExitStatus failed = open_baseline(line_, searched_folders(line_, inputs_), baseline_);
            failed != kClean)
            return failed;
        interruption_.emplace();
        if (const ExitStatus failed =
                outputs_.open(line_.reporting, shard_ != nullptr ? Outputs::Use::shard : Outputs::Use::files);
            failed != kClean)
            return failed;
        outputs_.begin();
        if (line_.choices.configuration != nullptr) summary_.configuration = line_.choices.configuration->path;
        FolderComplaints folders(inputs_);
        const bool is_complete = check_all(folders);
        note_interruption(is_complete);
        if (shard_ != nullptr) summary_.part = &shard_->part();
        if (!is_complete) status_ = worse(status_, kInternal);
        if (!is_complete || shard_ != nullptr) return outputs_.finish(summary_, status_);
        report_missing(folders);
        folders.complain_of_all();
        require_files();
        BaselineSummary known;
        if (baseline_) {
            known = baseline_->summary(summary_.incomplete.empty());
            summary_.baseline = &known;
            status_ = close_baseline(line_, *baseline_, known, summary_.incomplete.empty(), status_);
        }
        status_ = outputs_.finish(summary_, status_);
        // With another use of the baseline, standard output has the differences.
        const bool is_silent = line_.reporting.quiet || line_.baseline.use != BaselineChoice::Use::apply;
        if (!is_silent) outputs_.print_written(summary_);
        return status_;
    }

  private:
    // False: inputs are left unchecked.
    bool check_all(FolderComplaints& folders) {
        FileGroups& groups = groups_.emplace(line_, inputs_);
        Progress progress(inputs_.size(), [&] { return inputs_.total_size(); });
        FileChecks files(line_, inputs_, supervisor_, *interruption_, progress);
        const auto check_alone = [&](const InputFile& input, Facts* facts) { return files.check(input, facts); };
        ParallelChecks checks(inputs_.size(), line_.limits.jobs, supervisor_, [&](size_t i) {
            const InputFile& input = inputs_[i];
            return groups.has(input) ? groups.take(input, check_alone) : check_alone(input, nullptr);
        });
        return checks.run([&](size_t i, const Outcome& outcome) {
            const Progress::Hidden hidden(progress);
            take_input(inputs_[i], outcome, files, folders);
            return !outputs_.all_failed();
        });
    }

    void take_input(const InputFile& input, const Outcome& outcome, FileChecks& files, FolderComplaints& folders) {
        ++taken_;
        cut_ += outcome.failure == kInterrupted;
        if (groups_->has(input) && groups_->is_stranger(input)) return;
        const std::string path = inputs_.path_of(input);
        if (is_skipped(line_.choices, input, path, outcome)) {
            ++summary_.skipped;
            folders.add_skipped(input, path, outcome);
            return;
        }
        folders.add_checked(input);
        if (!outcome.failure.empty()) complain_unreadable(input, path, outcome);
        expected_.count(path);
        const std::vector<ReaderVerdict> verdicts = files.verdicts(input);
        pass_on({.path = path,
                 .outcome = outcome,
                 .kept = files.kept(input),
                 .entry = inputs_.entry_of(input),
                 .readers = verdicts});
        if (!groups_->has(input)) return;
        for (const auto& partner : groups_->partners_of(input))
            pass_on({.path = partner->path, .outcome = *partner->outcome, .kept = &partner->kept, .is_partner = true});
    }

    void pass_on(Checked checked) {
        const KnownFindings known = baseline_ ? baseline_->take(checked.path, checked.outcome) : KnownFindings();
        if (baseline_) checked.known = &known;
        if (shard_ != nullptr) shard_->add(checked);
        status_ = worse(status_, tally(checked, line_.reporting.fail_on, summary_));
        outputs_.file(checked);
    }

    // A name that does not exist may be meant as a command.
    void complain_unreadable(const InputFile& input, const std::string& path, const Outcome& outcome) const {
        std::error_code ignored;
        const bool is_word =
            !input.walk && inputs_.entry_of(input) == nullptr && !std::filesystem::exists(path, ignored);
        complain(
            fmt::format("{}: {}{}", shown_path(path), printable(outcome.failure), is_word ? guess_command(path) : ""));
    }

    void note_interruption(bool is_complete) {
        if (!Interruption::has_come() || (is_complete && cut_ == 0)) return;
        summary_.incomplete = fmt::format("interrupted by {}", Interruption::signal_name());
        summary_.not_checked = inputs_.size() - taken_;
        summary_.cut = cut_;
        complain(not_checked_text(summary_));
    }

    // Files that the configuration expects, and that the run did not have.
    void report_missing(const FolderComplaints& folders) {
        for (const std::string& folder : folders.without_traces()) expected_.miss_folder(folder);
        for (const ExpectedFiles::Missing& missing : expected_.missing(!inputs_.walks().empty())) {
            const std::unique_ptr<Outcome> outcome = outcome_of(missing, line_);
            pass_on({.path = missing.pattern, .outcome = *outcome, .artifact = missing.artifact});
        }
    }

    void require_files() {
        if (summary_.files != 0) return;
        // Naming a file and excluding it is intended: a hook gets all files of a commit.
        if (inputs_.excluded() != 0 && inputs_.walks().empty())
            complain(fmt::format("nothing to check: {} excluded", counted(inputs_.excluded(), "input")));
        else
            status_ = worse(status_, kUnreadable);
    }

    const CheckLine& line_;
    Inputs inputs_;
    ShardRun* shard_;
    const Supervisor* supervisor_;
    std::optional<FileGroups> groups_;  // findings refer to it until the outputs are complete
    ExpectedFiles expected_;
    std::optional<BaselineRun> baseline_;
    std::optional<Interruption> interruption_;
    Outputs outputs_;
    Summary summary_;
    ExitStatus status_ = kClean;
    uint64_t taken_ = 0;  // inputs
    uint64_t cut_ = 0;    // inputs, by a signal
};

ExitStatus check_inputs(const CheckLine& line, Inputs inputs, ShardRun* shard, const Supervisor* supervisor) {
    return CheckRun(line, std::move(inputs), shard, supervisor).run();
}

// Whether the outputs of a run that died show nothing of it: data in a pipe cannot be taken back.
bool can_begin_again(const Reporting& reporting) {
    return std::ranges::all_of(reporting.outputs, [&](const Output& output) {
        std::error_code ignored;
        if (output.file.empty()) return reporting.quiet;
        return !std::filesystem::exists(output.file, ignored) || regular_file(output.file).has_value();
    });
}

ExitStatus check_shard(const CheckLine& line, const Exclusions& exclusions) {
    ShardRun shard(line);
    if (const ExitStatus failed = shard.open(exclusions); failed != kClean) return failed;
    if (const std::optional<ExitStatus> finished = shard.finished()) return *finished;
    Inputs inputs = shard.take_inputs();
    if (!can_begin_again(line.reporting)) {
        if (line.limits.max_seconds == 0) return check_inputs(line, std::move(inputs), &shard, nullptr);
        complain("--max-seconds needs a file for every --output, because the run may have to start over");
        return kUsage;
    }
    Supervisor supervisor(line.limits.jobs, line.limits.max_seconds);
    return supervisor.run([&] { return check_inputs(line, std::move(inputs), &shard, &supervisor); },
                          [&](pid_t died) {
                              for (const Output& output : line.reporting.outputs) remove_temporaries(output.file, died);
                          });
}

ExitStatus check_names(const CheckLine& line, const Exclusions& exclusions) {
    std::vector<std::string> names = line.inputs.files;
    if (const ExitStatus failed = add_listed(line.inputs.lists, names); failed != kClean) return failed;
    CheckLine with_found = line;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) != names.end()) return false;
        names.push_back(name);
        return true;
    };
    for (const std::string& name : line.inputs.beside) {
        if (!is_folder(name)) {
            add(name);
            continue;
        }
        std::vector<std::string> found = files_named_like_pairs(name);
        if (found.size() > kMostPaired)
            complain(fmt::format("{}: only {} of {} files are paired", shown_path(name), kMostPaired, found.size()));
        found.resize(std::min(found.size(), kMostPaired));
        for (const std::string& path : found)
            if (add(path)) with_found.inputs.found_beside.insert(path);
    }
    return check_inputs(with_found, Inputs(names, &exclusions), nullptr, nullptr);
}

}  // namespace

ExitStatus run_check(const CheckLine& line) {
    const NamedInputs& inputs = line.inputs;
    if (inputs.follow) {
        const ExitStatus followed = follow(line);
        return line.reporting.exit_zero ? without_findings(followed) : followed;
    }
    const Exclusions exclusions(inputs.excluded_by_configuration ? line.choices.configuration->folder : std::string(),
                                inputs.excluded);
    const ExitStatus status = inputs.manifest.empty() ? check_names(line, exclusions) : check_shard(line, exclusions);
    return line.reporting.exit_zero ? without_findings(status) : status;
}

}  // namespace tracelint
