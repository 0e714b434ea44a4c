// Recordings, code dumps and perf maps of one run: the grammar as the engine sees it.
#include <algorithm>
#include <memory>
#include <utility>

#include "grammars/groups.hpp"
#include "grammars/siblings/rules.hpp"
#include "validator/tracking_limit.hpp"

namespace tracelint {
namespace siblings {

constexpr Rule kTrackingLimit = tracking_limit("siblings/tracking-limit", "4.8 Limits of a run", true, "0.2.0");

void report_limit(GroupCheck& check, size_t code, size_t recording, const Place& place, std::string_view hint) {
    check.limit_hit = true;
    check.add<kTrackingLimit>(code, recording, place, {check.memory}, {}, hint);
}

namespace {

constexpr const Rule* kLimitTable[] = {&kTrackingLimit};

}  // namespace
constinit const RuleList kLimitRules{kLimitTable};

namespace {

// The functions, processes and samples of a dump, for the line that always comes.
void count(Pair& pair) {
    pair.pairing.recording = pair.check.members[pair.recording.member].path;
    pair.pairing.functions = pair.dump.functions.size();
    pair.pairing.is_least = pair.dump.functions.is_cut() || pair.recording.facts.samples.is_cut();
    if (pair.recording.facts.events.empty())
        pair.pairing.remark = "the recording has no event, and nothing was compared";
    if (pair.recording.is_unread()) pair.pairing.remark = kUnread;
    pair.pairing.next_step = next_step(pair);
    BudgetedVector<uint32_t> pids(pair.check.budget);
    pair.check.work.add(sorting_of(pair.dump.functions.size()));
    if (!find_pids(pair.dump, pids)) return;
    pair.pairing.processes = pids.size();
    pair.pairing.pid = pair.pid_of(pids[0]);
    for (const uint32_t pid : pids) pair.pairing.samples += pair.recording.samples_of(pair.pid_of(pid)).size();
}

Pairing not_compared(std::string_view recording, std::string_view why) {
    Pairing pairing{.recording = recording};
    pairing.is_compared = false;
    pairing.remark = why;
    return pairing;
}

bool is_cut(const Recording& recording, const CodeDump& dump) {
    return recording.is_cut() || recording.events.is_cut() || recording.mappings.is_cut() ||
           recording.births.is_cut() || recording.deaths.is_cut() || recording.samples.is_cut() ||
           dump.functions.is_cut();
}

void check_pair(GroupCheck& check, RecordingTables& recording, size_t dump, uint64_t& work_left) {
    Pair pair(check, recording, dump);
    const bool was_hit = std::exchange(check.limit_hit, false);
    const uint64_t work = pair.dump.functions.size() + 1;
    if (work > work_left) {
        report_limit(check, dump, recording.member, pair.dump.magic,
                     "too many files: no rule about these two was asked");
    } else if (!recording.facts.events.empty()) {
        work_left -= work;
        check_joining(pair);
        check_times(pair);
        check_code(pair, work_left);
        check_images(pair);
    }
    // A rule that needs all of a table may have been passed over.
    if (!check.limit_hit && is_cut(recording.facts, pair.dump))
        report_limit(check, dump, recording.member, pair.dump.magic,
                     "memory limit: not all that the files say of each other was kept, and not every rule was asked");
    check.limit_hit |= was_hit;
    count(pair);
    check.pairings.push_back({dump, pair.pairing});
}

// Pairs of many files may go through the same samples again and again. They may do so this often.
constexpr uint64_t kRounds = 64;
constexpr uint64_t kFreeWork = 1 << 20;

uint64_t facts_in(const GroupMember& member) {
    const Facts& facts = *member.facts;
    return facts.recording.mappings.size() + facts.recording.samples.size() + facts.dump.functions.size() +
           facts.map.ranges.size();
}

void check_code_of(GroupCheck& check, RecordingTables& recording, size_t code, uint64_t& work_left) {
    const Facts& facts = *check.members[code].facts;
    if (!recording.is_prepared()) {
        report_limit(check, code, recording.member, facts.dump.magic,
                     "memory limit: no rule about these two was asked");
        check.pairings.push_back({code, not_compared(check.members[recording.member].path, "memory limit")});
    } else if (facts.dump.is_present) {
        check_pair(check, recording, code, work_left);
    } else {
        check_map(check, recording, code, work_left);
    }
}

// The recordings that each member belongs to, if it is a dump or a map.
using Chosen = std::vector<std::vector<RecordingTables*>>;

// Dumps and maps of the same process: of one recording, if there is any.
void check_maps_and_dumps(GroupCheck& check, const Chosen& chosen) {
    std::vector<std::pair<uint32_t, size_t>> dumps;  // by the process in their headers
    for (size_t i = 0; i < check.members.size(); ++i)
        if (const CodeDump& dump = check.members[i].facts->dump; dump.is_present) dumps.emplace_back(dump.pid, i);
    std::ranges::sort(dumps);
    for (size_t map = 0; map < check.members.size(); ++map) {
        const std::optional<uint32_t> pid = pid_of_map(check.members[map]);
        if (!pid) continue;
        for (const auto& [of_dump, dump] :
             std::ranges::equal_range(dumps, *pid, {}, [](const auto& one) { return one.first; }))
            if (chosen[map].empty() || chosen[dump].empty() ||
                std::ranges::find_first_of(chosen[map], chosen[dump]) != chosen[map].end())
                report_map_and_dump(check, map, dump);
    }
}

// Says of each file that was joined with no other why not. Of files in one folder only if a recording is unreadable:
// their names may mean something else.
void explain_the_rest(GroupCheck& check, const Chosen& chosen) {
    std::vector<bool> is_joined(check.members.size());
    const auto is_code = [](const Facts& facts) { return facts.dump.is_dump || facts.map.is_present; };
    std::string_view unreadable;  // the path of a recording
    bool has_recording = false, has_code = false;
    for (const GroupMember& member : check.members) {
        const Recording& recording = member.facts->recording;
        has_recording |= recording.is_present;
        has_code |= is_code(*member.facts);
        if (recording.is_recording && !recording.is_present && (unreadable.empty() || member.path < unreadable))
            unreadable = member.path;
    }
    for (size_t code = 0; code < chosen.size(); ++code) {
        if (!chosen[code].empty()) is_joined[code] = true;
        for (const RecordingTables* recording : chosen[code]) is_joined[recording->member] = true;
    }
    for (size_t i = 0; i < check.members.size(); ++i) {
        const Facts& facts = *check.members[i].facts;
        // What is said of the code names the unreadable recording.
        const bool is_named = has_code && !has_recording && check.members[i].path == unreadable;
        if (is_joined[i] || is_named) continue;
        const auto say = [&](std::string_view recording, std::string_view why) {
            check.pairings.push_back({i, not_compared(recording, why)});
        };
        if (facts.dump.is_dump && !facts.dump.is_present && has_recording)
            say({}, "the header of the dump cannot be read");
        else if (is_code(facts) && !has_recording && !unreadable.empty())
            say(unreadable, "the header of the recording cannot be read");
        else if (check.is_found)
            continue;
        else if (is_code(facts))
            say({}, has_recording ? "memory limit" : "none of the files is a recording (perf.data)");
        else if (facts.recording.is_recording && !has_code)
            say({}, "none of the files is a jitdump or a perf map");
        else if (facts.recording.is_recording)
            say({}, facts.recording.is_present ? "no file could be joined with it" : "its header cannot be read");
        else
            say({}, "it is no recording (perf.data), jitdump or perf map");
    }
}

void judge(GroupCheck& check) {
    uint64_t work_left = kFreeWork;
    Recordings recordings;
    for (size_t i = 0; i < check.members.size(); ++i) {
        work_left += kRounds * facts_in(check.members[i]);
        if (check.members[i].facts->recording.is_present)
            recordings.push_back(std::make_unique<RecordingTables>(check, i));
    }
    for (const auto& recording : recordings) recording->prepare();
    bool has_code = false;
    Chosen chosen(check.members.size());
    for (size_t code = 0; code < check.members.size(); ++code) {
        const Facts& facts = *check.members[code].facts;
        if (!facts.dump.is_present && !facts.map.is_present) continue;
        has_code = true;
        chosen[code] = recordings_of(check, recordings, code, work_left);
        for (RecordingTables* recording : chosen[code]) check_code_of(check, *recording, code, work_left);
    }
    for (const auto& recording : recordings)
        if (has_code && recording->is_prepared()) check_missing_dumps(check, *recording);
    check_maps_and_dumps(check, chosen);
    explain_the_rest(check, chosen);
}

constexpr const RuleList* kRules[] = {&kJoiningRules, &kTimeRules, &kCodeRules, &kImageRules, &kMapRules, &kLimitRules};

constexpr Grammar kGrammar{
    .id = "siblings",
    .title = "perf.data, jitdumps and perf maps of one run",
    .spec = "what perf inject --jit and samply do with them (Linux tools/perf, 6.1; samply, August 2026)",
    .records = {},
    .rules = kRules,
    .machines = {},
    .options = {},
};

}  // namespace
}  // namespace siblings

constinit const GroupGrammar kSiblings{&siblings::kGrammar, siblings::judge};

}  // namespace tracelint
