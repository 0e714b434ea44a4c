// Whether files can be joined, and which of several recordings a dump or a perf map belongs to.
#include <algorithm>
#include <tuple>
#include <utility>

#include "grammars/siblings/checks/rules.hpp"

namespace tracelint::siblings {

// Which recordings a dump or a perf map belongs to, where files of several runs may be among them (section 4.6).

namespace {

uint64_t converted(uint64_t time, const CodeDump& dump, const Recording& recording) {
    if (!dump.has_counter_times || !is_usable(recording.conversion)) return time;
    CodeFunction function;
    function.time = time;
    return time_of(function, &*recording.conversion);
}

// How a dump stands to a recording. The greatest is the best.
struct Fit {
    bool is_mapped = false;  // there, or what perf inject made of it
    bool is_known = false;   // its process is
    bool is_begun = false;   // before the recording ended
    uint64_t nearness = 0;   // of the times: kNone less the time between the two

    auto operator<=>(const Fit&) const = default;
};

// `written`, `by_pid`: the names that its marker may have.
Fit fit_of(RecordingTables& recording, const DumpTables& tables, std::string_view written, std::string_view by_pid) {
    const CodeDump& dump = tables.facts;
    Fit fit;
    fit.is_mapped = recording.first_named(written) != nullptr || recording.first_named(by_pid) != nullptr ||
                    recording.images_of(dump.pid) != nullptr ||
                    (!dump.functions.empty() && recording.images_of(dump.functions[0].pid) != nullptr);
    fit.is_known = recording.facts.has_seen(dump.pid);
    const DumpTables::Times& times = tables.times();
    if (times.least > times.greatest || !recording.has_times()) return fit;
    const uint64_t least = converted(times.least, dump, recording.facts);
    const uint64_t greatest = converted(times.greatest, dump, recording.facts);
    const uint64_t first = recording.facts.first_time, last = recording.facts.last_time;
    fit.is_begun = least <= last;
    fit.nearness = kNone - (least > last ? least - last : greatest < first ? first - greatest : 0);
    return fit;
}

// The best of the recordings, and all that are as good if `may_be_many`. Else the first by its path.
template <class FitOf>
std::vector<RecordingTables*> best_of(const GroupCheck& check, const Recordings& recordings, FitOf fit_of,
                                      bool (*may_be_many)(const std::invoke_result_t<FitOf, RecordingTables&>&)) {
    using Found = std::invoke_result_t<FitOf, RecordingTables&>;
    std::vector<RecordingTables*> best;
    std::optional<Found> greatest;
    for (const auto& one : recordings) {
        const Found fit = fit_of(*one);
        if (greatest && fit < *greatest) continue;
        if (!greatest || *greatest < fit) best.clear();
        greatest = fit;
        best.push_back(one.get());
    }
    const auto path = [&](const RecordingTables* one) { return check.members[one->member].path; };
    if (best.size() > 1 && !may_be_many(*greatest)) best = {*std::ranges::min_element(best, {}, path)};
    return best;
}

bool is_incomplete(const std::unique_ptr<RecordingTables>& recording) {
    constexpr FactParts kNeeds = kMarkerNeeds | kProcessesPart;
    return !recording->is_prepared() || (recording->facts_of_file.missing() & kNeeds) != 0;
}

// Chooses among several recordings. Empty if a limit was hit.
std::optional<std::vector<RecordingTables*>> choose(GroupCheck& check, const Recordings& recordings, size_t code,
                                                    const DumpTables& dump, uint64_t& work_left) {
    if (check.is_incomplete()) return std::nullopt;
    constexpr uint64_t kWorkOfFit = 4;
    const uint64_t work = kWorkOfFit * recordings.size();
    if (work > work_left) return std::nullopt;
    work_left -= work;
    check.work.add(work);
    if (std::ranges::any_of(recordings, is_incomplete)) return std::nullopt;
    const GroupMember& member = check.members[code];
    if (member.facts->dump.is_present) {
        if (member.facts->dump.functions.is_cut()) return std::nullopt;
        const std::string_view written = written_name_of(member.path);
        const std::string by_pid = "jit-" + std::to_string(member.facts->dump.pid) + ".dump";
        // A recording before and after perf inject is of one run.
        return best_of(
            check, recordings, [&](RecordingTables& one) { return fit_of(one, dump, written, by_pid); },
            [](const Fit& fit) { return fit.is_mapped && fit.nearness == kNone; });
    }
    // The samples of the right process are in ranges of the map.
    using MapFit = std::tuple<bool, uint64_t, uint64_t>;  // whether the process is known; hits; kNone less misses
    const std::optional<uint32_t> pid = pid_of_map(member);
    bool is_limited = false;
    const auto fit_of_map = [&](RecordingTables& one) -> MapFit {
        if (!pid || !one.facts.has_seen(*pid)) return {false, 0, 0};
        const std::optional<MapTally> tally = tally_map(check, one, code, work_left);
        is_limited |= !tally;
        return tally ? MapFit{true, tally->hits, kNone - tally->misses} : MapFit{true, 0, 0};
    };
    std::vector<RecordingTables*> best = best_of(check, recordings, fit_of_map, [](const MapFit&) { return false; });
    if (is_limited) return std::nullopt;
    return best;
}

// The first by their paths.
void keep_first(const GroupCheck& check, std::vector<RecordingTables*>& recordings, size_t most) {
    const auto path = [&](const RecordingTables* one) { return check.members[one->member].path; };
    const auto end = recordings.begin() + static_cast<ptrdiff_t>(most);
    std::ranges::nth_element(recordings, end, {}, path);
    recordings.erase(end, recordings.end());
}

}  // namespace

Chosen recordings_of(GroupCheck& check, const Recordings& recordings, size_t code, const DumpTables& dump, size_t most,
                     uint64_t& work_left) {
    Chosen all;
    if (recordings.empty()) return {.recordings = {}, .is_unknown = check.is_incomplete()};
    const bool is_one = recordings.size() == 1 && !check.is_incomplete();
    if (!check.is_mixed || is_one) {
        for (const auto& one : recordings) all.recordings.push_back(one.get());
        return all;
    }
    const Place& place = check.members[code].facts->dump.magic;
    auto chosen = choose(check, recordings, code, dump, work_left);
    if (!chosen) {
        report_limit(check, code, recordings[0]->member, place,
                     "a limit was reached: the recording of this file was not looked for");
        return {.recordings = {}, .is_unknown = true};
    }
    all.recordings = *std::move(chosen);
    if (all.recordings.size() > most) {
        keep_first(check, all.recordings, most);
        report_limit(check, code, all.recordings[0]->member, place,
                     "too many recordings fit this file: it is compared only with the first of them");
    }
    return all;
}

// Whether a dump and a recording can be joined at all (section 4.1).

constexpr Rule kClockNotMonotonic{
    .id = "siblings/clock-not-monotonic",
    .severity = Severity::error,
    .statement = "every event is recorded on CLOCK_MONOTONIC, the clock of the dump",
    .message = "event {0} is not recorded on CLOCK_MONOTONIC, the clock of the dump; {1} of {2} are not",
    .why =
        "perf inject refuses this pair, and samples cannot be compared with functions: record again with `perf "
        "record -k mono`",
    .spec = "4.1 Joining; 2.3 Clocks",
    .since = "0.2.0",
    .needs = kClockNeeds,
};

constexpr Rule kArchTimestampWithoutTimeConv{
    .id = "siblings/arch-timestamp-without-time-conv",
    .severity = Severity::error,
    .statement = "a dump with ARCH_TIMESTAMP comes with a recording that has a usable TIME_CONV record",
    .message =
        "the dump has ARCH_TIMESTAMP set, but the recording cannot convert such times: it has no usable "
        "TIME_CONV record",
    .why =
        "perf inject refuses this pair. Let the runtime use CLOCK_MONOTONIC (unset JITDUMP_USE_ARCH_TIMESTAMP) and "
        "record with `perf record -k mono`; virtual machines have no TIME_CONV",
    .spec = "4.1 Joining; 2.3 Clocks",
    .since = "0.2.0",
    .needs = kClockNeeds,
};

constexpr Rule kNoTimeInRecords{
    .id = "siblings/no-time-in-records",
    .severity = Severity::warning,
    .statement = "samples and mappings of every event have process ids and times",
    .message = "event {0} is recorded without process ids or times in all its records",
    .why =
        "samply cannot read such samples, and perf processes the records in file order instead of time order. Record "
        "again with `perf record -k mono` and without --no-timestamp",
    .spec = "4.1 Joining",
    .since = "0.2.0",
    .needs = kClockNeeds,
};

constexpr Rule kNoMarkerMmap{
    .id = "siblings/no-marker-mmap",
    .severity = Severity::error,
    .statement = "the recording has the mapping of the dump, by which perf inject finds it",
    .message = "the recording has no mapping of this dump, neither under its own name nor as jit-{0}.dump",
    .why =
        "perf inject succeeds without a message and adds nothing: all of this code stays [unknown]. The runtime did "
        "not map its dump, or not with PROT_EXEC; or perf was attached after that; or the dump is from another run. "
        "`perf script --show-mmap-events | grep dump` shows what is mapped; `perf record -k mono COMMAND` starts "
        "before the mapping",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kInjectedNeeds | kUnreadPart,
};

constexpr Rule kMarkerName{
    .id = "siblings/marker-name",
    .severity = Severity::error,
    .statement = "the mapped dump is named jit-<digits>.dump",
    .message = "the dump is mapped under a name that is not jit-<digits>.dump",
    .why =
        "perf inject does not recognise the dump and silently adds nothing; samply recognises names of the form "
        "jit-...dump. `samply import perf.data` shows the names; perf needs another name from the runtime",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kMarkerNeeds,
};

constexpr Rule kMarkerPid{
    .id = "siblings/marker-pid",
    .severity = Severity::error,
    .statement = "the number in the name of the mapped dump is the process id",
    .message = "process {0} maps jit-{1}.dump, which is named after another process id",
    .why =
        "the process ran in a pid namespace (a container). Once it has ended, perf inject ignores the dump and "
        "silently adds nothing: run `perf record -k mono` inside the container, or use samply",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kMarkerNeeds,
};

constexpr Rule kMarkerNotExecutable{
    .id = "siblings/marker-not-executable",
    .severity = Severity::warning,
    .statement = "the dump is mapped with PROT_EXEC",
    .message = "the dump is mapped without PROT_EXEC",
    .why =
        "the kernel reports such mappings only if data mappings are also recorded (`-d`, `--call-graph dwarf`): other "
        "recordings of this runtime have no mapping of the dump, and perf inject finds nothing",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kMarkerNeeds,
};

constexpr Rule kPidUnknown{
    .id = "siblings/pid-unknown",
    .severity = Severity::error,
    .statement = "the process of each function occurs in the recording",
    .message = "process {0} does not occur in the recording; it has {1 function|functions} in the dump",
    .why =
        "its functions are assigned to a process without samples, so the code stays [unknown]. The pid is that of a "
        "namespace, or a forked child still writes its parent's pid, or the file is from another run. `perf script -F "
        "pid,comm | sort | uniq -c` lists the processes of the recording",
    .spec = "4.1 Joining",
    .since = "0.2.0",
    .needs = kInjectedNeeds | kProcessesPart | kUnreadPart,
};

constexpr Rule kInjectNotDone{
    .id = "siblings/inject-not-done",
    .severity = Severity::note,
    .statement = "perf inject --jit has added the functions of the dump to the recording",
    .message = "the functions of the dump are not in the recording yet",
    .why =
        "perf report shows [unknown] for this code until you run `perf inject -j -i perf.data -o perf.jit.data`; "
        "samply needs no such step",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kInjectedNeeds,
};

constexpr Rule kDumpNotGiven{
    .id = "siblings/dump-not-given",
    .severity = Severity::note,
    .statement = "the dumps that the recording refers to are among the files",
    .message = "the recording refers to jit-{0}.dump, which is not among the files",
    .why =
        "perf inject ends with status 255 and no message if the dump is no longer at its recorded path; name the dump "
        "on the command line to check it",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kKindPart | kMappingsPart,
};

constexpr Rule kCompressedNotInjected{
    .id = "siblings/compressed-not-injected",
    .severity = Severity::warning,
    .statement = "a recording for perf inject --jit is not compressed",
    .message = "the recording is compressed",
    .why =
        "perf inject 6.1 copies compressed records without reading them: it succeeds without a message and adds "
        "nothing. Record again without -z, or use samply",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kMarkerNeeds,
};

constexpr Rule kPipeNotInjected{
    .id = "siblings/pipe-not-injected",
    .severity = Severity::note,
    .statement = "a recording for perf inject --jit is a file, not the stream of a pipe",
    .message = "the recording is the stream of a pipe",
    .why =
        "perf inject can only read it on standard input: `perf inject -j < FILE | perf report -i -`. With -i it "
        "succeeds and writes a file that no reader can read",
    .spec = "4.1 Joining; 2.1 perf inject --jit",
    .since = "0.2.0",
    .needs = kInjectedNeeds,
};

constexpr Rule kHeaderPid{
    .id = "siblings/header-pid",
    .severity = Severity::warning,
    .statement = "the pid in the dump's header is that of its functions",
    .message = "the header has process {0}, but none of the {1 function|functions} belongs to it",
    .why = "perf ignores it; samply uses it, and so do the names of dumps",
    .spec = "4.1 Joining",
    .since = "0.2.0",
    .needs = kInjectedNeeds,
};

namespace {

// clock-not-monotonic, arch-timestamp-without-time-conv.
void check_clock(Pair& pair) {
    if (pair.dump.has_counter_times) {
        if (is_usable(pair.recording.facts.conversion)) return;
        pair.is_clock_right = false;
        if (pair.check.add<kArchTimestampWithoutTimeConv>(pair.member, pair.recording.member, pair.dump.flags))
            pair.advise(Step::dump_monotonic);
        return;
    }
    const auto& events = pair.recording.facts.events;
    const RecordingTables::Clocks& clocks = pair.recording.clocks();
    if (clocks.others == 0) return;
    pair.is_clock_right = false;
    const SampledEvent& first = events[clocks.first_other];
    if (pair.check.add<kClockNotMonotonic>(
            pair.recording.member, pair.member, first.uses_clock_id ? first.clock_id_place : first.flags,
            {clocks.first_other + 1, clocks.others, events.size()}, related_to(pair.dump.flags)))
        pair.advise(Step::record_monotonic);
}

// no-time-in-records.
void check_records_have_times(Pair& pair) {
    const uint64_t first = pair.recording.clocks().first_untimed;
    if (first == kNone) return;
    const SampledEvent& event = pair.recording.facts.events[first];
    pair.is_done = true;
    if (pair.check.add<kNoTimeInRecords>(pair.recording.member, pair.member,
                                         event.has_time && event.has_thread ? event.flags : event.sample_type,
                                         {first + 1}))
        pair.advise(Step::record_times);
}

// The mapping of the dump, and whether its functions were injected (section 3).
void find_marker(Pair& pair) {
    const std::string_view name = written_name_of(pair.check.members[pair.member].path);
    const std::string by_pid = "jit-" + std::to_string(pair.dump.pid) + ".dump";
    pair.marker = pair.recording.first_named(name);
    if (pair.marker == nullptr) pair.marker = pair.recording.first_named(by_pid);
    pair.is_injected = images_of(pair.recording, pair.tables).count != 0;
}

// marker-name, marker-pid, marker-not-executable, inject-not-done.
void check_marker(Pair& pair) {
    const Mapping& marker = *pair.marker;
    const size_t recording = pair.recording.member;
    const Place place = place_of(marker.at, marker.record);
    const std::optional<uint64_t> number = marker_number(pair.recording.facts.base_name(marker));
    if (!number) {
        if (pair.check.add<kMarkerName>(recording, pair.member, place)) pair.advise(Step::name_dump);
        return;
    }
    if (marker.pid != 0 && *number != marker.pid) {
        const Place pid = place_of(marker.at, marker.record, pair.recording.facts.pid_of_mapping);
        pair.check.add<kMarkerPid>(recording, pair.member, pid, {marker.pid, *number}, related_to(pair.dump.pid_place));
        pair.advise(Step::record_inside);
        if (*number <= ~uint32_t{0}) pair.named_pid = static_cast<uint32_t>(*number);
    }
    if (marker.has_protection && !is_executable(marker))
        pair.check.add<kMarkerNotExecutable>(recording, pair.member, place);
    if (!pair.is_injected && pair.check.add<kInjectNotDone>(recording, pair.member, place)) pair.advise(Step::inject);
}

// pid-unknown: once for each process.
void check_pids(Pair& pair) {
    const uint64_t processes = pair.tables.processes().size();
    if (!pair.can_check(kPidUnknown) || !pair.afford(processes * (2 + levels_of(processes)))) return;
    struct Unknown {
        uint32_t pid;
        uint64_t function, count;
    };
    BudgetedVector<Unknown> unknown(pair.check.budget);
    for (const DumpTables::Process& process : pair.tables.processes()) {
        const uint32_t pid = pair.pid_of(process.pid);
        if (process.count == 0 || pair.recording.facts.has_seen(pid)) continue;
        if (unknown.push_back({pid, process.first, process.count})) continue;
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: siblings/pid-unknown was not checked");
    }
    if (unknown.empty()) return;
    pair.advise(Step::write_pids);
    std::sort(unknown.begin(), unknown.end(), [](const Unknown& a, const Unknown& b) {
        return a.pid != b.pid ? a.pid < b.pid : a.function < b.function;
    });
    for (size_t i = 0; i < unknown.size(); ++i) {
        const CodeFunction& function = pair.dump.functions[unknown[i].function];
        uint64_t count = unknown[i].count;
        for (; i + 1 < unknown.size() && unknown[i + 1].pid == unknown[i].pid; ++i) count += unknown[i + 1].count;
        pair.check.add<kPidUnknown>(pair.member, pair.recording.member, pair.place(function, pair.dump.function_pid),
                                    {function.pid, count});
    }
}

// compressed-not-injected, pipe-not-injected.
void check_kind_of_recording(Pair& pair) {
    const Recording& recording = pair.recording.facts;
    if (recording.compressed &&
        pair.check.add<kCompressedNotInjected>(pair.recording.member, pair.member, *recording.compressed))
        pair.advise(Step::record_plain);
    if (recording.stream && !pair.is_injected &&
        pair.check.add<kPipeNotInjected>(pair.recording.member, pair.member, *recording.stream))
        pair.advise(Step::inject_stream);
}

// header-pid.
void check_header_pid(Pair& pair) {
    const uint64_t functions = pair.dump.functions.size();
    const uint32_t pid = pair.pid_of(pair.dump.pid);
    const auto has = [&](uint32_t of_function) {
        return pair.pid_of(of_function) == pid && pair.tables.process(of_function) != nullptr;
    };
    if (functions != 0 && !has(pid) && !has(pair.named_pid.value_or(pid)))
        pair.check.add<kHeaderPid>(pair.member, pair.recording.member, pair.dump.pid_place, {pair.dump.pid, functions});
}

}  // namespace

void check_joining(Pair& pair) {
    check_clock(pair);
    check_records_have_times(pair);
    find_marker(pair);
    if (pair.is_done) return;
    if (!pair.recording.has_all_mappings()) {
        pair.is_done = true;  // the marker decides what the rest is asked of
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: of these two, only the clocks were compared");
    }
    if (pair.marker == nullptr && !pair.is_injected && !pair.recording.is_unread()) {
        pair.is_done = true;
        if (pair.check.add<kNoMarkerMmap>(
                pair.member, pair.recording.member, pair.dump.pid_place, {pair.dump.pid}, {},
                pair.recording.facts.lost
                    ? "or the kernel dropped the record: the recording says that records were lost"
                    : ""))
            pair.advise(Step::map_dump);
        return;
    }
    if (pair.marker != nullptr) check_marker(pair);
    check_pids(pair);
    check_kind_of_recording(pair);
    check_header_pid(pair);
}

// Dumps are known by the numbers in their names, and renamed ones by the pid in their header.
GivenDumps::GivenDumps(GroupCheck& check) : markers_(check.budget) {
    for (const GroupMember& member : check.members) {
        if (!member.facts->dump.is_present) continue;
        const std::optional<uint64_t> in_name = marker_number(written_name_of(member.path));
        if (!markers_.push_back(member.facts->dump.pid) || (in_name && !markers_.push_back(*in_name))) return;
    }
    check.work.add(sorting_of(markers_.size()));
    std::sort(markers_.begin(), markers_.end());
    is_complete_ = !check.is_incomplete();
}

bool GivenDumps::have(uint64_t number) const { return std::binary_search(markers_.begin(), markers_.end(), number); }

// dump-not-given: once for each name.
void check_missing_dumps(GroupCheck& check, RecordingTables& recording, const GivenDumps& given, size_t beside) {
    if (!given.is_complete() || !check.can_check(kDumpNotGiven, recording.member, beside)) {
        if (!check.limit_hit)
            report_limit(check, recording.member, beside, Place{},
                         "memory limit: siblings/dump-not-given was not checked");
        return;
    }
    check.work.add(recording.by_name().size() * (1 + levels_of(given.size())));
    std::string_view before;
    for (const uint64_t number : recording.by_name()) {
        const Mapping& mapping = recording.mapping(number);
        const std::string_view name = recording.facts.base_name(mapping);
        const std::optional<uint64_t> digits = marker_number(name);
        if (!digits || name == std::exchange(before, name) || given.have(*digits)) continue;
        check.add<kDumpNotGiven>(recording.member, beside, place_of(mapping.at, mapping.record), {*digits});
    }
}

constinit const RuleList kJoiningRules =
    rules<&kClockNotMonotonic, &kArchTimestampWithoutTimeConv, &kNoTimeInRecords, &kNoMarkerMmap, &kMarkerName,
          &kMarkerPid, &kMarkerNotExecutable, &kPidUnknown, &kInjectNotDone, &kDumpNotGiven, &kCompressedNotInjected,
          &kPipeNotInjected, &kHeaderPid>;

}  // namespace tracelint::siblings
