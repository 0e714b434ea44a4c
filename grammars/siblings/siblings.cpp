// Recordings, code dumps and perf maps of one run: the grammar as the engine sees it.
//
// This grammar reads no bytes. The walks over the files of a group record facts (validator/facts.hpp): the mappings,
// samples and processes of a recording, the functions of a dump, the ranges of a map. judge() compares them when all
// files of the group have been walked.
//
// Each dump or map is first joined with the recordings that fit it: by the mapping of its name, by process, by times
// (checks/joining.cpp). Then each pair is checked: times (checks/times.cpp), code and images (checks/code.cpp), maps
// (checks/maps.cpp). The checks sweep over sorted copies of the facts (checks/tables.hpp), in n log n. All pairs share
// one amount of work, which grows with the facts, because many files make many more pairs. A rule whose facts are
// incomplete is not checked, so a limit never adds a finding.
#include <algorithm>
#include <memory>
#include <utility>

#include "grammars/groups.hpp"
#include "grammars/siblings/checks/rules.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint {
namespace siblings {

constexpr Rule kTrackingLimit = tracking_limit("siblings/tracking-limit", "4.8 Limits of a run", true, "0.2.0");

void report_limit(GroupCheck& check, size_t code, size_t recording, const Place& place, std::string_view hint) {
    check.limit_hit = true;
    check.add<kTrackingLimit>(code, recording, place, {check.memory}, {}, hint);
}

void keep(GroupCheck& check, size_t code, size_t recording, Pairing pairing) {
    if (!check.keep(code, std::move(pairing)))
        report_limit(check, code, recording, check.members[code].facts->dump.magic,
                     "memory limit: the numbers of this pair are not listed");
}

constinit const RuleList kLimitRules = rules<&kTrackingLimit>;

namespace {

// The samples of the dump's processes. Goes through those that are fewer, its processes or those with samples.
uint64_t count_samples(const Pair& pair) {
    const RecordingTables& recording = pair.recording;
    uint64_t count = 0;
    if (pair.tables.processes().size() < recording.sampled_processes()) {
        for (const DumpTables::Process& process : pair.tables.processes())
            count += recording.samples_of(pair.pid_of(process.pid)).size();
        return count;
    }
    for (auto samples = recording.first_samples(); !samples.empty();
         samples = recording.samples_above(samples.front().pid)) {
        const uint32_t pid = samples.front().pid;
        const auto has = [&](uint32_t of_functions) {
            return pair.pid_of(of_functions) == pid && pair.tables.process(of_functions) != nullptr;
        };
        if (has(pid)) count += samples.size();
        if (pair.named_pid && pair.named_pid != pid && has(*pair.named_pid)) count += samples.size();
    }
    return count;
}

// The functions, processes and samples of a dump, for the line that always comes.
void count(Pair& pair) {
    pair.pairing.recording = pair.check.members[pair.recording.member].path;
    pair.pairing.functions = pair.dump.functions.size();
    pair.pairing.is_least = pair.dump.functions.is_cut() || pair.recording.facts.samples.is_cut();
    if (pair.recording.facts.events.empty())
        pair.pairing.remark = "the recording has no event, so nothing was compared";
    if (pair.recording.is_unread()) pair.pairing.remark = kUnread;
    pair.pairing.next_step = next_step(pair);
    pair.pairing.processes = pair.tables.processes().size();
    pair.pairing.pid = pair.pid_of(pair.tables.processes()[0].pid);
    pair.pairing.samples = count_samples(pair);
    for (const DumpTables::Process& process : pair.tables.processes())
        pair.pairing.forked += pair.recording.forked_from(pair.pid_of(process.pid));
}

Pairing not_compared(std::string_view recording, std::string_view why) {
    Pairing pairing{.recording = recording};
    pairing.is_compared = false;
    pairing.remark = why;
    return pairing;
}

bool is_limited(const GroupCheck& check, size_t member) {
    return (check.members[member].facts->missing() & kLimitedParts) != 0;
}

// What every pair takes, whatever is asked of it: a few searches, for the processes of the dump or those of the
// recording, whichever are fewer.
uint64_t least_work(const RecordingTables& recording, const DumpTables& dump) {
    const uint64_t processes = dump.processes().size();
    return 4 + 2 * std::min<uint64_t>(processes, recording.imaged().size()) +
           std::min(processes, recording.sampled_processes());
}

// Without work for the least, nothing is said of a pair but that.
void check_pair(GroupCheck& check, RecordingTables& recording, DumpTables& dump, uint64_t& work_left) {
    Pair pair(check, recording, dump, work_left);
    const bool was_hit = std::exchange(check.limit_hit, false);
    if (!pair.afford(least_work(recording, dump)))
        return keep(check, pair.member, recording.member,
                    not_compared(check.members[recording.member].path, "too many files"));
    if (!recording.facts.events.empty()) {
        check_joining(pair);
        check_times(pair);
        check_code(pair);
        check_images(pair);
    }
    // A rule that needs all of a table may have been passed over.
    if (!check.limit_hit && (is_limited(check, recording.member) || is_limited(check, pair.member)))
        report_limit(check, pair.member, recording.member, pair.dump.magic,
                     "memory limit: some facts about the files were dropped, so not every rule was checked");
    check.limit_hit |= was_hit;
    count(pair);
    keep(check, pair.member, recording.member, std::move(pair.pairing));
}

// Pairs of many files may go through the same facts again and again. This is the work that all pairs may take, in the
// units of the work counter. A single pair takes a part of what its facts allow for.
constexpr uint64_t kFreeWork = 1 << 16;
constexpr uint64_t kWorkOfFile = 2048;
constexpr uint64_t kWorkOfMapping = 256, kWorkOfFunction = 256, kWorkOfSample = 96, kWorkOfRange = 24;

uint64_t work_of(const GroupMember& member) {
    const Facts& facts = *member.facts;
    return kWorkOfFile + kWorkOfMapping * facts.recording.mappings.size() +
           kWorkOfSample * facts.recording.samples.size() + kWorkOfFunction * facts.dump.functions.size() +
           kWorkOfRange * facts.map.ranges.size();
}

void check_code_of(GroupCheck& check, RecordingTables& recording, DumpTables& dump, uint64_t& work_left) {
    const size_t code = dump.member;
    if (!recording.is_prepared() || !dump.is_prepared()) {
        report_limit(check, code, recording.member, dump.facts.magic,
                     "memory limit: no rule was checked for these two");
        keep(check, code, recording.member, not_compared(check.members[recording.member].path, "memory limit"));
    } else if (dump.facts.is_present) {
        check_pair(check, recording, dump, work_left);
    } else {
        check_map(check, recording, code, work_left);
    }
}

bool is_code(const GroupMember& member) { return member.facts->dump.is_present || member.facts->map.is_present; }

// Dumps and maps of the same process: of one recording, if there is any. `chosen`: by member.
void check_maps_and_dumps(GroupCheck& check, const std::vector<Chosen>& chosen, uint64_t& work_left) {
    std::vector<std::pair<uint32_t, size_t>> dumps;  // by the process in their headers
    for (size_t i = 0; i < check.members.size(); ++i)
        if (const CodeDump& dump = check.members[i].facts->dump; dump.is_present) dumps.emplace_back(dump.pid, i);
    std::ranges::sort(dumps);
    const auto are_of_one = [&](const Chosen& map, const Chosen& dump) {
        return !check.is_mixed || map.recordings.empty() || dump.recordings.empty() ||
               std::ranges::find_first_of(map.recordings, dump.recordings) != map.recordings.end();
    };
    for (size_t map = 0; map < check.members.size(); ++map) {
        const std::optional<uint32_t> pid = pid_of_map(check.members[map]);
        if (!pid) continue;
        for (const auto& [of_dump, dump] :
             std::ranges::equal_range(dumps, *pid, {}, [](const auto& one) { return one.first; })) {
            const uint64_t compared = chosen[map].recordings.size() * chosen[dump].recordings.size();
            const uint64_t work = 1 + (check.is_mixed ? compared : 0);
            if (work > work_left)
                return report_limit(check, map, dump, Place{}, "too many files: siblings/map-and-dump was not checked");
            work_left -= work;
            check.work.add(work);
            const bool is_unknown = chosen[map].is_unknown || chosen[dump].is_unknown;
            if (!is_unknown && are_of_one(chosen[map], chosen[dump])) report_map_and_dump(check, map, dump);
        }
    }
}

// Says of each file that was joined with no other why not. Of files in one folder only if a recording is unreadable:
// their names may mean something else.
void explain_the_rest(GroupCheck& check, const std::vector<Chosen>& chosen) {
    std::vector<bool> is_joined(check.members.size());
    const auto may_be_code = [](const Facts& facts) { return facts.dump.is_dump || facts.map.is_present; };
    std::string_view unreadable;  // the path of a recording
    bool has_recording = false, has_code = false;
    for (const GroupMember& member : check.members) {
        const Recording& recording = member.facts->recording;
        has_recording |= recording.is_present;
        has_code |= may_be_code(*member.facts);
        if (recording.is_recording && !recording.is_present && (unreadable.empty() || member.path < unreadable))
            unreadable = member.path;
    }
    for (size_t code = 0; code < chosen.size(); ++code) {
        if (!chosen[code].recordings.empty()) is_joined[code] = true;
        for (const RecordingTables* recording : chosen[code].recordings) is_joined[recording->member] = true;
    }
    for (size_t i = 0; i < check.members.size(); ++i) {
        const Facts& facts = *check.members[i].facts;
        // What is said of the code names the unreadable recording.
        const bool is_named = has_code && !has_recording && check.members[i].path == unreadable;
        if (is_joined[i] || is_named) continue;
        const auto say = [&](std::string_view recording, std::string_view why) {
            keep(check, i, i, not_compared(recording, why));
        };
        if (facts.dump.is_dump && !facts.dump.is_present && has_recording)
            say({}, "the header of the dump cannot be read");
        else if (may_be_code(facts) && !has_recording && !unreadable.empty())
            say(unreadable, "the header of the recording cannot be read");
        else if (check.is_found)
            continue;
        else if (check.is_incomplete())
            say({}, "memory limit");
        else if (may_be_code(facts))
            say({}, has_recording ? "memory limit" : "none of the files is a recording (perf.data)");
        else if (facts.recording.is_recording && !has_code)
            say({}, "none of the files is a jitdump or a perf map");
        else if (facts.recording.is_recording)
            say({}, facts.recording.is_present ? "no other file belongs to it" : "its header cannot be read");
        else
            say({}, "it is not a recording (perf.data), jitdump or perf map");
    }
}

// More pairs than these are not compared: what is said of each would be more than the files.
constexpr uint64_t kMostPairs = 4096;
constexpr uint64_t kMostPairsOfFile = 16;

class Judge {
  public:
    explicit Judge(GroupCheck& check) : check_(check), chosen_(check.members.size()) {}

