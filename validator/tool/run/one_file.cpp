// From the name of a file to the outcome of its check.
#include "validator/tool/run/one_file.hpp"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "validator/tool/inputs/inflate_ahead.hpp"
#include "validator/tool/inputs/source_chain.hpp"
#include "validator/tool/run/parallel.hpp"

namespace tracelint {
namespace {

// Whether the input can be read only once: standard input that is not a file, or a named pipe.
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

}  // namespace

CheckOptions check_options_of(const CheckLine& line, const FileChoices& choices, const std::string& path) {
    CheckOptions options;
    options.format = choices.format;
    if (path != "-") options.file_name = path;
    options.limits = line.limits.of_file;
    options.settings = choices.settings;
    options.report = {line.reporting.max_per_rule, &line.choices.filter, &choices.severities};
    if (line.choices.growing) options.is_growing = [] { return true; };
    return options;
}

FileChecks::FileChecks(const CheckLine& line, const Inputs& inputs, const Supervisor* supervisor,
                       const Interruption& interruption, Progress& progress)
    : line_(line), inputs_(inputs), supervisor_(supervisor), interruption_(interruption), progress_(progress) {
    for (const InputFile& input : inputs) {
        if (!input.walk && is_pipe(inputs.place_of(input))) kept_.try_emplace(&input);
        if (!line.choices.readers.empty()) verdicts_.try_emplace(&input);
    }
}

const KeptInput* FileChecks::kept(const InputFile& input) const {
    const auto found = kept_.find(&input);
    return found == kept_.end() ? nullptr : &found->second;
}

std::vector<ReaderVerdict> FileChecks::verdicts(const InputFile& input) {
    const auto found = verdicts_.find(&input);
    return found == verdicts_.end() ? std::vector<ReaderVerdict>() : std::move(found->second);
}

std::unique_ptr<Outcome> FileChecks::check(const InputFile& input, Facts* facts) {
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
std::unique_ptr<Outcome> FileChecks::outcome_of(const InputFile& input, Facts* facts) {
    const std::string path = inputs_.path_of(input);
    const FileChoices choices = choices_for(line_.choices, path);
    const ManifestEntry* entry = inputs_.entry_of(input);
    CheckOptions options = check_options_of(line_, choices, path);
    if (entry != nullptr && entry->format != nullptr && line_.choices.recognition.as == nullptr)
        options.format = entry->format;
    options.facts = facts;
    auto outcome = std::make_unique<Outcome>(options);
    outcome->failure = obstacle_to(input);
    if (const std::string* failure = failure_of(input); failure != nullptr && outcome->failure.empty()) {
        outcome->failure = *failure;
        outcome->context.limit_hit = true;
    }
    if (!outcome->failure.empty()) return outcome;
    try {
        read(input, choices, options, *outcome);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        outcome->failure = fmt::format("internal error: {}", error.what());
        outcome->context.limit_hit = true;
    }
    return outcome;
}

// Why the file is not read; empty if nothing is in the way.
std::string FileChecks::obstacle_to(const InputFile& input) const {
    if (Interruption::has_come()) return std::string(kNotStarted);
    const ManifestEntry* entry = inputs_.entry_of(input);
    return !input.failure.empty() || entry == nullptr ? input.failure
                                                      : difference_from(*entry, inputs_.place_of(input));
}

// Why the supervisor has abandoned the file; null if it has not done so.
const std::string* FileChecks::failure_of(const InputFile& input) const {
    return supervisor_ == nullptr ? nullptr : supervisor_->failure_of(static_cast<size_t>(&input - &inputs_[0]));
}

void FileChecks::read(const InputFile& input, const FileChoices& choices, CheckOptions& options, Outcome& outcome) {
    SourceChain chain(inputs_.open(input));
    if (const auto kept = kept_.find(&input); kept != kept_.end()) {
        keep(kept->second, options);
        chain.add<KeepingSource>(kept->second);
    }
    chain.add<CountedSource>(progress_);
    const InterruptibleSource& interruptible = chain.add<InterruptibleSource>(interruption_);
    outcome.failure = chain.file().failure();
    if (!outcome.failure.empty())
        if (std::string why = inputs_.fetch_failure(input); !why.empty()) outcome.failure = std::move(why);
    DemandCheck demands(choices.demands);
    if (!choices.demands.empty()) options.expectations = &demands;
    if (line_.limits.jobs == 1 || inputs_.size() == 1) options.open_container = open_container_ahead;
    const ChosenReaders& chosen = line_.choices.readers;
    ReaderCheck readers(chosen.readers, options, Interruption::has_come, chosen.older);
    const std::string place = inputs_.place_of(input);
    readers.note_owner(!chosen.readers.empty() && place != "-" && ReaderCheck::is_foreign(place));
    if (outcome.failure.empty()) {
        outcome = readers.check(chain.top(), kept(input));
        if (const auto verdicts = verdicts_.find(&input); verdicts != verdicts_.end())
            verdicts->second = readers.verdicts();
    }
    if (interruptible.was_interrupted()) outcome.context.limit_hit = true;
}

// Keeps the bytes of a pipe, whose memory is that of the file. Several pipes share what one could have: their bytes are
// there until the end.
void FileChecks::keep(KeptInput& kept, CheckOptions& options) const {
    const uint64_t most = KeptInput::most_of(options.limits.memory) / kept_.size();
    options.limits.memory -= 2 * most;
    kept.start(most);
}

}  // namespace tracelint
