// The document of the json output. output.schema.json describes it.
#pragma once

#include <string>

#include "validator/tool/json/json_report.hpp"

namespace tracelint {

// Incremented by changes that break readers.
inline constexpr int kSchemaVersion = 1;

// The member `tool`.
JsonObject tool_object();

// Adds the members of `summary`.
void add_summary(JsonObject& object, const Summary& summary);

// {"schema_version": ..., "tool": ..., "files": [file, ...], "groups": [pairing, ...], "summary": ...}, each finding on
// a line of its own. It is written piece by piece: what is kept are the groups, a line for each pair.
class JsonDocument {
  public:
    JsonDocument(Sink& sink, const WriterOptions& options) : sink_(sink), options_(options) {}

    void begin();
    void file(const Checked& checked);
    void finish(const Summary& summary);

  private:
    Sink& sink_;
    WriterOptions options_;
    bool any_file_ = false;
    std::string groups_;
};

}  // namespace tracelint
