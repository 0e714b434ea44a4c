// The dump or perf map of a recording, where perf and its users have it: beside the recording, at the path that the
// recording names, at /tmp/perf-PID.map. The paths in a recording are chosen by its author, so a file there is
// opened only if it is regular, no link, and of an owner that the user trusts with the recording; and nothing of it is
// shown unless it is the dump or map of that process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "validator/tool/inputs/source_chain.hpp"
#include "validator/tool/options/command_line.hpp"
#include "validator/tracelint.hpp"

namespace tracelint {

struct Partner {
    std::string path;
    std::unique_ptr<Facts> facts;
    std::unique_ptr<Outcome> outcome;
    KeptInput kept;  // its first bytes: findings are shown with these, and the path is not opened again
};
using Partners = std::vector<std::unique_ptr<Partner>>;

// Whether the path is a regular file that begins as a recording does.
bool is_recording_file(const std::string& path);

// Those of the recording at this path, checked. Their facts take memory from the budget.
Partners partners_of(const std::string& recording, const RecordingSummary& summary, const CheckLine& line,
                     Budget& budget);

// The files of the folder itself, not of those in it, that go by the names of recordings, dumps and perf maps; by their
// paths.
std::vector<std::string> files_named_like_pairs(const std::string& folder);

// By their names, which say what files of a folder may belong together before any is opened. Containers of compressed
// data go by the name of what is in them.
bool is_named_like_recording(std::string_view name);
bool is_named_like_code(std::string_view name);

}  // namespace tracelint
