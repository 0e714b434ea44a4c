// What `shrink` says of its work, as text and as JSON (shrink.schema.json), and what `report` writes for an issue
// tracker.
#pragma once

#include <string>

#include "validator/shrink/shrink.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

struct ShrunkFile {
    const std::string& path;    // of the file
    const std::string& output;  // of the new one
    const Rule& rule;
    ShrinkVerdict verdict;
    const Shrink& shrink;
    std::string_view stopped_by;  // what ended it early; empty if nothing did
};

void write_shrink_text(const ShrunkFile& file, Sink& sink);
void write_shrink_json(const ShrunkFile& file, Sink& sink);
// In markdown. The file was shrunk.
void write_issue(const ShrunkFile& file, Sink& sink);

}  // namespace tracelint
