// Which recordings a dump or a perf map belongs to, where files of several runs may be among them (section 4.6).
#include <algorithm>
#include <tuple>

#include "grammars/siblings/rules.hpp"

namespace tracelint::siblings {
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

// Of several. Nothing if a limit was hit.
std::optional<std::vector<RecordingTables*>> choose(GroupCheck& check, const Recordings& recordings, size_t code,
                                                    const DumpTables& dump, uint64_t& work_left) {
    if (check.is_incomplete() || std::ranges::any_of(recordings, is_incomplete)) return std::nullopt;
    constexpr uint64_t kWorkOfFit = 4;
    const uint64_t work = kWorkOfFit * recordings.size();
    if (work > work_left) return std::nullopt;
    work_left -= work;
    check.work.add(work);
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
                     "a limit: which recording this file belongs to was not asked");
        return {.recordings = {}, .is_unknown = true};
    }
    all.recordings = *std::move(chosen);
    if (all.recordings.size() > most) {
        keep_first(check, all.recordings, most);
        report_limit(check, code, all.recordings[0]->member, place,
                     "too many recordings fit this file: it is compared with the first of them only");
    }
    return all;
}

}  // namespace tracelint::siblings
