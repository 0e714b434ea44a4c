// The main job: checks the inputs, several at a time if asked to, and hands the results to the writers
// in the order of the command line.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "validator/gzip.hpp"
#include "validator/recognise.hpp"
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
    // Says what is wrong where a file cannot be created or would be written twice.
    ExitStatus open(const CommandLine& line) {
        for (const Output& output : line.outputs) {
            if (output.file.empty() && line.quiet) continue;
            WriterOptions options;
            options.min_severity = line.min_severity;
            options.statistics = line.statistics;
            options.colour = output.file.empty() ? wants_colour(line) : line.colour == Colour::always;
            auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
            if (sink->failure() != 0) {
                complain("cannot write " + printable(output.file) + ": " + std::strerror(sink->failure()));
                return kInternal;
            }
            for (const Opened& before : opened_) {
                if (!sink->is_same_file(*before.sink)) continue;
                complain("--output: two outputs to one file, " +
                         printable(output.file.empty() ? before.name : output.file));
                return kUsage;
            }
            auto writer = output.kind->make(*sink, options);
            opened_.push_back({output.file, std::move(sink), std::move(writer)});
        }
        return kClean;
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

// Whether a file of a folder is, by its first bytes, one to be checked.
bool is_trace(const std::string& path, const CommandLine& line) {
    if (line.as != nullptr) return true;
    const std::unique_ptr<Source> source = open_file(path);
    Window window(*source);
    const Bytes in_hand = window.view(0, kDetectionBytes);
    const Bytes opening = in_hand.first(std::min(in_hand.size(), kDetectionBytes));
    if (std::ranges::equal(opening.first(std::min(opening.size(), kGzipMagic.size())), kGzipMagic)) return true;
    return recognise(formats(), {opening, std::string_view(path).substr(path.rfind('/') + 1)}) != nullptr;
}

// An output must not overwrite what is to be checked. What an earlier run left in a walked folder may be
// overwritten, and is no input then.
bool overwrites_input(const CommandLine& line, std::vector<Input>& inputs) {
    for (const Output& output : line.outputs) {
        std::error_code ignored;
        if (output.file.empty() || !std::filesystem::is_regular_file(output.file, ignored)) continue;
        const auto is_output = [&](const Input& input) {
            return std::filesystem::equivalent(output.file, input.path == "-" ? "/dev/stdin" : input.path, ignored);
        };
        const auto is_lost = [&](const Input& input) {
            return is_output(input) && (!input.folder || is_trace(input.path, line));
        };
        if (std::any_of(inputs.begin(), inputs.end(), is_lost)) {
            complain("--output: " + printable(output.file) + " is one of the files to check");
            return true;
        }
        std::erase_if(inputs, is_output);
    }
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

    // Calls `take` for each input in order, until it says false; false if that leaves inputs over.
    template <class Take>
    bool run(Take take) {
        if (line_.jobs > 1 && inputs_.size() > 1) start_threads();
        for (size_t i = 0; i < inputs_.size(); ++i) {
            std::unique_ptr<Outcome> outcome = threads_.empty() ? check_one(inputs_[i]) : wait_for(i);
            if (outcome == nullptr) outcome = without_memory();
            if (!take(inputs_[i], *outcome)) return i + 1 == inputs_.size();
        }
        return true;
    }

  private:
    // Finished results wait for slower ones before them; so many inputs ahead of the next one to be
    // written a thread may go, for each thread.
    static constexpr size_t kAhead = 4;

    struct Result {
        bool is_there = false;
        std::unique_ptr<Outcome> outcome;
    };

    // As many as asked for, or as can be had: none, and the caller does the work.
    void start_threads() {
        try {
            for (size_t i = 0; i < std::min<size_t>(line_.jobs, inputs_.size()); ++i)
                threads_.emplace_back([this] { work(); });
        } catch (const std::exception&) {
            // The system has no more of them, or no memory.
        }
    }

    CheckOptions options_for(const Input& input) const {
        CheckOptions options;
        options.format = line_.as;
        if (input.path != "-") options.file_name = input.path;
        options.limits = line_.limits;
        options.settings = line_.settings;
        options.report = {line_.max_per_rule, &line_.filter};
        return options;
    }

    // Never throws: a failure is an outcome, and null is one that there was no memory for.
    std::unique_ptr<Outcome> check_one(const Input& input) {
        std::unique_ptr<Outcome> outcome;
        try {
            outcome = outcome_of(input);
        } catch (const std::bad_alloc&) {
            // Said by the caller.
        }
        progress_.file_done();
        return outcome;
    }

    // Throws where there is no memory.
    std::unique_ptr<Outcome> outcome_of(const Input& input) {
        const CheckOptions options = options_for(input);
        auto outcome = std::make_unique<Outcome>(options);
        outcome->failure = input.failure;
        if (!outcome->failure.empty()) return outcome;
        try {
            const std::unique_ptr<Source> source = input.path == "-" ? open_standard_input() : open_file(input.path);
            CountedSource counted(*source, progress_);
            outcome->failure = source->failure();
            if (outcome->failure.empty()) *outcome = check(counted, options);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            outcome->failure = std::string("internal error: ") + error.what();
            outcome->context.limit_hit = true;
        }
        return outcome;
    }

    std::unique_ptr<Outcome> without_memory() const {
        auto outcome = std::make_unique<Outcome>(CheckOptions());
        outcome->failure = "out of memory";
        outcome->context.limit_hit = true;
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
            results_[mine] = {true, std::move(outcome)};
            changed_.notify_all();
        }
    }

    std::unique_ptr<Outcome> wait_for(size_t index) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return results_[index].is_there; });
        written_ = index + 1;
        changed_.notify_all();
        return std::move(results_[index].outcome);
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
    std::vector<Result> results_;
    size_t next_ = 0;     // input that no thread has taken
    size_t written_ = 0;  // results that were handed on
    bool stopped_ = false;
    std::vector<std::thread> threads_;
};

