// Times of a dump and of a recording, and what to do where two files say little together.
#include <algorithm>
#include <utility>

#include "grammars/siblings/checks/rules.hpp"

namespace tracelint::siblings {

// Whether the times of a dump fit those of a recording (section 4.2, and arch-timestamp-misplaced).

constexpr Rule kArchTimestampMisplaced{
    .id = "siblings/arch-timestamp-misplaced",
    .severity = Severity::error,
    .statement = "ARCH_TIMESTAMP is set only if the times come from a counter of the architecture",
    .message = "the dump has ARCH_TIMESTAMP set, but its times fit the recording only without conversion",
    .why =
        "readers convert times that are already nanoseconds: all functions end up outside the recording, and no reader "
        "reports it. The writer must clear the bit",
    .spec = "4.2 Times; 2.3 Clocks",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

constexpr Rule kNoCommonTime{
    .id = "siblings/no-common-time",
    .severity = Severity::error,
    .statement = "the first function of the dump is loaded before the recording ends",
    .message = "the first function is loaded {0} ns after the last event of the recording",
    .why =
        "perf inject succeeds, and all of this code stays [unknown]: the times come from another clock, such as the "
        "wall clock, or the files are from different runs. `tracelint dump` shows the times of the functions, and "
        "`perf script -F time` those of the recording; the runtime must use clock_gettime(CLOCK_MONOTONIC)",
    .spec = "4.2 Times",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

constexpr Rule kStaleDump{
    .id = "siblings/stale-dump",
    .severity = Severity::error,
    .statement = "functions are loaded after their process began",
    .message = "all {0 function|functions} of process {1} were loaded before the process began",
    .why =
        "the dump is left over from an earlier process with the same number: its names would be wrong. Delete old "
        "dumps, or name the one that the recording maps: `perf script --show-mmap-events | grep dump` has its path",
    .spec = "4.2 Times",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

constexpr Rule kLoadAfterExit{
    .id = "siblings/load-after-exit",
    .severity = Severity::warning,
    .statement = "functions are loaded before their process ends",
    .message = "{0 function was|functions were} loaded after process {1} had ended",
    .why = "the clock of the dump is not that of the recording, or the number of the process was used again",
    .spec = "4.2 Times",
    .since = "0.2.0",
    .needs = kTimeNeeds,
};

namespace {

struct Range {
    uint64_t least = kNone, greatest = 0;
    void add(uint64_t time) {
        least = std::min(least, time);
        greatest = std::max(greatest, time);
    }
    bool overlaps(const Recording& recording) const {
        return least <= recording.last_time && greatest >= recording.first_time;
    }
};

// arch-timestamp-misplaced.
bool is_misplaced(const Pair& pair) {
    if (!pair.dump.has_counter_times || !pair.recording.has_times() || pair.loads.empty()) return false;
    Range converted, raw;
    for (const Loaded& load : pair.loads) {
        converted.add(load.time);
        raw.add(pair.dump.functions[load.function].time);
    }
    return !converted.overlaps(pair.recording.facts) && raw.overlaps(pair.recording.facts);
}

// no-common-time.
bool is_after_recording(Pair& pair) {
    constexpr uint64_t kSlack = 1'000'000'000;  // ns
    if (pair.loads.empty() || !pair.recording.has_times()) return false;
    const uint64_t last = pair.recording.facts.last_time;
    const Loaded& earliest = *std::ranges::min_element(pair.loads, {}, &Loaded::time);
    if (earliest.time <= last || earliest.time - last <= kSlack) return false;
    const Loaded& first = *std::ranges::min_element(pair.loads, {}, &Loaded::function);
    const CodeFunction& function = pair.dump.functions[first.function];
    pair.check.add<kNoCommonTime>(pair.member, pair.recording.member, pair.place(function, pair.dump.function_time),
                                  {earliest.time - last});
    pair.advise(Step::take_monotonic);
    return true;
}

// What the dump and the recording say of one process.
struct OfProcess {
    std::span<const Loaded> loads;
    std::span<const LifeEvent> births, deaths;  // with known times; by time
};

template <class Action>
void for_each_process(Pair& pair, Action action) {
    const std::span<const Loaded> loads(pair.loads.begin(), pair.loads.end());
    for (size_t first = 0, next = 0; first < loads.size(); first = next) {
        while (next < loads.size() && loads[next].pid == loads[first].pid) ++next;
        const uint32_t pid = loads[first].pid;
        action(OfProcess{loads.subspan(first, next - first), pair.recording.births_of(pid),
                         pair.recording.deaths_of(pid)});
    }
}

// stale-dump.
bool is_stale(Pair& pair) {
    bool found = false;
    for_each_process(pair, [&](const OfProcess& process) {
        const auto birth = std::ranges::upper_bound(process.births, uint64_t{0}, {}, &LifeEvent::time);
        if (found || birth == process.births.end()) return;
        const auto is_older = [&](const Loaded& load) { return load.time < birth->time; };
        if (!std::ranges::all_of(process.loads, is_older)) return;
        const Loaded& first = *std::ranges::min_element(process.loads, {}, &Loaded::function);
        const CodeFunction& function = pair.dump.functions[first.function];
        pair.check.add<kStaleDump>(pair.member, pair.recording.member, pair.place(function, pair.dump.function_time),
                                   {process.loads.size(), first.pid});
        pair.advise(Step::delete_stale);
        found = true;
    });
    return found;
}

// load-after-exit.
void check_exits(Pair& pair) {
    uint64_t count = 0;
    const Loaded* first = nullptr;
    for_each_process(pair, [&](const OfProcess& process) {
        if (process.deaths.empty() || process.deaths.back().time == 0) return;
        const uint64_t death = process.deaths.back().time;
        const bool is_born_again = !process.births.empty() && process.births.back().time > death;
        for (const Loaded& load : process.loads) {
            if (load.time <= death || (is_born_again && load.time >= process.births.back().time)) continue;
            ++count;
            if (first == nullptr || load.function < first->function) first = &load;
        }
    });
    if (first == nullptr) return;
    const CodeFunction& function = pair.dump.functions[first->function];
    pair.check.add<kLoadAfterExit>(pair.member, pair.recording.member, pair.place(function, pair.dump.function_time),
                                   {count, first->pid});
}

}  // namespace

void check_times(Pair& pair) {
    if (!pair.is_clock_right || pair.is_done) return;
    if (!pair.can_check(kStaleDump) || !find_loads(pair)) {
        pair.loads.release();
        if (std::exchange(pair.is_done, true)) return;  // the work is spent
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            "memory limit: whether times, code and images fit was not checked");
    }
    if (is_misplaced(pair)) {
        pair.check.add<kArchTimestampMisplaced>(pair.member, pair.recording.member, pair.dump.flags);
        pair.is_clock_right = false;
        return pair.advise(Step::clear_flag);
    }
    if (is_after_recording(pair) || is_stale(pair)) {
        pair.is_done = true;
        pair.is_clock_right = false;
        return;
    }
    check_exits(pair);
}

constinit const RuleList kTimeRules = rules<&kArchTimestampMisplaced, &kNoCommonTime, &kStaleDump, &kLoadAfterExit>;

// What to do about a pair (section 4.7).

namespace {

bool is_plain(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           std::string_view("/._-+=:,@%").find(c) != std::string_view::npos;
}

bool is_packed(std::string_view path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

std::string unpacking(std::string_view path) { return is_packed(path) ? "unpack the recording and " : ""; }

// What perf inject must be given: the recording as it was before it was packed.
std::string recording_for_perf(std::string_view path) {
    if (path == "-") return "FILE";
    return shell_word(is_packed(path) ? path.substr(0, path.rfind('.')) : path);
}

// The name that the README has: perf.data becomes perf.jit.data.
std::string injected_name(std::string_view path) {
    if (path == "-") return "FILE.jit.data";
    if (is_packed(path)) path = path.substr(0, path.rfind('.'));
    if (path.ends_with(".data")) path.remove_suffix(5);
    return shell_word(std::string(path) + ".jit.data");
}

// perf opens the dump by its path in the recording.
std::string where_dump_is_read(const Pair& pair) {
    if (pair.marker == nullptr) return {};
    const std::string_view recorded = pair.recording.facts.path(*pair.marker);
    if (recorded.empty() || recorded == pair.check.members[pair.member].path) return {};
    return ", which reads the dump as " + shell_word(recorded);
}

// That is not seen coming where a runtime dumps very many.
std::string what_inject_writes(const Pair& pair) {
    constexpr uint64_t kMany = 50'000;
    const uint64_t functions = pair.dump.functions.size();
    return functions < kMany ? "" : "; it writes a file for each of the " + std::to_string(functions) + " functions";
}

std::string inject(const Pair& pair) {
    const std::string_view path = pair.check.members[pair.recording.member].path;
    return unpacking(path) + "run `perf inject -j -i " + recording_for_perf(path) + " -o " + injected_name(path) + '`' +
           where_dump_is_read(pair) + what_inject_writes(pair);
}

std::string inject_stream(const Pair& pair) {
    const std::string_view path = pair.check.members[pair.recording.member].path;
    return unpacking(path) + "run `perf inject -j < " + recording_for_perf(path) + " | perf report -i -`" +
           where_dump_is_read(pair);
}

}  // namespace

std::string shell_word(std::string_view path) {
    if (!path.empty() && std::ranges::all_of(path, is_plain)) return std::string(path);
    std::string quoted = "'";
    for (const char c : path) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string next_step(const Pair& pair) {
    switch (pair.step) {
        case Step::record_times: return "record again with `perf record -k mono` and without --no-timestamp";
        case Step::record_monotonic: return "record again with `perf record -k mono`";
        case Step::dump_monotonic:
            return "record again with `env -u JITDUMP_USE_ARCH_TIMESTAMP perf record -k mono COMMAND`";
        case Step::clear_flag: return "let the runtime clear ARCH_TIMESTAMP in the dump, and record again";
        case Step::map_dump:
            return "look for the dump in `perf script --show-mmap-events`, and start the runtime with `perf record -k "
                   "mono COMMAND`; it must map its dump with PROT_EXEC";
        case Step::name_dump: return "let the runtime name its dump jit-PID.dump, and record again";
        case Step::record_inside:
            return "run `perf record -k mono` in the container, where the process is " +
                   std::to_string(pair.named_pid.value_or(pair.dump.pid)) + ", or use samply";
        case Step::write_pids:
            return "let each process write a dump of its own, with the pid that `perf script -F pid,comm` shows";
        case Step::take_monotonic:
            return "let the runtime take its times from CLOCK_MONOTONIC, and record again with `perf record -k mono`";
        case Step::delete_stale: return "delete the dump, and record again";
        case Step::write_earlier:
            return "let the runtime take the CLOCK_MONOTONIC time of a function before its code runs, and record again";
        case Step::dump_again: return "use samply, or let the runtime dump the function again after the mapping";
        case Step::inject_original: return "run `perf inject -j` again, on the original recording with its own dump";
        case Step::record_plain: return "record again without -z, as perf inject does not read compressed records";
        case Step::is_injected: return "already injected: perf report shows the names";
        case Step::inject_stream: return inject_stream(pair);
        case Step::inject: return inject(pair);
        case Step::none: break;
    }
    return {};
}

}  // namespace tracelint::siblings
