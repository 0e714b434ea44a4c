// The parts of the judgement, in the order in which they are asked (section 4).
#pragma once

#include <memory>
#include <vector>

#include "grammars/siblings/checks/tables.hpp"

namespace tracelint::siblings {

// The facts that the rules of each part need, including those that decide whether they are checked (section 4.8).
inline constexpr FactParts kClockNeeds = kKindPart | kEventsPart;
inline constexpr FactParts kMarkerNeeds = kClockNeeds | kMappingsPart;
inline constexpr FactParts kInjectedNeeds = kMarkerNeeds | kFunctionsPart;  // whether the dump is injected
inline constexpr FactParts kTimeNeeds = kInjectedNeeds | kProcessesPart | kLivesPart;
inline constexpr FactParts kCodeNeeds = kTimeNeeds | kSamplesPart;

// 4.1 Finds out whether the two can be joined at all.
void check_joining(Pair& pair);
// The numbers of all dumps of the group, by which recordings refer to them.
class GivenDumps {
  public:
    explicit GivenDumps(GroupCheck& check);
    // Whether all are known.
    bool is_complete() const { return is_complete_; }
    bool have(uint64_t number) const;
    size_t size() const { return markers_.size(); }

  private:
    BudgetedVector<uint64_t> markers_;  // sorted
    bool is_complete_ = false;
};
// 4.1 Dumps that the recording refers to and that are not in the group. `beside`: the member that the findings name.
void check_missing_dumps(GroupCheck& check, RecordingTables& recording, const GivenDumps& given, size_t beside);
// 4.2 Whether the times fit. Fills pair.loads.
void check_times(Pair& pair);
// 4.3 Whether the code fits.
void check_code(Pair& pair);
// 4.4 What perf inject added.
void check_images(Pair& pair);
// 4.5 A perf map with a recording.
void check_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left);
// 4.5 A perf map with a dump of the same process.
void report_map_and_dump(GroupCheck& check, size_t map, size_t dump);
// Samples in anonymous executable memory: in ranges of the map, and in none.
struct MapTally {
    uint64_t hits = 0, misses = 0;
    uint64_t not_consulted = 0;       // hits in memory for which perf does not look at maps
    const Mapping* memory = nullptr;  // the first mapping of it in the file that has some; null: none has
    uint64_t in_chains = 0;           // samples that are no hits, with a frame of their call chain in a range
};
// For a map that is named after a process. Empty if a limit was hit.
std::optional<MapTally> tally_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left);
// The process in the name of a perf map; empty if the member is not a map or is named differently.
std::optional<uint32_t> pid_of_map(const GroupMember& member);

// What to do about the pair, when all rules were asked; empty: nothing.
std::string next_step(const Pair& pair);
// A path as a shell takes it.
std::string shell_word(std::string_view path);

// The recordings of the group that a dump or map belongs to. Where files of several runs may be among them, by what
// they know of it.
using Recordings = std::vector<std::unique_ptr<RecordingTables>>;
struct Chosen {
    std::vector<RecordingTables*> recordings;
    bool is_unknown = false;  // a limit was hit: there may be others
};
// `dump`: of this member, unless it is a map. `most`: recordings.
Chosen recordings_of(GroupCheck& check, const Recordings& recordings, size_t code, const DumpTables& dump, size_t most,
                     uint64_t& work_left);

// The remark on a pair whose recording has samples that could not be read.
inline constexpr std::string_view kUnread = "compressed samples were not read";

extern const RuleList kJoiningRules;
extern const RuleList kTimeRules;
extern const RuleList kCodeRules;
extern const RuleList kMapsRules;
extern const RuleList kLimitRules;

}  // namespace tracelint::siblings
