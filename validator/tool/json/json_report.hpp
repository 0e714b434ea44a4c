// What the JSON outputs consist of: files, findings and rules. The command's outputs and the bindings share it.
#pragma once

#include "validator/tool/json/checked.hpp"
#include "validator/tool/json/json_text.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

// Adds the members of a file, except its diagnostics.
void add_file(JsonObject& object, const Checked& checked, const WriterOptions& options);

// Adds the members of one finding. `entry`: of the baseline, which it is known by; null: it is new.
void add_finding(JsonObject& object, const Diagnostic& diagnostic, const BaselineEntry* entry = nullptr);

// An element of `files` in the document: the file with its diagnostics, each on a line of its own.
void write_file_json(Sink& sink, const Checked& checked, const WriterOptions& options);

// Adds the members of an element of `groups`: what two files say together.
void add_pairing(JsonObject& object, const Checked& checked, const Pairing& pairing);

// The line of ndjson for a finding, if it is shown.
void write_finding_line(Sink& sink, const Checked& checked, const Diagnostic& diagnostic, const WriterOptions& options);
// The lines of ndjson for a file: its findings, unless they are live, then the file.
void write_file_lines(Sink& sink, const Checked& checked, const WriterOptions& options);

// An element of `rules` in the catalogue.
JsonObject rule_object(const Rule& rule);

}  // namespace tracelint
