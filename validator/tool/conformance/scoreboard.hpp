// What a reader did with the files of a corpus, and how that is reported.
#pragma once

#include "validator/tool/conformance/corpus.hpp"
#include "validator/tool/conformance/reader_runs.hpp"
#include "validator/tool/json/sink.hpp"

namespace tracelint {

// Whether a reader that must do `duty` may not have ended so.
bool is_wrong(ReaderDuty duty, RunEnd end);

struct Scoreboard {
    std::string command;
    std::string corpus;  // its folder; empty: the program's own
    Sandbox sandbox;     // in which it ran
    const std::vector<ConformanceEntry>& entries;
    const std::vector<ReaderRun>& runs;  // of the entries; fewer if a signal ended it

    bool has_wrong() const;
};

// A table by format and duty, then a line for each file that the reader gets wrong.
void write_scoreboard_text(const Scoreboard& board, Sink& sink);
// scoreboard.schema.json describes it.
void write_scoreboard_json(const Scoreboard& board, Sink& sink);
// A suite for each format, a test for each file.
void write_scoreboard_junit(const Scoreboard& board, Sink& sink);

}  // namespace tracelint
