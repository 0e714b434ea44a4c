// Reads the manifest of a run, and finds out whether the run was made before.
#include "validator/tool/run/shard_run.hpp"

#include <fmt/core.h>

#include "validator/tool/fleet/part.hpp"
#include "validator/tool/json/text.hpp"
#include "validator/tool/run/commands.hpp"

namespace tracelint {
namespace {

// What the findings of a finished part demand.
ExitStatus status_of(const Sums& sums, std::optional<Severity> fail_on) {
    ExitStatus status = sums.limited == 0 ? kClean : kInternal;
    for (const auto& [kind, sum] : sums.findings)
        if (fail_on && kind.severity >= *fail_on) status = worse(status, kFindings);
    return status;
}

}  // namespace

ExitStatus ShardRun::open(const Exclusions& exclusions) {
    const std::unique_ptr<Source> source = open_input(line_.inputs.manifest);
    Manifest manifest(line_.inputs.lists.null_separated ? '\0' : '\n', line_.inputs.shard);
    read_manifest(*source, manifest);
    const std::string failure = source->failure();
    if (!failure.empty() || !manifest.fault().empty()) {
        complain(fmt::format("--manifest: {}: {}", shown_path(line_.inputs.manifest),
                             failure.empty() ? manifest.fault() : failure));
        return failure.empty() ? kUsage : kUnreadable;
    }
    if (manifest.count() == 0) {
        complain(fmt::format("--manifest: {} lists no file", shown_path(line_.inputs.manifest)));
        return kUnreadable;
    }
    entries_ = std::move(manifest.entries());
    const size_t excluded = exclusions.empty() ? 0 : std::erase_if(entries_, [&](const ManifestEntry& entry) {
        return exclusions.covers(entry.path);
    });
    part_ = {manifest.hash(),
             manifest.count(),
             manifest.repeated() + excluded,
             line_.inputs.shard.count,
             {line_.inputs.shard.index},
             line_.finding_options,
             {}};
    if (manifest.repeated() != 0)
        complain(fmt::format("--manifest: {}: {} left out", shown_path(line_.inputs.manifest),
                             counted(manifest.repeated(), "repeated path")));
    return kClean;
}

std::optional<ExitStatus> ShardRun::finished() const {
    const bool has_one_part = line_.reporting.outputs.size() == 1 && line_.reporting.outputs[0].kind->name == "ndjson";
    if (line_.inputs.redo || !has_one_part || line_.reporting.outputs[0].file.empty()) return std::nullopt;
    const std::optional<PartEnd> end = end_of_part(line_.reporting.outputs[0].file);
    if (!end || end->unreadable != 0 || end->part.shards != part_.shards) return std::nullopt;
    if (!difference(*end, {part_, end->version, 0, 0}).empty()) return std::nullopt;
    complain(fmt::format("{} is finished: shard {} of {}, {}; --redo checks it again",
                         printable(line_.reporting.outputs[0].file), line_.inputs.shard.index, line_.inputs.shard.count,
                         counted(end->files, "file")));
    return status_of(end->part.sums, line_.reporting.fail_on);
}

}  // namespace tracelint
