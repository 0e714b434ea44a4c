// A perf map with a recording, and with a dump (section 4.5).
#include <algorithm>
#include <utility>

#include "grammars/siblings/rules.hpp"
#include "grammars/siblings/sweep.hpp"

namespace tracelint::siblings {

constexpr Rule kMapPidUnknown{
    .id = "siblings/map-pid-unknown",
    .severity = Severity::warning,
    .statement = "the process in the name of a perf map occurs in the recording",
    .message = "process {0}, after which the map is named, does not occur in the recording",
    .why =
        "perf and samply look for the map of each recorded process by its number: nobody opens this one. The number "
        "is that of a pid namespace (a container), or the map is another run's",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart | kProcessesPart | kUnreadPart,
};

constexpr Rule kMapResolvesNothing{
    .id = "siblings/map-resolves-nothing",
    .severity = Severity::warning,
    .statement = "samples in anonymous executable memory lie in ranges of the perf map",
    .message = "{0} of {1 sample|samples} of process {2} in anonymous executable memory lie in no range of the map",
    .why = "they stay [unknown]: the map is from before an exec or of an earlier process, or its writer started late",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart | kMappingsPart | kProcessesPart | kSamplesPart | kRangesPart,
};

constexpr Rule kMapAndDump{
    .id = "siblings/map-and-dump",
    .severity = Severity::note,
    .statement = "a process writes a dump or a perf map",
    .message = "process {0} wrote a perf map, too",
    .why = "perf report takes names from the map before perf inject, and from the dump's images after it",
    .spec = "4.5 Perf maps",
    .since = "0.2.0",
    .needs = kKindPart,
};

namespace {

constexpr Place kWholeMap{};

MapTally tally_of(const RecordingTables& recording, uint32_t pid, const FactTable<CodeRange>& by_start,
                  WorkCounter& work) {
    MapTally tally;
    AnonymousMemory anonymous(recording, pid, work);
    size_t next = 0;
    uint64_t last = 0;
    for (const Sample& sample : recording.samples_of(pid)) {
        for (; next < by_start.size() && by_start[next].start <= sample.address; ++next)
            last = std::max(last, by_start[next].last);
        if (!anonymous.covers(sample.address)) continue;
        ++(next != 0 && last >= sample.address ? tally.hits : tally.misses);
    }
    return tally;
}

}  // namespace

std::optional<uint32_t> pid_of_map(const GroupMember& member) {
    const std::optional<uint64_t> number = number_in(written_name_of(member.path), "perf-", ".map");
    if (!member.facts->map.is_present || !number || *number >= ~uint32_t{0}) return std::nullopt;
    return static_cast<uint32_t>(*number);
}

std::optional<MapTally> tally_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left) {
    FactTable<CodeRange>& ranges = check.members[map].facts->map.ranges;
    const uint32_t pid = pid_of_map(check.members[map]).value();
    const uint64_t work = ranges.size() + recording.samples_of(pid).size() + recording.mappings_of(pid).size();
    if (!check.can_ask(kMapResolvesNothing, map, recording.member) || work > work_left) return std::nullopt;
    work_left -= work;
    check.work.add(work);
    if (!std::ranges::is_sorted(ranges, {}, &CodeRange::start)) {
        check.work.add(sorting_of(ranges.size()));
        std::ranges::sort(ranges, {}, &CodeRange::start);
    }
    return tally_of(recording, pid, ranges, check.work);
}

namespace {

// Where perf looks for the map, and what to do about it.
std::string next_step(std::string_view recording, uint32_t pid) {
    return "keep the map as /tmp/perf-" + std::to_string(pid) + ".map, where `perf report -i " + shell_word(recording) +
           "` reads it";
}

}  // namespace

void check_map(GroupCheck& check, RecordingTables& recording, size_t map, uint64_t& work_left) {
    const SymbolMap& symbols = check.members[map].facts->map;
    const std::optional<uint32_t> named = pid_of_map(check.members[map]);
    Pairing pairing{.recording = check.members[recording.member].path, .functions = symbols.ranges.size()};
    pairing.is_least = symbols.ranges.is_cut();
    if (!named) {
        pairing.remark = "nobody knows of which process: the map is not named perf-PID.map";
        pairing.next_step = "name it after the process, as in perf-1234.map";
    } else {
        const uint32_t pid = *named;
        pairing.processes = 1;
        pairing.pid = pid;
        pairing.samples = recording.samples_of(pid).size();
        pairing.is_least |= recording.facts.samples.is_cut();
        if (recording.is_unread()) pairing.remark = kUnread;
        const bool is_unknown =
            !recording.facts.has_seen(pid) && check.add<kMapPidUnknown>(map, recording.member, kWholeMap, {pid});
        const std::optional<MapTally> tally = tally_map(check, recording, map, work_left);
        const bool is_miss = tally && tally->misses >= 20 && tally->misses > tally->hits;
        if (!tally) {
            report_limit(check, map, recording.member, kWholeMap, "siblings/map-resolves-nothing was not asked");
        } else {
            pairing.in_functions = tally->hits;
            if (is_miss)
                check.add<kMapResolvesNothing>(map, recording.member, kWholeMap,
                                               {tally->misses, tally->hits + tally->misses, pid});
        }
        pairing.next_step = is_unknown ? "name the map after the process as the recording has it: `perf script -F "
                                         "pid,comm` lists them"
                            : is_miss  ? "record again, and keep the map that this run writes"
                                       : next_step(pairing.recording, pid);
    }
    keep(check, map, recording.member, std::move(pairing));
}

void report_map_and_dump(GroupCheck& check, size_t map, size_t dump) {
    const CodeDump& facts = check.members[dump].facts->dump;
    check.add<kMapAndDump>(dump, map, facts.pid_place, {facts.pid}, {0, 0});
}

namespace {}  // namespace
constinit const RuleList kMapRules = rules<&kMapPidUnknown, &kMapResolvesNothing, &kMapAndDump>;

}  // namespace tracelint::siblings
