// Recordings, code dumps and perf maps of one run: the grammar as the engine sees it.
#include <algorithm>
#include <memory>
#include <utility>

#include "grammars/groups.hpp"
#include "grammars/siblings/rules.hpp"
#include "validator/tracking_limit.hpp"

namespace tracelint {
namespace siblings {

constexpr Rule kTrackingLimit = tracking_limit("siblings/tracking-limit", "4.6 Limits of a run", true);

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
    BudgetedVector<uint32_t> pids(pair.check.budget);
    pair.check.work.add(sorting_of(pair.dump.functions.size()));
    if (!find_pids(pair.dump, pids)) return;
    pair.pairing.processes = pids.size();
    pair.pairing.pid = pids[0];
    for (const uint32_t pid : pids) pair.pairing.samples += pair.recording.samples_of(pair.pid_of(pid)).size();
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

using Recordings = std::vector<std::unique_ptr<RecordingTables>>;

// Whether a recording knows the process or the file of a dump or map.
bool knows(RecordingTables& recording, const GroupMember& code) {
    if (recording.first_named(base_name_of(code.path)) != nullptr) return true;
    const std::optional<uint32_t> of_map = pid_of_map(code);
    const uint32_t pid = of_map ? *of_map : code.facts->dump.pid;
    return recording.facts.has_seen(pid) || recording.first_named("jit-" + std::to_string(pid) + ".dump") != nullptr;
}

// The recordings that code belongs to: where nobody said so, those that know it, or the first one by its path.
std::vector<RecordingTables*> recordings_of(const GroupCheck& check, const Recordings& recordings, size_t code) {
    std::vector<RecordingTables*> all;
    for (const auto& one : recordings)
        if (!check.is_found || recordings.size() == 1 || knows(*one, check.members[code])) all.push_back(one.get());
    if (!all.empty() || recordings.empty()) return all;
    const auto path = [&](const auto& one) { return check.members[one->member].path; };
    return {std::ranges::min_element(recordings, {}, path)->get()};
}

bool is_incomplete(const std::unique_ptr<RecordingTables>& recording) {
    return !recording->is_prepared() || !recording->has_all_mappings();
}

void check_code_of(GroupCheck& check, RecordingTables& recording, size_t code, uint64_t& work_left) {
    const Facts& facts = *check.members[code].facts;
    if (!recording.is_prepared())
        report_limit(check, code, recording.member, facts.dump.magic,
                     "memory limit: no rule about these two was asked");
    else if (facts.dump.is_present)
        check_pair(check, recording, code, work_left);
    else
        check_map(check, recording, code, work_left);
}

// Dumps and maps of the same process.
void check_maps_and_dumps(GroupCheck& check) {
    std::vector<std::pair<uint32_t, size_t>> dumps;  // by the process in their headers
    for (size_t i = 0; i < check.members.size(); ++i)
        if (const CodeDump& dump = check.members[i].facts->dump; dump.is_present) dumps.emplace_back(dump.pid, i);
    std::ranges::sort(dumps);
    for (size_t map = 0; map < check.members.size(); ++map) {
        const std::optional<uint32_t> pid = pid_of_map(check.members[map]);
        if (!pid) continue;
        for (const auto& [of_dump, dump] :
             std::ranges::equal_range(dumps, *pid, {}, [](const auto& one) { return one.first; }))
            report_map_and_dump(check, map, dump);
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
    for (size_t code = 0; code < check.members.size(); ++code) {
        const Facts& facts = *check.members[code].facts;
        if (!facts.dump.is_present && !facts.map.is_present) continue;
        has_code = true;
        if (check.is_found && recordings.size() > 1 && std::ranges::any_of(recordings, is_incomplete)) {
            report_limit(check, code, recordings[0]->member, facts.dump.magic,
                         "memory limit: which recording this file belongs to was not asked");
            continue;
        }
        for (RecordingTables* recording : recordings_of(check, recordings, code))
            check_code_of(check, *recording, code, work_left);
    }
    for (const auto& recording : recordings)
        if (has_code && recording->is_prepared()) check_missing_dumps(check, *recording);
    check_maps_and_dumps(check);
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
