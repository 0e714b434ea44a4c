// Code of a dump and the samples of a recording; code that a later mapping hides.
#include <algorithm>
#include <numeric>

#include "grammars/siblings/checks/covered.hpp"
#include "grammars/siblings/checks/rules.hpp"

namespace tracelint::siblings {

// Code that a later mapping hides (section 4.3, code-covered-by-later-mmap, code-covered-by-anonymous-mmap).
//
// A mapping hides a function if they meet, the function was loaded before it and not replaced before it, and a later
// sample is in the function. So a function can be hidden from its time until it is replaced or sampled for the last
// time. A sweep over time keeps those that can be, and asks for each mapping for one that it meets.

namespace {

bool can_hide(const RecordingTables& recording, const Mapping& mapping) {
    const std::string_view name = recording.facts.base_name(mapping);
    return mapping.time != 0 && mapping.length != 0 && is_executable(mapping) && !mapping.is_data &&
           !name.starts_with("jitted-") && !name.starts_with("jit-");
}

class Sweep {
  public:
    Sweep(const Pair& pair, std::span<const Loaded> loads)
        : work_(pair.check.work),
          recording_(pair.recording),
          loads_(loads),
          latest_sample_(pair.check.budget, work_),
          ends_(pair.check.budget),
          by_time_(pair.check.budget),
          by_end_(pair.check.budget),
          mappings_(pair.check.budget),
          active_(pair.check.budget, work_) {}

    bool prepare(std::span<const Sample> samples) {
        return find_ends(samples) && find_mappings() && by_time_.reserve(loads_.size()) &&
               by_end_.reserve(loads_.size()) && active_.reset(loads_.size());
    }

    void run(Covered& covered) {
        work_.add(2 * sorting_of(loads_.size()) + mappings_.size());
        for (size_t i = 0; i < loads_.size(); ++i) {
            if (!loads_[i].has_code() || ends_[i] <= loads_[i].time) continue;
            (void)by_time_.push_back(i);  // there is room
            (void)by_end_.push_back(i);
        }
        std::ranges::sort(by_time_, {}, [&](size_t i) { return loads_[i].time; });
        std::ranges::sort(by_end_, {}, [&](size_t i) { return ends_[i]; });
        size_t next = 0, over = 0;
        for (const uint64_t number : mappings_) {
            const Mapping& mapping = recording_.mapping(number);
            // A function that begins later than the mapping cannot have ended: its end is above its time.
            for (; next < by_time_.size() && loads_[by_time_[next]].time < mapping.time; ++next)
                active_.set(by_time_[next], lasts(by_time_[next]));
            for (; over < by_end_.size() && ends_[by_end_[over]] <= mapping.time; ++over) active_.set(by_end_[over], 0);
            if (const Loaded* hidden = hidden_by(mapping)) note(mapping, *hidden, covered);
        }
    }

  private:
    static constexpr size_t kBlock = 32;  // samples whose latest time is kept together: a tree of all would be large

    // Above 0 for every address, so that 0 stands for a function that is not active.
    uint64_t lasts(size_t i) const { return std::max<uint64_t>(loads_[i].last, 1); }

    // The latest time of the samples from `first` on, before `end`.
    uint64_t latest_in(std::span<const Sample> samples, size_t first, size_t end) const {
        uint64_t latest = 0;
        const auto take = [&](size_t from, size_t to) {
            work_.add(to - from);
            for (const Sample& sample : samples.subspan(from, to - from)) latest = std::max(latest, sample.time);
        };
        const size_t first_block = (first + kBlock - 1) / kBlock, end_block = end / kBlock;
        if (first_block >= end_block) {
            take(first, end);
            return latest;
        }
        take(first, first_block * kBlock);
        take(end_block * kBlock, end);
        return std::max(latest, latest_sample_.in(first_block, end_block).value);
    }

    // Until when each function can be hidden.
    bool find_ends(std::span<const Sample> samples) {
        const size_t blocks = samples.size() / kBlock;  // whole ones
        if (!latest_sample_.reset(blocks) || !ends_.reserve(loads_.size())) return false;
        work_.add(samples.size());
        for (size_t i = 0; i < blocks; ++i)
            latest_sample_.set(i, std::ranges::max(samples.subspan(i * kBlock, kBlock), {}, &Sample::time).time);
        work_.add(loads_.size() * (1 + levels_of(samples.size())));
        for (const Loaded& load : loads_) {
            const auto first = std::ranges::lower_bound(samples, load.start, {}, &Sample::address);
            const auto end = std::ranges::upper_bound(samples, load.last, {}, &Sample::address);
            const uint64_t sampled = load.has_code() && first < end
                                         ? latest_in(samples, static_cast<size_t>(first - samples.begin()),
                                                     static_cast<size_t>(end - samples.begin()))
                                         : 0;
            (void)ends_.push_back(std::min(load.until, sampled));  // there is room
        }
        return true;
    }