// Whether a file is left out: one of a folder, of which nothing is known but that it is no trace.
bool is_skipped(const Input& input, const Outcome& outcome) {
    if (!input.folder || !outcome.failure.empty() || outcome.format != nullptr) return false;
    const auto counts = outcome.report().counts();
    return !outcome.context.limit_hit && std::all_of(counts.begin(), counts.end(), [](const auto& count) {
        return count.first == kUnknownFormat.id;
    });
}

// What became of the files of a walked folder.
struct FolderSummary {
    uint64_t checked = 0;
    uint64_t skipped = 0;
};

std::string unreadable(const Input& input, const Outcome& outcome) {
    std::string text = shown_path(input.path) + ": " + printable(outcome.failure);
    std::error_code ignored;
    if (std::filesystem::exists(input.path, ignored)) return text;
    return text + did_you_mean(input.path, command_names());
}

// Adds one result to the sums, and gives what it makes of the exit status.
ExitStatus tally(const Outcome& outcome, const CommandLine& line, Summary& summary) {
    const Report& report = outcome.report();
    uint64_t failing = 0;
    std::optional<Severity> worst;
    for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
        if (report.count(severity) != 0) worst = severity;
        if (line.fail_on && severity >= *line.fail_on) failing += report.count(severity);
    }
    ++summary.files;
    ++(!outcome.failure.empty() ? summary.unreadable : worst ? summary.with_findings : summary.clean);
    if (outcome.failure.empty() && worst) ++summary.with_worst_of[static_cast<size_t>(*worst)];
    ExitStatus status = failing != 0 ? kFindings : kClean;
    if (!outcome.failure.empty()) status = worse(status, kUnreadable);
    if (outcome.context.limit_hit) status = worse(status, kInternal);
    return status;
}

}  // namespace

ExitStatus run_check(const CommandLine& line) {
    std::vector<std::string> folders;
    std::vector<Input> inputs = find_inputs(line.files, folders);
    if (overwrites_input(line, inputs)) return kUsage;
    Outputs outputs;
    if (const ExitStatus failed = outputs.open(line); failed != kClean) return failed;
    outputs.begin();

    Summary summary;
    std::vector<FolderSummary> of_folders(folders.size());
    ExitStatus status = kClean;
    bool complete;
    {
        Progress progress(inputs.size());
        Checking checking(line, inputs, progress);
        complete = checking.run([&](const Input& input, const Outcome& outcome) {
            const Progress::Hidden hidden(progress);
            if (is_skipped(input, outcome)) {
                ++summary.skipped;
                ++of_folders[*input.folder].skipped;
                return true;
            }
            if (input.folder) ++of_folders[*input.folder].checked;
            if (!outcome.failure.empty()) complain(unreadable(input, outcome));
            status = worse(status, tally(outcome, line, summary));
            outputs.file({input.path, outcome});
            return !outputs.all_failed();
        });
    }
    if (!complete) return outputs.finish(summary, worse(status, kInternal));
    for (size_t i = 0; i < folders.size(); ++i)
        if (of_folders[i].checked == 0)
            complain("no trace found in " + printable(folders[i]) + "; " + counted(of_folders[i].skipped, "file") +
                     " skipped");
    if (summary.files == 0) status = worse(status, kUnreadable);
    return outputs.finish(summary, status);
}

}  // namespace tracelint
