// The main job: checks the inputs, several at a time if asked to, and hands the results to the writers
// in the order of the command line.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "validator/tool/commands.hpp"
#include "validator/tool/inputs.hpp"
#include "validator/tool/progress.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

bool wants_colour(const CommandLine& line) {
    if (line.colour != Colour::when_terminal) return line.colour == Colour::always;
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
    return (no_colour == nullptr || *no_colour == '\0') && !dumb && isatty(STDOUT_FILENO) == 1;
}

// The writers with the files that they write to.
class Outputs {
  public:
    // False, with a message, where a file cannot be created.
    bool open(const CommandLine& line) {
        for (const Output& output : line.outputs) {
            if (output.file.empty() && line.quiet) continue;
            WriterOptions options;
            options.min_severity = line.min_severity;
            options.statistics = line.statistics;
            options.colour = output.file.empty() ? wants_colour(line) : line.colour == Colour::always;
            auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
            if (sink->failure() != 0) {
                complain("cannot write " + printable(output.file) + ": " + std::strerror(sink->failure()));
                return false;
            }
            auto writer = output.kind->make(*sink, options);
            opened_.push_back({output.file, std::move(sink), std::move(writer)});
        }
        return true;
    }

    void begin() {
        each([](Writer& writer) { writer.begin(); });
    }
    void file(const Checked& checked) {
        each([&](Writer& writer) { writer.file(checked); });
    }

    // Nobody is left to write for.
    bool all_failed() const {
        for (const Opened& output : opened_)
            if (output.sink->failure() == 0) return false;
        return !opened_.empty();
    }

    ExitStatus finish(const Summary& summary, ExitStatus status) {
        each([&](Writer& writer) { writer.finish(summary); });
        for (Opened& output : opened_) status = finish_output(*output.sink, output.name, status);
        return status;
    }

  private:
    struct Opened {
        std::string name;
        std::unique_ptr<FileSink> sink;
        std::unique_ptr<Writer> writer;
    };

    template <class Action>
    void each(Action action) {
        for (Opened& output : opened_)
            if (output.sink->failure() == 0) action(*output.writer);
    }

    std::vector<Opened> opened_;
};

// An output must not overwrite what is to be checked.
bool overwrites_input(const CommandLine& line, const std::vector<Input>& inputs) {
    for (const Output& output : line.outputs) {
        for (const Input& input : inputs) {
            std::error_code ignored;
            if (output.file.empty() || !std::filesystem::is_regular_file(output.file, ignored)) continue;
            if (input.from_folder || !std::filesystem::equivalent(output.file, input.path, ignored)) continue;
            complain("--output: " + printable(output.file) + " is one of the files to check");
            return true;
        }
    }
    return false;
}

// Tracking stopped, or a container unfolds to more than anybody reads.
bool has_hit_limit(const Report& report) {
    for (const auto& [rule, count] : report.counts())
        if (count != 0 && (rule.ends_with("/tracking-limit") || rule == kGzipTooLarge.id)) return true;
    return false;
}

class Checking {
  public:
    Checking(const CommandLine& line, const std::vector<Input>& inputs, Progress& progress)
        : line_(line), inputs_(inputs), progress_(progress), results_(inputs.size()) {}

    Checking(const Checking&) = delete;
    Checking& operator=(const Checking&) = delete;
    ~Checking() {
        stop();
        for (std::thread& thread : threads_) thread.join();
    }

    // Calls `take` for each input in order, until it says false.
    template <class Take>
    void run(Take take) {
        if (line_.jobs == 1 || inputs_.size() < 2) {
            for (const Input& input : inputs_)
                if (!take(input, *check_one(input))) return;
            return;
        }
        for (size_t i = 0; i < std::min<size_t>(line_.jobs, inputs_.size()); ++i)
            threads_.emplace_back([this] { work(); });
        for (size_t i = 0; i < inputs_.size(); ++i) {
            const std::unique_ptr<Outcome> outcome = wait_for(i);
            if (!take(inputs_[i], *outcome)) return;
        }
    }

  private:
    // Finished results wait for slower ones before them; so many inputs ahead of the next one to be
    // written a thread may go, for each thread.
    static constexpr size_t kAhead = 4;

