// Makes findings of what a part says of a file, so that all writers can report them.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "validator/tool/fleet/part_json.hpp"
#include "validator/tool/inputs/manifest.hpp"
#include "validator/tool/writers/writer.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

// What findings refer to that no table has.
struct RebuiltTexts {
    std::deque<std::string> texts;
    std::deque<Field> fields;  // whose names are whole paths
    SeverityChoices severities;
};

struct RebuiltFile {
    ManifestEntry entry;
    std::string path;
    std::shared_ptr<RebuiltTexts> texts;
    std::unique_ptr<Outcome> outcome;
};

// The numbers, and the {text}, of a message. False: the pattern does not give this sentence.
bool read_message(std::string_view pattern, std::string_view sentence, std::array<uint64_t, 4>& numbers,
                  std::string_view& text);

class Rebuilder {
  public:
    Rebuilder();
    // `lines`: of one file, the file's own last. Throws PartFault if tracelint would not write them.
    RebuiltFile file(std::string_view lines) const;

  private:
    using Severities = std::map<const Rule*, std::map<Severity, uint64_t>>;

    const Rule& rule(std::string_view id) const;
    Severities severities_of(const PartJson& file) const;
    void add_finding(RebuiltFile& file, std::string_view line) const;

    std::map<std::string_view, const Rule*> rules_;
};

// Takes memory by rules, not by files.
std::unique_ptr<Writer> make_overview_writer(Sink& sink, const WriterOptions& options);

}  // namespace tracelint
