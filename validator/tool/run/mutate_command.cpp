// `mutate`: writes broken traces, made from a trace or from generated ones. `dictionary`: writes values for fuzzers.
#include <fmt/core.h>

#include <new>

#include "validator/generator/dictionary.hpp"
#include "validator/generator/mutate.hpp"
#include "validator/recognise.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/run/made_files.hpp"

namespace tracelint {
namespace {

constexpr uint64_t kMutants = 100;         // --count
constexpr uint64_t kMemoryOfAByte = 1024;  // what a byte of a file may take, decoded and copied

// The decompressed bytes of the file. Empty, after a complaint, if they cannot be read or are too many.
std::optional<std::string> content_of(const MutateLine& line) {
    const uint64_t most = line.files.limits.memory / kMemoryOfAByte;
    const std::unique_ptr<Source> source = open_input(line.file);
    Budget budget(line.files.limits.memory);
    OpenedInput input(*source, budget);
    Source& trace = input.trace();
    std::string bytes;
    while (bytes.size() <= most) {
        uint8_t piece[4096];
        const size_t got = trace.read(piece, sizeof piece);
        if (got == 0) break;
        bytes.append(reinterpret_cast<const char*>(piece), got);
    }
    const std::string path = shown_path(line.file);
    if (const std::string failure = trace.failure(); !failure.empty()) {
        complain(fmt::format("{}: {}", path, failure));
        return std::nullopt;
    }
    if (bytes.size() <= most) return bytes;
    complain(fmt::format("{}: too large; with this --max-memory, the limit is {}", path, counted(most, "byte")));
    return std::nullopt;
}

// Writes as many mutants as were asked for; `original` gives what each is made from, or nothing.
template <class Original>
ExitStatus write_mutants(const Format& format, const MutateLine& line, Original original) {
    MadeFiles files(format, line.files, line.settings);
    const uint64_t count = line.files.count.value_or(kMutants);
    for (uint64_t n = 0; n < count && files.status() == kClean; ++n) {
        const std::optional<std::string> bytes = original(n);
        if (!bytes) return worse(files.finish(), kUsage);
        const uint64_t seed = line.files.seed + n;
        files.add("mutant", fmt::format("changed with seed {}", seed),
                  mutated(generator_of(format), as_bytes(*bytes), seed));
    }
    return files.finish();
}

ExitStatus mutate_file(const MutateLine& line) {
    const std::optional<std::string> bytes = content_of(line);
    if (!bytes) return kUnreadable;
    const Format* format = line.recognition.as != nullptr
                               ? line.recognition.as
                               : recognise(formats(), opening_of(as_bytes(*bytes), line.file));
    if (format == nullptr) {
        complain(fmt::format("{}: its format is not recognised; --as gives it", shown_path(line.file)));
        return kFindings;
    }
    return write_mutants(*format, line, [&](uint64_t) { return bytes; });
}

ExitStatus mutate_generated(const MutateLine& line) {
    const Format& format = *line.format;
    if (line.files.violates()) return write_generated_violations(format, line.files);
    std::optional<GenerateOptions> options = generate_options(format, line.files);
    if (!options) return kUsage;
    return write_mutants(format, line, [&](uint64_t n) -> std::optional<std::string> {
        if (n != 0) {
            ++options->seed;
            options = options_with(generator_of(format), *options, line.files.traits);
        }
        if (!options) return std::nullopt;  // the seeds ran out
        return generate_bytes(generator_of(format), *options);
    });
}

}  // namespace

ExitStatus run_mutate(const MutateLine& line) {
    try {
        return line.format == nullptr ? mutate_file(line) : mutate_generated(line);
    } catch (const std::bad_alloc&) {
        complain("out of memory: mutate takes more than --max-memory allows; try a smaller --size");
        return kInternal;
    }
}

ExitStatus run_dictionary(const DictionaryLine& line) {
    FileSink sink;
    sink.write(dictionary_of(*line.format));
    return finish_output(sink, "", kClean);
}

}  // namespace tracelint
