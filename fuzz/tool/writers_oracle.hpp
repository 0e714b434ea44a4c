// The oracle for the writers: every output parses, whatever strings and bytes the file holds.
#pragma once

#include "fuzz/oracles.hpp"

namespace tracelint {

struct Checked;
struct WriterKind;
struct WriterOptions;

// Runs every writer on the file. `path` is the name shown for it, and may be any bytes.
Complaint writers(const Input& input, const std::string& path);
// The output of a writer is safe to show, parses and has every finding.
Complaint writes(const WriterKind& kind, const Checked& checked);
// With colour and for errors only, the writer need only return.
void write_in_colour(const WriterKind& kind, const Checked& checked);
// The output of a run of one file.
std::string written_by(const WriterKind& kind, const Checked& checked, const WriterOptions& options);

// Whether the text is UTF-8 without a character that is unprintable, the line feed at the end of a line aside. Holds
// for every output.
bool is_printable(std::string_view text);

// The outputs of two files that differ only in their paths differ. A report about a repository leaves out "./", and
// Markdown the start of a long path.
Complaint paths_differ(const WriterKind& kind, const std::string& one, const std::string& other);
// The same for a path and those that might be mistaken for it.
Complaint has_no_lookalike(const WriterKind& kind, const std::string& path);

}  // namespace tracelint