    CheckOptions options_for(const Input& input) const {
        CheckOptions options;
        options.format = line_.as;
        if (input.path != "-") options.file_name = input.path;
        options.limits = line_.limits;
        options.report = {line_.max_per_rule, &line_.filter};
        return options;
    }

    // Never throws: a failure is an outcome.
    std::unique_ptr<Outcome> check_one(const Input& input) {
        const CheckOptions options = options_for(input);
        auto outcome = std::make_unique<Outcome>(options);
        outcome->failure = input.failure;
        if (outcome->failure.empty()) {
            try {
                const std::unique_ptr<Source> source =
                    input.path == "-" ? open_standard_input() : open_file(input.path);
                CountedSource counted(*source, progress_);
                outcome->failure = source->failure();
                if (outcome->failure.empty()) *outcome = check(counted, options);
            } catch (const std::exception& error) {
                outcome->failure = std::string("internal error: ") + error.what();
            }
        }
        progress_.file_done();
        return outcome;
    }

    void work() {
        while (true) {
            size_t mine;
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return stopped_ || next_ < written_ + kAhead * line_.jobs; });
                if (stopped_ || next_ == inputs_.size()) return;
                mine = next_++;
            }
            std::unique_ptr<Outcome> outcome = check_one(inputs_[mine]);
            const std::lock_guard lock(mutex_);
            results_[mine] = std::move(outcome);
            changed_.notify_all();
        }
    }

    std::unique_ptr<Outcome> wait_for(size_t index) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return results_[index] != nullptr; });
        written_ = index + 1;
        changed_.notify_all();
        return std::move(results_[index]);
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

    const CommandLine& line_;
    const std::vector<Input>& inputs_;
    Progress& progress_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::unique_ptr<Outcome>> results_;
    size_t next_ = 0;     // input that no thread has taken
    size_t written_ = 0;  // results that were handed on
    bool stopped_ = false;
    std::vector<std::thread> threads_;
};

bool is_skipped(const Input& input, const Outcome& outcome) {
    return input.from_folder && outcome.failure.empty() && (outcome.format == nullptr || outcome.size == 0);
}

std::string unreadable(const Input& input, const Outcome& outcome) {
    std::string text = shown_path(input.path) + ": " + printable(outcome.failure);
    std::error_code ignored;
    if (std::filesystem::exists(input.path, ignored)) return text;
    return text + did_you_mean(input.path, command_names());
}

// Adds one result to the sums, and gives what it makes of the exit status.
ExitStatus tally(const Outcome& outcome, const CommandLine& line, Summary& summary) {
    const Report& report = outcome.report();
    uint64_t found = 0, failing = 0;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
        found += report.count(severity);
        if (line.fail_on && severity >= *line.fail_on) failing += report.count(severity);
    }
    ++summary.files;
    ++(!outcome.failure.empty() ? summary.unreadable : found != 0 ? summary.with_findings : summary.clean);
    ExitStatus status = failing != 0 ? kFindings : kClean;
    if (!outcome.failure.empty()) status = worse(status, kUnreadable);
    if (has_hit_limit(report)) status = worse(status, kInternal);
    return status;
}

}  // namespace

ExitStatus run_check(const CommandLine& line) {
    size_t folders = 0;
    const std::vector<Input> inputs = find_inputs(line.files, folders);
    if (overwrites_input(line, inputs)) return kUsage;
    Outputs outputs;
    if (!outputs.open(line)) return kInternal;
    outputs.begin();

    Summary summary;
    ExitStatus status = kClean;
    {
        Progress progress(inputs.size());
        Checking checking(line, inputs, progress);
        checking.run([&](const Input& input, const Outcome& outcome) {
            const Progress::Hidden hidden(progress);
            if (is_skipped(input, outcome)) {
                ++summary.skipped;
                return true;
            }
            if (!outcome.failure.empty()) complain(unreadable(input, outcome));
            status = worse(status, tally(outcome, line, summary));
            outputs.file({input.path, outcome});
            return !outputs.all_failed();
        });
    }
    if (folders != 0 && summary.files == 0) {
        complain("no trace found in " +
                 (folders == 1 && line.files.size() == 1 ? printable(line.files[0]) : counted(folders, "folder")) +
                 "; " + counted(summary.skipped, "file") + " skipped");
        status = worse(status, kUnreadable);
    }
    return outputs.finish(summary, status);
}

}  // namespace tracelint
