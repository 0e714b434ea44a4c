// `salvage`: writes the part of a broken file that has no error.
#include <fmt/core.h>

#include "validator/salvage/salvage.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"
#include "validator/tool/salvage/salvage_report.hpp"

namespace tracelint {
namespace {

ExitStatus status_of(SalvageVerdict verdict) {
    switch (verdict) {
        case SalvageVerdict::clean:
        case SalvageVerdict::salvaged: return kClean;
        case SalvageVerdict::impossible: return kFindings;
        case SalvageVerdict::limited: return kInternal;
        case SalvageVerdict::unreadable: return kUnreadable;
        default: break;  // of the library alone
    }
    return kInternal;
}

// Writes the salvaged file. It gets its name when all of it is written.
ExitStatus write_salvaged(Salvage& salvage, const Source& file, const SalvageLine& line) {
    FileSink sink(line.new_file);
    const std::string failure = salvage.copy([&](Bytes bytes) {
        sink.write(as_text(bytes));
        return sink.failure() == 0;
    });
    if (!failure.empty() || file.has_changed()) {
        sink.discard();
        complain(fmt::format("{}: {}", shown_path(line.file),
                             failure.empty() ? "another process changed the file while it was read" : failure));
        return kUnreadable;
    }
    return finish_output(sink, line.new_file, kClean);
}

ExitStatus write_report(const SalvagedFile& salvaged, const Output& output) {
    const auto sink = output.file.empty() ? std::make_unique<FileSink>() : std::make_unique<FileSink>(output.file);
    (output.kind->name == "json" ? write_salvage_json : write_salvage_text)(salvaged, *sink);
    return finish_output(*sink, output.file, kClean);
}

}  // namespace

ExitStatus run_salvage(const SalvageLine& line) {
    const auto input = regular_file(line.file);
    if (input && input == regular_file(line.new_file)) {
        complain(fmt::format("-o: {} is the input; salvage writes another file", shown_path(line.new_file)));
        return kUsage;
    }
    const std::unique_ptr<Source> file = open_input(line.file);
    if (!can_read_again(*file, line.file, "salvage")) return kUnreadable;
    SalvageOptions options;
    options.format = line.recognition.as;
    options.file_name = line.file;
    options.new_name = line.new_file;
    options.settings = line.settings;
    options.limits = line.limits;
    Salvage salvage(*file, options);
    const SalvageVerdict verdict = salvage.run();
    ExitStatus status = status_of(verdict);
    if (status == kClean)
        status = write_salvaged(salvage, *file, line);
    else
        complain(fmt::format("{}: cannot be salvaged: {}", shown_path(line.file), salvage.why()));
    if (status != status_of(verdict) || (status != kClean && line.output.kind->name == "text")) return status;
    return worse(status, write_report({line.file, line.new_file, verdict, salvage}, line.output));
}

}  // namespace tracelint
