// Fingerprints, by which services know a finding again in a later run.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "validator/report/report.hpp"

namespace tracelint {

// The fingerprints of one file's findings. Traces are recorded anew for each run, so offsets and indices of records say
// nothing: a fingerprint is made of path, rule, field and how many such findings came before. No two findings of a file
// have the same one.
class Fingerprints {
  public:
    explicit Fingerprints(std::string_view path);

    // Of the next finding in the order of the report.
    std::string of(const Diagnostic& diagnostic);
    // Of something that is said once about the file.
    std::string of(std::string_view name);

  private:
    std::string numbered(uint64_t hash);

    uint64_t path_;                               // its hash
    std::unordered_map<uint64_t, uint64_t> met_;  // findings by hash; a few for each rule
};

}  // namespace tracelint