    bool find_mappings() {
        for (const uint64_t number : recording_.mappings_of(loads_.front().pid))
            if (can_hide(recording_, recording_.mapping(number)) && !mappings_.push_back(number)) return false;
        work_.add(recording_.mappings_of(loads_.front().pid).size() + sorting_of(mappings_.size()));
        std::ranges::sort(mappings_, {}, [&](uint64_t number) { return recording_.mapping(number).time; });
        return true;
    }

    // A function that can be hidden now and that the mapping meets; null: none.
    const Loaded* hidden_by(const Mapping& mapping) const {
        const uint64_t last = ExecutableMemory::last_of(mapping);
        const auto end = std::ranges::upper_bound(loads_, last, {}, &Loaded::start);
        const GreatestOf::Value found = active_.in(0, static_cast<size_t>(end - loads_.begin()));
        return found.value != 0 && found.value >= mapping.start ? &loads_[found.at] : nullptr;
    }

    static void note(const Mapping& mapping, const Loaded& hidden, Covered& covered) {
        const bool is_dropped = mapping.kind == Mapping::Kind::dropped_anonymous;
        Covered::OfKind& kind = is_dropped ? covered.by_anonymous : covered.by_file;
        ++kind.count;
        const auto order = [](const Mapping& one) { return std::pair(one.at.offset, one.at.index); };
        if (kind.first != nullptr && order(*kind.first) <= order(mapping)) return;
        kind.first = &mapping;
        kind.function = &hidden;
    }

