// `generate`: a valid trace, or one that breaks a rule in one known place.
#include <unistd.h>

#include "validator/generator/plant.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/commands.hpp"
#include "validator/tool/text.hpp"

namespace tracelint {
namespace {

bool has_fault(const Format& format, const Rule& rule) {
    const std::vector<PlantedFault> faults = faults_of(format);
    return std::any_of(faults.begin(), faults.end(), [&](const PlantedFault& f) { return f.rule == &rule; });
}

// Whether a check of the file needs no --as.
bool is_recognised(const std::string& bytes, const std::string& path, const Format& format) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const Bytes all(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    return recognise(formats(), {all.first(std::min(all.size(), kDetectionBytes)), name}) == &format;
}

}  // namespace

ExitStatus run_generate(const CommandLine& line) {
    const Format& format = *line.format;
    const std::string id(format.id);
    if (find_generator(format) == nullptr) {
        complain("there is no generator for " + id);
        return kUsage;
    }
    if (line.rule != nullptr && !has_fault(format, *line.rule)) {
        complain("nobody has written down how to break " + std::string(line.rule->id) + " in a generated file");
        return kUsage;
    }
    if (line.generate_to.empty() && isatty(STDOUT_FILENO) == 1) {
        complain("a trace is no text for a terminal; use -o FILE or redirect the output");
        return kUsage;
    }
    GenerateOptions options;
    options.seed = line.seed;
    options.size = line.size;
    std::string bytes;
    if (line.rule == nullptr) {
        const FileRecords generated = generate(format, options);
        bytes = bytes_of(generated);
    } else {
        const std::optional<PlantedFile> planted = plant(generator_of(format), *line.rule, options);
        if (!planted) {
            complain("no generated file offered a place to break " + std::string(line.rule->id) +
                     "; try another --seed or a larger --size");
            return kInternal;
        }
        bytes = planted->bytes;
        complain(std::string(line.rule->id) + " is broken at " + hex(planted->offset) + ", " +
                 counted(planted->length, "byte") +
                 (is_recognised(bytes, line.generate_to, format) ? "" : "; check it with --as " + id));
    }
    const auto sink =
        line.generate_to.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(line.generate_to);
    sink->write(bytes);
    return finish_output(*sink, line.generate_to, kClean);
}

}  // namespace tracelint
