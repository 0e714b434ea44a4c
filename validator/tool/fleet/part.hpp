// Parts of a fleet's results: the ndjson of a run with a manifest, whose last line sums it up. output.schema.json
// describes them.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>

#include "validator/tool/fleet/part_json.hpp"
#include "validator/tool/json/sums.hpp"

namespace tracelint {

inline constexpr size_t kLongestLine = size_t{1} << 20;        // bytes of a finding or a file
inline constexpr size_t kLongestSummary = size_t{64} << 20;    // bytes of the last line
inline constexpr size_t kLargestFileLines = size_t{64} << 20;  // bytes of the lines of one file

// Throws PartFault for any other word.
Severity severity_named(std::string_view name);

// The last line of a part.
struct PartEnd {
    PartSummary part;
    std::string version;  // of tracelint
    uint64_t files = 0;
    uint64_t unreadable = 0;  // of the files
};

// Throws PartFault if the line sums up no finished part.
PartEnd parse_part_end(std::string_view line);

// Whether the two are made of the same manifest, by the same version and with the same options and number of shards;
// else what differs: "is from another manifest than". Empty if nothing does.
std::string difference(const PartEnd& a, const PartEnd& b);

// The last line of the file, if it is a part's. Nothing if there is no such file, or if it is something else.
std::optional<PartEnd> end_of_part(const std::string& path);

// Reads a part file by file. The file is open only while bytes are read, so that there may be any number of parts.
class PartReader {
  public:
    // Reads the last line. Throws PartFault, as the other functions do.
    explicit PartReader(std::string path);

    const std::string& path() const { return path_; }
    const PartEnd& end() const { return end_; }

    // The entry of the next file; nothing after the last one.
    std::optional<uint64_t> next_entry();
    // The lines of the next file; the last one is the file's own. Call after next_entry() has given its entry.
    std::string take_lines();

  private:
    std::string_view next_line(size_t most);

    std::string path_;
    struct stat opened_{};
    PartEnd end_;
    uint64_t summary_at_ = 0;  // offset of the last line
    uint64_t read_to_ = 0;     // offset of what is not in the buffer yet
    uint64_t entry_ = 0;       // of the file before
    std::string buffer_;
    size_t used_ = 0;  // bytes of the buffer
};

}  // namespace tracelint