    WorkCounter& work_;
    const RecordingTables& recording_;
    std::span<const Loaded> loads_;
    GreatestOf latest_sample_;                 // of blocks of samples
    BudgetedVector<uint64_t> ends_;            // times
    BudgetedVector<size_t> by_time_, by_end_;  // functions that can be hidden
    BudgetedVector<uint64_t> mappings_;        // that can hide; by time
    GreatestOf active_;                        // the last addresses of the functions that can be hidden now
};

}  // namespace

bool find_covered(const Pair& pair, std::span<const Loaded> loads, std::span<const Sample> samples, Covered& covered) {
    Sweep sweep(pair, loads);
    if (!sweep.prepare(samples)) return false;
    sweep.run(covered);
    return true;
}

// Whether the code of a dump is where the samples of a recording are (section 4.3).

constexpr Rule kLoadsLate{
    .id = "siblings/loads-late",
    .severity = Severity::error,
    .statement = "functions are stamped before their code runs",
    .message =
        "{0 sample is|samples are} in functions that are loaded later, and only {1} in functions that are loaded at "
        "the time",
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
        "{0 sample is|samples are} in functions that are loaded later; {1} in functions that are loaded at the time",
    .why = "perf and samply show [unknown] for them: the code ran before the writer took the time",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds,
};

constexpr Rule kSamplesInNoCode{
    .id = "siblings/samples-in-no-code",
    .severity = Severity::warning,
    .statement = "samples in anonymous executable memory are in functions of the dump",
    .message = "{0} of {1 sample|samples} are in anonymous executable memory, but in no function of the dump",
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
    .statement = "some samples are in functions of the dump",
    .message = "no sample is in a function of the dump; its processes have {0 sample|samples} in user mode",
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

constexpr Rule kNoUnwinding{
    .id = "siblings/no-unwinding",
    .severity = Severity::warning,
    .statement = "a dump says how its functions are unwound if the recording is to be unwound by DWARF",
    .message =
        "the samples have copies of the stack, to be unwound by DWARF, and the dump has no UNWINDING_INFO; {0 sample "
        "lies|samples lie} in its {1 function|functions}",
    .why =
        "perf finds no frame description in the images of these functions: call chains end there. Record with frame "
        "pointers (`perf record -g`), if the runtime keeps them, or have it write UNWINDING_INFO",
    .spec = "4.3 Code",
    .since = "0.2.0",
    .needs = kCodeNeeds | kUnreadPart,
};

namespace {

// How the samples of a pair lie.
struct Tally {
    explicit Tally(Budget& budget, bool has_frames) : chained(budget, has_frames) {}

    Chained chained;
    uint64_t all = 0, held = 0, early = 0, nowhere = 0;
    const Sample* first_early = nullptr;
    const Loaded* loaded_later = nullptr;  // where the first early one lies
    const Sample* first_nowhere = nullptr;
    Covered covered;
};

bool is_before(const Sample& sample, const Sample* first) { return first == nullptr || sample.number < first->number; }

// Notes the frames of call chains that are in functions loaded at the time. False: the budget does not allow for it.
bool tally_frames(const Pair& pair, std::span<const Loaded> loads, Chained& chained) {
    const std::span<const Sample> frames = pair.recording.frames_of(loads.front().pid);
    CoveringLoads covering(pair.check.budget, pair.check.work, loads);
    pair.check.work.add(frames.size());
    if (!covering.prepare()) return false;
    for (const Sample& frame : frames) {
        const Loaded* const load = covering.earliest_at(frame.address);
        if (load != nullptr && load->time <= frame.time && !chained.note(frame, true)) return false;
    }
    return true;
}

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
        const bool is_anonymous = anonymous.at(sample.address) != nullptr;
        if (load != nullptr && load->time <= sample.time) {
            ++tally.held;
            if (!tally.chained.note(sample, false)) return false;
        } else if (load != nullptr && sample.is_inherited != 0) {
            continue;  // loaded by the parent, after the fork
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
    return tally_frames(pair, loads, tally.chained) && find_covered(pair, loads, samples, tally.covered);
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
        const uint64_t frames = pair.recording.frames_of(pid).size();
        // They are sorted, and searched for in turn.
        const uint64_t work = functions * (4 + 6 * levels_of(functions)) + 3 * samples + frames +
                              mappings * (3 + levels_of(mappings) + levels_of(functions));
        if (work > pair.work_left) return Tallied::too_much_work;
        pair.work_left -= work;
        if (!tally_process(pair, loads.subspan(first, next - first), tally)) return Tallied::no_memory;
    }
    return Tallied::done;
}

constexpr std::string_view kNoMemory =
    "memory limit: whether the code fits the samples (4.3) was not checked; the other rules were";
constexpr std::string_view kTooMuchWork =
    "too many files name the same process: whether the code fits the samples (4.3) was not checked; the other rules "
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

// no-unwinding.
void report_no_unwinding(const Pair& pair, const Tally& tally) {
    constexpr uint64_t kFew = 5;  // samples
    const auto& events = pair.recording.facts.events;
    const auto with_stack = std::ranges::find_if(events, &SampledEvent::has_user_stack);
    if (with_stack == events.end() || pair.dump.has_unwinding || tally.held < kFew) return;
    const auto at = [](const CodeFunction& function) { return function.at.offset; };
    const CodeFunction& first = *std::ranges::min_element(pair.dump.functions, {}, at);
    pair.check.add<kNoUnwinding>(pair.member, pair.recording.member, place_of(first.at, pair.dump.record),
                                 {tally.held, pair.dump.functions.size()}, related_to(with_stack->sample_type));
}

}  // namespace

void check_code(Pair& pair) {
    if (!pair.is_clock_right || pair.is_done) return;
    Tally tally(pair.check.budget, !pair.recording.facts.frames.empty());
    const Tallied tallied = pair.can_check(kLoadsLate) ? tally_all(pair, tally) : Tallied::no_memory;
    if (tallied != Tallied::done)
        return report_limit(pair.check, pair.member, pair.recording.member, pair.dump.magic,
                            tallied == Tallied::no_memory ? kNoMemory : kTooMuchWork);
    pair.pairing.in_functions = tally.held;
    pair.pairing.in_chains = tally.chained.count(pair.check.work);
    report_early(pair, tally);
    report_nowhere(pair, tally);
    report_no_unwinding(pair, tally);
    if (tally.held == 0 && tally.early == 0)
        pair.check.add<kNoSamplesInCode>(pair.member, pair.recording.member, pair.dump.magic, {tally.all});
    if (tally.covered.by_file.count != 0) pair.advise(Step::dump_again);
    report_covered<kCodeCoveredByLaterMmap>(pair, tally.covered.by_file);
    report_covered<kCodeCoveredByAnonymousMmap>(pair, tally.covered.by_anonymous);
}

constinit const RuleList kCodeRules = rules<&kLoadsLate, &kSamplesBeforeLoad, &kSamplesInNoCode, &kNoSamplesInCode,
                                            &kCodeCoveredByLaterMmap, &kCodeCoveredByAnonymousMmap, &kNoUnwinding>;

}  // namespace tracelint::siblings
