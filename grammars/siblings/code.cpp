// Whether the code of a dump is where the samples of a recording are (section 4.3).
#include "grammars/siblings/covered.hpp"
#include "grammars/siblings/rules.hpp"

namespace tracelint::siblings {

constexpr Rule kLoadsLate{
    .id = "siblings/loads-late",
    .severity = Severity::error,
    .statement = "functions are stamped before their code runs",
    .message =
        "{0 sample lies|samples lie} in functions that are loaded later, and only {1} in functions that are "
        "loaded at the time",
    .why =
        "perf and samply show [unknown] for them: the writer stamps functions after their code has run, or with "
        "another clock. It must call clock_gettime(CLOCK_MONOTONIC) before the code can run; `tracelint dump` shows "
        "the times, and `perf script -F time,ip` those of the samples",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

constexpr Rule kSamplesBeforeLoad{
    .id = "siblings/samples-before-load",
    .severity = Severity::warning,
    .statement = "no function is sampled before it is loaded",
    .message =
        "{0 sample lies|samples lie} in functions that are loaded later; {1} in functions that are loaded at "
        "the time",
    .why = "perf and samply show [unknown] for them: the code ran before the writer took the time",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

constexpr Rule kSamplesInNoCode{
    .id = "siblings/samples-in-no-code",
    .severity = Severity::warning,
    .statement = "samples in anonymous executable memory lie in functions of the dump",
    .message = "{0} of {1 sample|samples} lie in anonymous executable memory, but in no function of the dump",
    .why =
        "they stay [unknown]: functions are missing in the dump, because the writer stopped, had not yet written "
        "its buffer, or does not dump all code. `tracelint DUMP` says whether its end is missing; end the process "
        "before perf (`perf record -k mono COMMAND` does), and ask the runtime for all code",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

constexpr Rule kNoSamplesInCode{
    .id = "siblings/no-samples-in-code",
    .severity = Severity::note,
    .statement = "samples lie in functions of the dump",
    .message = "no sample lies in a function of the dump; its processes have {0 sample|samples} in user mode",
    .why = "the dump adds nothing to this recording",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds | kUnreadPart,
};

constexpr Rule kCodeCoveredByLaterMmap{
    .id = "siblings/code-covered-by-later-mmap",
    .severity = Severity::error,
    .statement = "nothing else is mapped over code that still runs",
    .message = "the mapping covers a function of the dump that is sampled later; {0 such mapping|such mappings}",
    .why =
        "perf gives the samples to the later mapping and shows [unknown] or names of another file. The runtime "
        "should dump the function again after the mapping; samply is not affected",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

constexpr Rule kCodeCoveredByAnonymousMmap{
    .id = "siblings/code-covered-by-anonymous-mmap",
    .severity = Severity::note,
    .statement = "no anonymous memory is mapped over code that still runs",
    .message =
        "the anonymous mapping covers a function of the dump that is sampled later; {0 such mapping|such "
        "mappings}",
    .why =
        "perf inject before Linux 5.9 lost the function; later ones leave such mappings out. Runtimes that change "
        "the protection of code after they wrote it cause them all the time",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

namespace {

// How the samples of a pair lie.
struct Tally {
    uint64_t all = 0, held = 0, early = 0, nowhere = 0;
    const Sample* first_early = nullptr;
    const Loaded* loaded_later = nullptr;  // where the first early one lies
    const Sample* first_nowhere = nullptr;
    Covered covered;
};

bool is_before(const Sample& sample, const Sample* first) { return first == nullptr || sample.number < first->number; }

// Adds the samples of one process. False: the budget does not allow for it.
bool tally_process(const Pair& pair, std::span<const Loaded> loads, Tally& tally) {
    const uint32_t pid = loads.front().pid;
    const std::span<const Sample> samples = pair.recording.samples_of(pid);
    WorkCounter& work = pair.check.work;
    CoveringLoads covering(pair.check.budget, work, loads);
    AnonymousMemory anonymous(pair.recording, pid, work);
    work.add(loads.size() + samples.size());
    if (!covering.prepare()) return false;
    for (const Sample& sample : samples) {
        ++tally.all;
        const Loaded* load = covering.earliest_at(sample.address);
        const bool is_anonymous = anonymous.covers(sample.address);
        if (load != nullptr && load->time <= sample.time) {
            ++tally.held;
        } else if (load != nullptr) {
            ++tally.early;
            if (!is_before(sample, tally.first_early)) continue;
            tally.first_early = &sample;
            tally.loaded_later = load;
        } else if (is_anonymous) {
            ++tally.nowhere;
            if (is_before(sample, tally.first_nowhere)) tally.first_nowhere = &sample;
        }
    }
    return find_covered(pair, loads, samples, tally.covered);
}

enum class Tallied : uint8_t { done, no_memory, too_much_work };

// Adds the samples of all processes.
Tallied tally_all(const Pair& pair, Tally& tally) {
    const std::span<const Loaded> loads(pair.loads.begin(), pair.loads.end());
    for (size_t first = 0, next = 0; first < loads.size(); first = next) {
        while (next < loads.size() && loads[next].pid == loads[first].pid) ++next;
        const uint32_t pid = loads[first].pid;
        const uint64_t functions = next - first, samples = pair.recording.samples_of(pid).size();
        const uint64_t mappings = pair.recording.mappings_of(pid).size();
        // They are sorted, and searched for in turn.
        const uint64_t work = functions * (4 + 6 * levels_of(functions)) + 3 * samples +
                              mappings * (3 + levels_of(mappings) + levels_of(functions));
        if (work > pair.work_left) return Tallied::too_much_work;
        pair.work_left -= work;
        if (!tally_process(pair, loads.subspan(first, next - first), tally)) return Tallied::no_memory;
    }
    return Tallied::done;
}

constexpr std::string_view kNoMemory =
    "memory limit: whether the code fits the samples (4.3) was not asked; the other rules were";
constexpr std::string_view kTooMuchWork =
    "too many files name the same process: whether the code fits the samples (4.3) was not asked; the other rules "
    "were";

// loads-late, samples-before-load.
void report_early(Pair& pair, const Tally& tally) {
    if (tally.early == 0) return;
    const Place place = pair.recording.facts.place_of_sample(*tally.first_early);
    const RelatedPlace related = pair.related(pair.dump.functions[tally.loaded_later->function]);
    const size_t in = pair.recording.member;
    if (tally.early < 5 || tally.early <= tally.held)
        pair.check.add<kSamplesBeforeLoad>(in, pair.member, place, {tally.early, tally.held}, related);
    else if (pair.check.add<kLoadsLate>(in, pair.member, place, {tally.early, tally.held}, related))
        pair.advise(Step::write_earlier);
}

// samples-in-no-code.
void report_nowhere(const Pair& pair, const Tally& tally) {
    if (tally.nowhere < 20 || 4 * tally.nowhere <= tally.all) return;
    pair.check.add<kSamplesInNoCode>(pair.recording.member, pair.member,
                                     pair.recording.facts.place_of_sample(*tally.first_nowhere),
                                     {tally.nowhere, tally.all});
}

// code-covered-by-later-mmap, code-covered-by-anonymous-mmap.
template <const Rule& R>
void report_covered(const Pair& pair, const Covered::OfKind& kind) {
    if (kind.count == 0) return;
    pair.check.add<R>(pair.recording.member, pair.member, place_of(kind.first->at, kind.first->record), {kind.count},
                      pair.related(pair.dump.functions[kind.function->function]));
}

}  // namespace

void check_code(Pair& pair) {
    if (!pair.is_clock_right || pair.is_done) return;
    Tally tally;
    const Tallied tallied = pair.can_ask(kLoadsLate) ? tally_all(pair, tally) : Tallied::no_memory;
    if (tallied != Tallied::done)
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            tallied == Tallied::no_memory ? kNoMemory : kTooMuchWork);
    pair.pairing.in_functions = tally.held;
    report_early(pair, tally);
    report_nowhere(pair, tally);
    if (tally.held == 0 && tally.early == 0)
        pair.check.add<kNoSamplesInCode>(pair.member, pair.recording.member, pair.dump.magic, {tally.all});
    if (tally.covered.by_file.count != 0) pair.advise(Step::dump_again);
    report_covered<kCodeCoveredByLaterMmap>(pair, tally.covered.by_file);
    report_covered<kCodeCoveredByAnonymousMmap>(pair, tally.covered.by_anonymous);
}

namespace {}  // namespace
constinit const RuleList kCodeRules = rules<&kLoadsLate, &kSamplesBeforeLoad, &kSamplesInNoCode, &kNoSamplesInCode,
                                            &kCodeCoveredByLaterMmap, &kCodeCoveredByAnonymousMmap>;

}  // namespace tracelint::siblings
