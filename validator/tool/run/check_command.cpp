// The main command: checks the inputs, in parallel with -j, and passes the results to the writers in the order of the
// command line.
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <new>

#include "validator/input/input_rules.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/file_identity.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/inputs/interruption.hpp"
#include "validator/tool/inputs/kept_input.hpp"
#include "validator/tool/inputs/trace_names.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/options/configuration.hpp"
#include "validator/tool/run/baseline_run.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/expected_files.hpp"
#include "validator/tool/run/file_groups.hpp"
#include "validator/tool/run/outputs.hpp"
#include "validator/tool/run/progress.hpp"
#include "validator/tool/run/result_queue.hpp"
#include "validator/tool/run/shard_run.hpp"
#include "validator/tool/run/supervisor.hpp"

namespace tracelint {
namespace {

// Whether a file found in a folder is checked, not skipped, judging by its opening.
bool is_trace(const std::string& path, const CommandLine& line) {
    if (choices_for(line, path).format != nullptr) return true;
    const std::unique_ptr<Source> source = open_regular_file(path);
    Budget budget(Limits{}.memory);
    OpenedInput input(*source, budget);
    Window window(input.trace());
    return recognise(formats(), opening_of(window, path)) != nullptr;
}

Exclusions exclusions_of(const CommandLine& line) {
    return {line.excluded_by_configuration ? line.configuration->folder : "", line.excluded};
}

// An output must not overwrite an input or a list of inputs, nor grow while it is read as one; that is reported. An
// output file of an earlier run that lies in a walked folder may be overwritten; it is removed from the inputs.
bool overwrites_input(const CommandLine& line, Inputs& inputs) {
    for (const Output& output : line.outputs) {
        if (output.file.empty() && line.quiet) continue;
        const auto file = output.file.empty() ? regular_file(STDOUT_FILENO) : regular_file(output.file);
        if (!file) continue;
        const auto is_output = [&](const InputFile& input) { return regular_file(inputs.path_of(input)) == file; };
        const auto is_lost = [&](const InputFile& input) {
            return is_output(input) && (!input.walk || is_trace(inputs.path_of(input), line));
        };
        const auto is_list = [&](const std::string& path) { return regular_file(path) == file; };
        if (std::ranges::any_of(inputs, is_lost) || std::ranges::any_of(line.file_lists, is_list) ||
            (!line.manifest.empty() && is_list(line.manifest))) {
            complain(output.file.empty() ? "standard output goes to an input; send it to another file"
                                         : fmt::format("--output: {} is an input", printable(output.file)));
            return true;
        }
        inputs.erase_if(is_output);
    }
    return false;
}

// Whether the input can be read only once: standard input that is no file, or a named pipe.
bool is_pipe(const std::string& path) {
    struct stat status;
    if (path == "-") return fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode);
    return stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

// Why the file is not the one of the manifest; empty if it may be. A pipe has no size.
std::string difference_from(const ManifestEntry& entry, const std::string& path) {
    struct stat status;
    if (!entry.size || stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    const auto size = static_cast<uint64_t>(status.st_size);
    if (size == *entry.size) return {};
    return fmt::format("changed: its size is {}, in the manifest {}", size, *entry.size);
}

// Checks the inputs, on several threads if line.jobs says so.
class Checking {
  public:
    Checking(const CommandLine& line, const Inputs& inputs, FileGroups& groups, const Supervisor* supervisor,
             const Interruption& interruption, Progress& progress)
        : line_(line),
          inputs_(inputs),
          groups_(groups),
          supervisor_(supervisor),
          interruption_(interruption),
          progress_(progress),
          queue_(inputs.size(), kAhead * line.jobs) {
        for (const InputFile& input : inputs) {
            if (!input.walk && is_pipe(inputs.place_of(input))) kept_.try_emplace(&input);
            if (!line.readers.empty()) verdicts_.try_emplace(&input);
        }
    }

    Checking(const Checking&) = delete;
    Checking& operator=(const Checking&) = delete;
    ~Checking() {
        queue_.stop();
        for (std::thread& thread : threads_) thread.join();
    }

    // Calls `take` for each input in order until it returns false. False: inputs are left unchecked.
    template <class Take>
    bool run(Take take) {
        const bool is_careful = supervisor_ != nullptr && supervisor_->is_careful();
        if (line_.jobs > 1 && inputs_.size() > 1 && !is_careful) start_threads();
        for (size_t i = 0; i < inputs_.size(); ++i) {
            const Supervisor::Mark mark(threads_.empty() ? supervisor_ : nullptr, i);
            std::unique_ptr<Outcome> outcome = threads_.empty() ? check_one(inputs_[i]) : queue_.wait_for(i);
            if (outcome == nullptr) outcome = out_of_memory();
            if (outcome->failure == kNotStarted) return false;
            if (!take(inputs_[i], *outcome)) return i + 1 == inputs_.size();
        }
        return true;
    }

    // The bytes of a finished input, if they were kept.
    const KeptInput* kept(const InputFile& input) const {
        const auto found = kept_.find(&input);
        return found == kept_.end() ? nullptr : &found->second;
    }

    // What the readers that the user named do with a finished input. Taken once.
    std::vector<ReaderVerdict> verdicts(const InputFile& input) {
        const auto found = verdicts_.find(&input);
        return found == verdicts_.end() ? std::vector<ReaderVerdict>() : std::move(found->second);
    }

  private:
    // Finished results wait for slower ones before them. For each thread, this many inputs may be ahead of the next one
    // to be written.
    static constexpr size_t kAhead = 4;
    // The failure of an input whose turn came after a signal.
    static constexpr std::string_view kNotStarted = "not checked";

    // Starts as many as requested or as the system allows. If it allows none, the caller does the work.
    void start_threads() {
        try {
            for (size_t i = 0; i < std::min<size_t>(line_.jobs, inputs_.size()); ++i)
                threads_.emplace_back([this] { work(); });
        } catch (const std::exception&) {
            return;  // go on with the threads there are
        }
    }

    // `choices` must outlive the check.
    CheckOptions options_for(const std::string& path, const FileChoices& choices) const {
        CheckOptions options;
        options.format = choices.format;
        if (path != "-") options.file_name = path;
        options.limits = line_.limits;
        options.settings = choices.settings;
        options.report = {line_.max_per_rule, &line_.filter, &choices.severities};
        return options;
    }

    // Never throws: a failure is an outcome, and null stands for out_of_memory().
    std::unique_ptr<Outcome> check_one(const InputFile& input) {
        if (!groups_.has(input)) return check_one(input, nullptr);
        return groups_.take(input, [this](const InputFile& one, Facts* facts) { return check_one(one, facts); });
    }
    // The same, and asks for facts, unless `facts` is null.
    std::unique_ptr<Outcome> check_one(const InputFile& input, Facts* facts) {
        std::unique_ptr<Outcome> outcome;
        try {
            outcome = outcome_of(input, facts);
        } catch (const std::bad_alloc&) {
            outcome.reset();  // the caller reports it
        }
        progress_.file_done();
        return outcome;
    }

    // Throws std::bad_alloc only.
    std::unique_ptr<Outcome> outcome_of(const InputFile& input, Facts* facts) {
        const std::string path = inputs_.path_of(input);
        FileChoices choices = choices_for(line_, path);
        CheckOptions options = options_for(path, choices);
        options.facts = facts;
        const ManifestEntry* entry = inputs_.entry_of(input);
        if (entry != nullptr && entry->format != nullptr && line_.as == nullptr) options.format = entry->format;
        auto outcome = std::make_unique<Outcome>(options);
        outcome->failure = Interruption::has_come() ? std::string(kNotStarted) : input.failure;
        if (outcome->failure.empty() && entry != nullptr)
            outcome->failure = difference_from(*entry, inputs_.place_of(input));
        if (const std::string* failure = failure_of(input); failure != nullptr && outcome->failure.empty()) {
            outcome->failure = *failure;
            outcome->context.limit_hit = true;
        }
        if (!outcome->failure.empty()) return outcome;
        try {
            const std::unique_ptr<Source> source = inputs_.open(input);
            std::optional<KeepingSource> keeping;
            if (const auto kept = kept_.find(&input); kept != kept_.end()) {
                keep(kept->second, options);
                keeping.emplace(*source, kept->second);
            }
            CountedSource counted(keeping ? *keeping : *source, progress_);
            InterruptibleSource interruptible(counted, interruption_);
            outcome->failure = source->failure();
            if (!outcome->failure.empty())
                if (std::string why = inputs_.fetch_failure(input); !why.empty()) outcome->failure = std::move(why);
            DemandCheck demands(choices.demands);
            if (!choices.demands.empty()) options.expectations = &demands;
            ReaderCheck readers(line_.readers, options, Interruption::has_come);
            const bool for_readers = !line_.readers.empty() && outcome->failure.empty();
            if (outcome->failure.empty())
                *outcome = check(interruptible, for_readers ? readers.all_findings() : options);
            if (for_readers) judge(readers, input, *outcome, interruptible);
            if (interruptible.was_interrupted()) outcome->context.limit_hit = true;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            outcome->failure = fmt::format("internal error: {}", error.what());
            outcome->context.limit_hit = true;
        }
        return outcome;
    }

    // Why the supervisor has given the file up; null if it has not.
    const std::string* failure_of(const InputFile& input) const {
        return supervisor_ == nullptr ? nullptr : supervisor_->failure_of(static_cast<size_t>(&input - &inputs_[0]));
    }

    // The bytes of a pipe are read again from where they are kept, if all of them are.
    void judge(ReaderCheck& readers, const InputFile& input, Outcome& outcome, Source& source) {
        const KeptInput* bytes = kept(input);
        if (bytes != nullptr && bytes->is_whole()) {
            MemorySource again(bytes->bytes());
            readers.judge(outcome, again);
        } else {
            readers.judge(outcome, source);
        }
        if (const auto verdicts = verdicts_.find(&input); verdicts != verdicts_.end())
            verdicts->second = readers.verdicts();
    }

    // Keeps the bytes of a pipe, whose memory is that of the file. Several pipes share what one could have: their bytes
    // are there until the end.
    void keep(KeptInput& kept, CheckOptions& options) const {
        const uint64_t most = std::min(options.limits.memory / KeptInput::kPart, KeptInput::kMost) / kept_.size();
        options.limits.memory -= 2 * most;  // the bytes are copied when their buffer grows
        kept.start(most);
    }

    std::unique_ptr<Outcome> out_of_memory() const {
        auto outcome = std::make_unique<Outcome>(CheckOptions());
        outcome->failure = "out of memory";
        outcome->context.limit_hit = true;
        return outcome;
    }

    void work() {
        while (const std::optional<size_t> mine = queue_.take()) {
            const Supervisor::Mark mark(supervisor_, *mine);
            queue_.put(*mine, check_one(inputs_[*mine]));
        }
    }

    const CommandLine& line_;
    const Inputs& inputs_;
    FileGroups& groups_;
    const Supervisor* supervisor_;  // null: nobody starts this again
    const Interruption& interruption_;
    Progress& progress_;
    ResultQueue queue_;
    std::vector<std::thread> threads_;
    std::map<const InputFile*, KeptInput> kept_;                       // bytes of pipes; each is one thread's
    std::map<const InputFile*, std::vector<ReaderVerdict>> verdicts_;  // the same
};

bool is_empty(const Outcome& outcome) {
    if (outcome.size != uint64_t{0}) return false;
    return std::ranges::none_of(outcome.report().found_rules(), &Rule::of_container);
}
bool is_pointer(const Outcome& outcome) { return outcome.report().count(kGitLfsPointer) != 0; }

// Whether a file without a known format should be a trace. Where something is expected of all files, those are traces
// whose writer wrote nothing or rubbish: but a letter in the folder is none, nor is what keeps a folder in git.
bool is_expected(const CommandLine& line, const std::string& path, const Outcome& outcome) {
    const FileDemands demands = choices_for(line, path).demands;
    if (demands.is_named || !demands.is_given) return demands.is_named;
    return (is_empty(outcome) && !is_hidden(path)) || is_pointer(outcome) || is_named_like_trace(path);
}

// Whether an input is skipped: it was found in a folder and is no trace, whatever container it is in, and nobody
// expects it to be one.
bool is_skipped(const CommandLine& line, const InputFile& input, const std::string& path, const Outcome& outcome) {
    return input.walk && !input.is_named && outcome.failure.empty() && outcome.format == nullptr &&
           !is_expected(line, path, outcome);
}

// The files of one walked folder.
struct FolderSummary {
    uint64_t checked = 0;
    uint64_t skipped = 0;  // the next two among them
    uint64_t empty = 0;
    uint64_t hidden = 0;    // of the empty ones, by their names
    uint64_t pointers = 0;  // of Git LFS
};

void add_skipped(FolderSummary& folder, const std::string& path, const Outcome& outcome) {
    ++folder.skipped;
    folder.empty += is_empty(outcome);
    folder.hidden += is_empty(outcome) && is_hidden(path);
    folder.pointers += is_pointer(outcome);
}

constexpr std::string_view kPull = "git lfs pull fetches the files";

// "it holds no files", or what they are.
std::string content_of(const FolderSummary& folder, uint64_t excluded) {
    if (folder.skipped == 0) return excluded == 0 ? "it holds no files" : "all that it holds is excluded";
    std::string kinds;
    const auto add = [&](uint64_t count, std::string_view what) {
        if (count != 0) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, what);
    };
    add(folder.empty, "empty");
    add(folder.skipped - folder.empty - folder.pointers, "of no known format");
    add(folder.pointers, folder.pointers == 1 ? "Git LFS pointer" : "Git LFS pointers");
    return fmt::format("looked at {}: {}{}{}", counted(folder.skipped, "file"), kinds, folder.pointers == 0 ? "" : "; ",
                       folder.pointers == 0 ? "" : kPull);
}

// What looks like a trace that is not there, though others are; empty if nothing does.
std::string unchecked_in(const FolderSummary& folder) {
    std::string text;
    if (const uint64_t empty = folder.empty - folder.hidden; empty != 0) text = counted(empty, "empty file");
    if (folder.pointers != 0) text += (text.empty() ? "" : ", ") + counted(folder.pointers, "Git LFS pointer");
    if (!text.empty()) text += " not checked";
    if (folder.pointers != 0) text += fmt::format("; {}", kPull);
    return text;
}

// A gate that checked nothing, or not everything, must not look like one that did.
void complain_of_folders(const Inputs& inputs, const std::vector<FolderSummary>& folders) {
    for (size_t i = 0; i < folders.size(); ++i) {
        const std::string name = printable(inputs.walks()[i]);
        if (folders[i].checked == 0 && !inputs.repeats(i))
            complain(fmt::format("no traces found in {}; {}", name, content_of(folders[i], inputs.excluded_in(i))));
        else if (const std::string unchecked = unchecked_in(folders[i]); !unchecked.empty())
            complain(fmt::format("{}: {}", name, unchecked));
    }
}

// A name that does not exist may be a command that is misspelt.
void complain_unreadable(const Inputs& inputs, const InputFile& input, const Outcome& outcome) {
    std::error_code ignored;
    const std::string path = inputs.path_of(input);
    const bool is_word = !input.walk && inputs.entry_of(input) == nullptr && !std::filesystem::exists(path, ignored);
    complain(fmt::format("{}: {}{}", shown_path(path), printable(outcome.failure),
                         is_word ? did_you_mean(path, command_names()) : ""));
}

// The named folders of which no file was left out. What the configuration excludes is never checked, and is none.
std::vector<std::string> searched_folders(const CommandLine& line, const Inputs& inputs) {
    std::vector<std::string> folders;
    for (size_t i = 0; i < inputs.walks().size(); ++i)
        if (inputs.excluded_in(i) == 0 || line.excluded_by_configuration) folders.push_back(inputs.walks()[i]);
    return folders;
}

// `shard` and `supervisor` are null without a manifest.
ExitStatus check_inputs(const CommandLine& line, Inputs inputs, ShardRun* shard, const Supervisor* supervisor) {
    if (overwrites_input(line, inputs)) return kUsage;
    std::optional<BaselineRun> baseline;
    if (const ExitStatus failed = open_baseline(line, searched_folders(line, inputs), baseline); failed != kClean)
        return failed;
    const Interruption interruption;
    Outputs outputs;
    if (const ExitStatus failed = outputs.open(line); failed != kClean) return failed;
    outputs.begin();

    FileGroups groups(line, inputs);
    Summary summary;
    if (line.configuration != nullptr) summary.configuration = line.configuration->path;
    std::vector<FolderSummary> of_folders(inputs.walks().size());
    ExitStatus status = kClean;
    ExpectedFiles expected(line);
    const auto take = [&](const std::string& path, const Outcome& outcome, const KeptInput* kept,
                          const ManifestEntry* entry, const std::vector<ReaderVerdict>& verdicts,
                          std::string_view artifact = {}) {
        const KnownFindings known = baseline ? baseline->take(path, outcome) : KnownFindings();
        const Checked checked{
            .path = path,
            .outcome = outcome,
            .kept = kept,
            .known = baseline ? &known : nullptr,
            .entry = entry,
            .readers = verdicts,
            .artifact = std::string(artifact),
        };
        if (shard != nullptr) shard->add(checked);
        status = worse(status, tally(checked, line, summary));
        outputs.file(checked);
    };
    uint64_t taken = 0;
    uint64_t cut = 0;  // files, by a signal
    bool complete;
    {
        Progress progress(inputs.size());
        Checking checking(line, inputs, groups, supervisor, interruption, progress);
        complete = checking.run([&](const InputFile& input, const Outcome& outcome) {
            const Progress::Hidden hidden(progress);
            ++taken;
            cut += outcome.failure == kInterrupted;
            const std::string path = inputs.path_of(input);
            if (is_skipped(line, input, path, outcome)) {
                ++summary.skipped;
                add_skipped(of_folders[*input.walk], path, outcome);
                return true;
            }
            if (input.walk) ++of_folders[*input.walk].checked;
            if (!outcome.failure.empty()) complain_unreadable(inputs, input, outcome);
            expected.meet(path);
            take(path, outcome, checking.kept(input), inputs.entry_of(input), checking.verdicts(input));
            return !outputs.all_failed();
        });
    }
    if (Interruption::has_come() && (!complete || cut != 0)) {
        summary.incomplete = fmt::format("interrupted by {}", Interruption::signal_name());
        summary.not_checked = inputs.size() - taken;
        summary.cut = cut;
        complain(not_checked_text(summary));
    }
    if (shard != nullptr) summary.part = &shard->part();
    if (!complete || shard != nullptr) return outputs.finish(summary, complete ? status : worse(status, kInternal));
    for (size_t i = 0; i < of_folders.size(); ++i)
        if (of_folders[i].checked == 0 && !inputs.repeats(i)) expected.miss_folder(inputs.walks()[i]);
    for (const ExpectedFiles::Missing& missing : expected.missing(!of_folders.empty()))
        take(missing.pattern, *outcome_of(missing, line), nullptr, nullptr, {}, missing.artifact);
    complain_of_folders(inputs, of_folders);
    if (summary.files == 0) {
        // Whoever names a file and excludes it wants it so: a hook that is given the files of a commit.
        if (inputs.excluded() != 0 && inputs.walks().empty())
            complain(fmt::format("nothing to check: {} excluded", counted(inputs.excluded(), "input")));
        else
            status = worse(status, kUnreadable);
    }
    BaselineSummary known;
    if (baseline) {
        known = baseline->summary(summary.incomplete.empty());
        summary.baseline = &known;
        status = close_baseline(line, *baseline, known, summary.incomplete.empty(), status);
    }
    return outputs.finish(summary, status);
}

// Whether the outputs of a run that died show nothing of it: nobody takes back what was written to a pipe.
bool can_begin_again(const CommandLine& line) {
    return std::ranges::all_of(line.outputs, [&](const Output& output) {
        std::error_code ignored;
        if (output.file.empty()) return line.quiet;
        return !std::filesystem::exists(output.file, ignored) || regular_file(output.file).has_value();
    });
}

ExitStatus check_shard(const CommandLine& line, const Exclusions& exclusions) {
    ShardRun shard(line);
    if (const ExitStatus failed = shard.open(exclusions); failed != kClean) return failed;
    if (const std::optional<ExitStatus> finished = shard.finished()) return *finished;
    Inputs inputs = shard.take_inputs();
    if (!can_begin_again(line)) {
        if (line.max_seconds == 0) return check_inputs(line, std::move(inputs), &shard, nullptr);
        complain("--max-seconds needs a file for every --output, as the run may have to begin again");
        return kUsage;
    }
    Supervisor supervisor(line.jobs, line.max_seconds);
    return supervisor.run([&] { return check_inputs(line, std::move(inputs), &shard, &supervisor); },
                          [&](pid_t died) {
                              for (const Output& output : line.outputs) remove_temporaries(output.file, died);
                          });
}

ExitStatus check_names(const CommandLine& line, const Exclusions& exclusions) {
    std::vector<std::string> names = line.files;
    if (const ExitStatus failed = add_listed(line, names); failed != kClean) return failed;
    for (const std::string& name : line.beside)
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return check_inputs(line, Inputs(names, &exclusions), nullptr, nullptr);
}

}  // namespace

ExitStatus run_check(const CommandLine& line) {
    const Exclusions exclusions = exclusions_of(line);
    const ExitStatus status = line.manifest.empty() ? check_names(line, exclusions) : check_shard(line, exclusions);
    return line.exit_zero ? without_findings(status) : status;
}

}  // namespace tracelint
