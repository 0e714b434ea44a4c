// A run with a manifest: what it checks, and what its part says of it.
#pragma once

#include <optional>

#include "validator/tool/inputs/exclusions.hpp"
#include "validator/tool/inputs/inputs.hpp"
#include "validator/tool/json/sums.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tool/run/status.hpp"

namespace tracelint {

class ShardRun {
  public:
    // `line` must outlive it.
    explicit ShardRun(const CheckLine& line) : line_(line) {}

    // Reads the manifest. Reports one that cannot be read or is not a manifest.
    ExitStatus open(const Exclusions& exclusions);

    // The exit status that the shard's part demands, if an earlier run has finished it; that is reported. A part with
    // files that could not be read is not finished.
    std::optional<ExitStatus> finished() const;

    // The files to check. Call once.
    Inputs take_inputs() { return Inputs(std::move(entries_), line_.inputs.fetched); }

    void add(const Checked& checked) { part_.sums.add(checked); }
    const PartSummary& part() const { return part_; }

  private:
    const CheckLine& line_;
    std::vector<ManifestEntry> entries_;
    PartSummary part_;
};

}  // namespace tracelint
