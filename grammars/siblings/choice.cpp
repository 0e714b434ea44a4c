// Which recordings of a folder a dump or a perf map belongs to (section 4.6).
#include <algorithm>
#include <tuple>

#include "grammars/siblings/rules.hpp"

namespace tracelint::siblings {
namespace {

// The least and the greatest time in a dump, as it has them; none if least is above greatest.
struct Times {
    uint64_t least = kNone, greatest = 0;
};

Times times_of(const CodeDump& dump) {
    Times times;
    for (const CodeFunction& function : dump.functions) {
        if (function.time == 0) continue;
        times.least = std::min(times.least, function.time);
        times.greatest = std::max(times.greatest, function.time);
    }
    return times;
}

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

Fit fit_of(RecordingTables& recording, const GroupMember& code, const Times& times) {
    const CodeDump& dump = code.facts->dump;
    Fit fit;
    fit.is_mapped = recording.first_named(written_name_of(code.path)) != nullptr ||
                    recording.first_named("jit-" + std::to_string(dump.pid) + ".dump") != nullptr ||
                    !recording.images_of(dump.pid).empty() ||
                    (!dump.functions.empty() && !recording.images_of(dump.functions[0].pid).empty());
    fit.is_known = recording.facts.has_seen(dump.pid);
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
    return !recording->is_prepared() || !recording->has_all_mappings();
}

// Of several. Nothing if a limit was hit.
std::optional<std::vector<RecordingTables*>> choose(GroupCheck& check, const Recordings& recordings, size_t code,
                                                    uint64_t& work_left) {
    if (std::ranges::any_of(recordings, is_incomplete)) return std::nullopt;
    const GroupMember& member = check.members[code];
    if (member.facts->dump.is_present) {
        if (member.facts->dump.functions.is_cut()) return std::nullopt;
        const Times times = times_of(member.facts->dump);
        check.work.add(member.facts->dump.functions.size());
        // A recording before and after perf inject is of one run.
        return best_of(
            check, recordings, [&](RecordingTables& one) { return fit_of(one, member, times); },
            [](const Fit& fit) { return fit.is_mapped && fit.nearness == kNone; });
    }
    // The samples of the right process lie in ranges of the map.
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

}  // namespace

std::vector<RecordingTables*> recordings_of(GroupCheck& check, const Recordings& recordings, size_t code,
                                            uint64_t& work_left) {
    if (!check.is_mixed || recordings.size() < 2) {
        std::vector<RecordingTables*> all;
        for (const auto& one : recordings) all.push_back(one.get());
        return all;
    }
    if (auto chosen = choose(check, recordings, code, work_left)) return *std::move(chosen);
    report_limit(check, code, recordings[0]->member, check.members[code].facts->dump.magic,
                 "memory limit: which recording this file belongs to was not asked");
    return {};
}

}  // namespace tracelint::siblings
