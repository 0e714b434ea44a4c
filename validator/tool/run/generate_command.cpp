// `generate`: writes a valid trace, or one that violates a rule in one known place.
#include <fmt/core.h>
#include <unistd.h>

#include <new>

#include "validator/generator/generator.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

bool has_fault(const Format& format, const Rule& rule) {
    const std::vector<PlantedFault> faults = faults_of(format);
    return std::any_of(faults.begin(), faults.end(), [&](const PlantedFault& f) { return f.rule == &rule; });
}

// The file that the command line asks for. Empty, after a complaint, if it cannot be generated.
std::optional<std::string> made_file(const GenerateLine& line) {
    const Format& format = *line.format;
    GenerateOptions options;
    options.seed = line.seed;
    options.size = line.size;
    options.memory = line.limits.memory;
    if (line.violated == nullptr) return generate_bytes(generator_of(format), options);
    const std::optional<PlantedFile> planted = plant(generator_of(format), *line.violated, options);
    if (!planted) {
        complain(
            fmt::format("no generated file has a place where {} can be violated; try another --seed or a larger --size",
                        line.violated->id));
        return std::nullopt;
    }
    const bool is_recognised = recognise(formats(), opening_of(as_bytes(planted->bytes), line.file)) == &format;
    complain(fmt::format("{} is violated at {:#x}, {}{}", line.violated->id, planted->offset,
                         counted(planted->length, "byte"),
                         is_recognised ? "" : fmt::format("; check it with --as {}", format.id)));
    return planted->bytes;
}

// Generates the file within the memory limit.
std::optional<std::string> made_within_limit(const GenerateLine& line) {
    try {
        return made_file(line);
    } catch (const std::bad_alloc&) {
        complain(fmt::format("out of memory: generating {} of {} takes more than --max-memory allows", line.format->id,
                             counted(line.size, "byte")));
        return std::nullopt;
    }
}

}  // namespace

ExitStatus run_generate(const GenerateLine& line) {
    const Format& format = *line.format;
    if (find_generator(format) == nullptr) {
        complain(fmt::format("no generator for format {}", format.id));
        return kUsage;
    }
    if (line.violated != nullptr && !has_fault(format, *line.violated)) {
        complain(fmt::format("no fault generator for rule {}", line.violated->id));
        return kUsage;
    }
    if (line.file.empty() && isatty(STDOUT_FILENO) == 1) {
        complain("refusing to write binary data to a terminal; use -o FILE or redirect the output");
        return kUsage;
    }
    const std::optional<std::string> bytes = made_within_limit(line);
    if (!bytes) return kInternal;
    const auto sink = line.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(line.file);
    sink->write(*bytes);
    return finish_output(*sink, line.file, kClean);
}

}  // namespace tracelint
