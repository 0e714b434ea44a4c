// `generate`: writes valid traces, or ones that violate a rule in one known place.
#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <new>

#include "validator/generator/wrapped.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/made_files.hpp"

namespace tracelint {
namespace {

bool has_fault(const Format& format, const Rule& rule) {
    const std::vector<PlantedFault> faults = faults_of(format);
    return std::any_of(faults.begin(), faults.end(), [&](const PlantedFault& f) { return f.rule == &rule; });
}

// The file that the command line asks for. Empty, after a complaint, if it cannot be generated.
std::optional<std::string> made_file(const GenerateLine& line, const GenerateOptions& options) {
    const Format& format = *line.format;
    const Rule* const violated = line.files.violated;
    if (violated == nullptr) return generate_bytes(generator_of(format), options);
    const std::optional<PlantedFile> planted = plant(generator_of(format), *violated, options, line.files.traits);
    if (!planted) {
        complain(
            fmt::format("no generated file has a place where {} can be violated; try another --seed or a larger --size",
                        violated->id));
        return std::nullopt;
    }
    const bool is_recognised = recognise(formats(), opening_of(as_bytes(planted->bytes), line.files.out)) == &format;
    complain(fmt::format("{} is violated at {:#x}, {}{}", violated->id, planted->offset,
                         counted(planted->length, "byte"),
                         is_recognised ? "" : fmt::format("; check it with --as {}", format.id)));
    return planted->bytes;
}

ExitStatus write_file(const GenerateLine& line) {
    const std::optional<GenerateOptions> options = generate_options(*line.format, line.files);
    if (!options) return kUsage;
    const std::string& path = line.files.out;
    if (path.empty() && isatty(STDOUT_FILENO) == 1) {
        complain("refusing to write binary data to a terminal; use -o FILE or redirect the output");
        return kUsage;
    }
    const std::optional<std::string> bytes = made_file(line, *options);
    if (!bytes) return kInternal;
    const auto sink = path.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(path);
    sink->write(wrapped(line.files.container, *bytes));
    return finish_output(*sink, path, kClean);
}

ExitStatus write_valid_files(const GenerateLine& line) {
    std::optional<GenerateOptions> options = generate_options(*line.format, line.files);
    if (!options) return kUsage;
    MadeFiles files(*line.format, line.files);
    for (uint64_t left = line.files.count.value_or(1); left > 0 && files.status() == kClean; --left) {
        const Generator& generator = generator_of(*line.format);
        files.add("valid", fmt::format("generated with seed {}", options->seed), generate_bytes(generator, *options));
        ++options->seed;
        options = options_with(generator, *options, line.files.traits);
        if (!options) break;  // the seeds ran out
    }
    return files.finish();
}

}  // namespace

ExitStatus run_generate(const GenerateLine& line) {
    const Format& format = *line.format;
    if (find_generator(format) == nullptr) {
        complain(fmt::format("no generator for format {}", format.id));
        return kUsage;
    }
    if (line.files.violated != nullptr && !has_fault(format, *line.files.violated)) {
        complain(fmt::format("no fault generator for rule {}", line.files.violated->id));
        return kUsage;
    }
    try {
        if (!line.fills_folder()) return write_file(line);
        return line.files.violates() ? write_generated_violations(format, line.files) : write_valid_files(line);
    } catch (const std::bad_alloc&) {
        complain(fmt::format("out of memory: generating {} of {} takes more than --max-memory allows", format.id,
                             counted(line.files.size, "byte")));
        return kInternal;
    }
}

}  // namespace tracelint