    void run() {
        look_at_members();
        if (codes_ != 0) compare();
        check_maps_and_dumps(check_, chosen_, work_left_);
        explain_the_rest(check_, chosen_);
    }

  private:
    void look_at_members() {
        for (size_t i = 0; i < check_.members.size(); ++i) {
            const GroupMember& member = check_.members[i];
            work_left_ += work_of(member);
            if (member.facts->recording.is_present) recordings_.push_back(std::make_unique<RecordingTables>(check_, i));
            if (!is_code(member)) continue;
            // No finding may depend on the order in which files are given.
            if (codes_ == 0 || member.path < check_.members[first_code_].path) first_code_ = i;
            ++codes_;
        }
        for (const auto& recording : recordings_) recording->prepare();
    }

    void compare() {
        choose_if_many();
        const auto most = static_cast<size_t>(std::max(kMostPairsOfFile, kMostPairs / codes_));
        for (size_t code = 0; code < check_.members.size(); ++code) {
            if (!is_code(check_.members[code])) continue;
            DumpTables dump(check_, code);
            dump.prepare();
            chosen_[code] = recordings_of(check_, recordings_, code, dump, most, work_left_);
            for (RecordingTables* recording : chosen_[code].recordings)
                check_code_of(check_, *recording, dump, work_left_);
        }
        const GivenDumps given(check_);
        for (const auto& recording : recordings_)
            if (recording->is_prepared()) check_missing_dumps(check_, *recording, given, first_code_);
    }

    // Very many files are compared only with those that they belong to, even though the user named all of them.
    void choose_if_many() {
        const uint64_t all = check_.members.size();
        if (check_.is_mixed || codes_ * recordings_.size() <= std::max(kMostPairs, kMostPairsOfFile * all)) return;
        check_.is_mixed = true;
        const auto path = [&](const auto& one) { return check_.members[one->member].path; };
        report_limit(check_, first_code_, (*std::ranges::min_element(recordings_, {}, path))->member,
                     check_.members[first_code_].facts->dump.magic,
                     "too many files: each dump and map is compared only with the recording that fits it best");
    }

    GroupCheck& check_;
    uint64_t work_left_ = kFreeWork;
    Recordings recordings_;
    uint64_t codes_ = 0;          // dumps and maps
    size_t first_code_ = 0;       // by its path
    std::vector<Chosen> chosen_;  // by member
};

void judge(GroupCheck& check) { Judge(check).run(); }

constexpr const RuleList* kRules[] = {&kJoiningRules, &kTimeRules, &kCodeRules, &kMapsRules, &kLimitRules};

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
