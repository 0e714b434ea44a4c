// The facts of a group in the orders that the rules ask for (section 3).
#include "grammars/siblings/checks/tables.hpp"

#include "grammars/siblings/checks/sweep.hpp"

#include <algorithm>
#include <tuple>

namespace tracelint::siblings {
namespace {

// Those of the elements, sorted by `key_of`, whose key is `key`.
template <class Element, class Key, class KeyOf>
std::span<const Element> equal(std::span<const Element> sorted, const Key& key, KeyOf key_of) {
    const auto found = std::ranges::equal_range(sorted, key, {}, key_of);
    return {found.begin(), found.end()};
}

template <class Fact, template <class> class Storage>
std::span<const Fact> all_of(const FactTable<Fact, Storage>& table) {
    return table.empty() ? std::span<const Fact>() : std::span<const Fact>(&table[0], table.size());
}

bool number_all(BudgetedVector<uint64_t>& numbers, uint64_t count) {
    if (!numbers.reserve(count)) return false;
    for (uint64_t i = 0; i < count; ++i) (void)numbers.push_back(i);  // there is room
    return true;
}

}  // namespace

std::optional<uint64_t> number_in(std::string_view name, std::string_view before, std::string_view after) {
    if (!name.starts_with(before) || !name.ends_with(after) || name.size() <= before.size() + after.size())
        return std::nullopt;
    uint64_t number = 0;
    for (const char c : name.substr(before.size(), name.size() - before.size() - after.size())) {
        if (c < '0' || c > '9') return std::nullopt;
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, static_cast<uint64_t>(c - '0'), &number))
            number = kNone;
    }
    return number;
}

std::optional<uint64_t> marker_number(std::string_view base_name) { return number_in(base_name, "jit-", ".dump"); }

std::string_view base_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view written_name_of(std::string_view path) {
    std::string_view name = base_name_of(path);
    for (const std::string_view ending : {".gz", ".zst"})
        if (name.ends_with(ending)) name.remove_suffix(ending.size());
    return name;
}

bool is_executable(const Mapping& mapping) { return !mapping.has_protection || (mapping.protection & 4) != 0; }

RecordingTables::RecordingTables(GroupCheck& check, size_t with)
    : member(with),
      facts_of_file(*check.members[with].facts),
      facts(facts_of_file.recording),
      work_(check.work),
      by_name_(check.budget),
      by_pid_(check.budget),
      images_(check.budget),
      imaged_(check.budget),
      forks_(check.budget) {}

namespace {

void sort_samples(std::span<Sample> samples, WorkCounter& work) {
    work.add(sorting_of(samples.size()));
    std::ranges::sort(samples, {}, [](const Sample& one) { return std::tuple(one.pid, one.address, one.time); });
}

template <class Fact, template <class> class Storage>
std::span<Fact> all_in(FactTable<Fact, Storage>& table) {
    return {table.begin(), table.end()};
}

}  // namespace

void RecordingTables::prepare() {
    const auto by_time = [](const LifeEvent& a, const LifeEvent& b) {
        return std::tuple(a.pid, a.time) < std::tuple(b.pid, b.time);
    };
    work_.add(sorting_of(facts.births.size()) + sorting_of(facts.deaths.size()));
    std::sort(facts.births.begin(), facts.births.end(), by_time);
    std::sort(facts.deaths.begin(), facts.deaths.end(), by_time);
    sort_samples(all_in(facts.samples), work_);
    sort_samples(all_in(facts.frames), work_);
    look_at_events();
    is_prepared_ = sort_mappings() && inherit() && find_images() && group_images();
    count_sampled_processes();
}

// The fork of a process that is still what its parent was; null if it is another program, or unknown.
const LifeEvent* RecordingTables::fork_of(uint32_t pid) const {
    const std::span<const LifeEvent> births = births_of(pid);
    return births.size() == 1 && births.front().parent != 0 && births.front().parent != pid ? &births.front() : nullptr;
}

// Gives the samples of forked processes to their parents, as these were at the fork: but not those in memory that the
// child mapped itself.
bool RecordingTables::move_up(std::span<Sample> samples, bool& has_moved) {
    work_.add(samples.size());
    const LifeEvent* fork = nullptr;
    std::optional<uint32_t> pid;
    std::optional<ExecutableMemory> own;
    for (Sample& sample : samples) {
        if (pid != sample.pid) {
            pid = sample.pid;
            work_.add(levels_of(facts.births.size()));
            fork = fork_of(sample.pid);
            if (fork != nullptr) own.emplace(*this, sample.pid, work_);
            const Fork known{fork == nullptr ? 0 : fork->parent, sample.pid};
            if (fork != nullptr && !forks_.push_back(known)) return false;
        }
        if (fork == nullptr || own->at(sample.address) != nullptr) continue;
        sample.pid = fork->parent;
        sample.time = std::min(sample.time, fork->time);
        sample.is_inherited = 1;
        has_moved = true;
    }
    return true;
}

bool RecordingTables::inherit() {
    const auto has_parent = [](const LifeEvent& birth) { return birth.parent != 0; };
    work_.add(facts.births.size());
    if (std::ranges::none_of(facts.births, has_parent)) return true;
    for (const std::span<Sample> samples : {all_in(facts.samples), all_in(facts.frames)}) {
        bool has_moved = true;
        for (unsigned i = 0; i < kGenerations && has_moved; ++i) {
            has_moved = false;
            if (!move_up(samples, has_moved)) return false;
            if (has_moved) sort_samples(samples, work_);
        }
    }
    const auto key = [](const Fork& fork) { return std::tuple(fork.parent, fork.child); };
    work_.add(sorting_of(forks_.size()));
    std::ranges::sort(forks_, {}, key);
    const auto repeated = std::ranges::unique(forks_, {}, key);
    forks_.keep_first(static_cast<size_t>(repeated.begin() - forks_.begin()));
    return true;
}

uint64_t RecordingTables::forked_from(uint32_t pid, unsigned generations) const {
    if (generations == 0) return 0;
    const std::span<const Fork> children =
        equal(std::span<const Fork>(forks_.begin(), forks_.end()), pid, &Fork::parent);
    uint64_t count = children.size();
    for (const Fork& fork : children) count += forked_from(fork.child, generations - 1);
    return count;
}

void RecordingTables::look_at_events() {
    work_.add(facts.events.size());
    for (uint64_t i = 0; i < facts.events.size(); ++i) {
        const SampledEvent& event = facts.events[i];
        if (!event.uses_clock_id || event.clock_id != 1) {
            clocks_.first_other = std::min(clocks_.first_other, i);
            ++clocks_.others;
        }
        if (!event.has_time || !event.has_thread || !event.is_sample_id_all)
            clocks_.first_untimed = std::min(clocks_.first_untimed, i);
    }
}

void RecordingTables::count_sampled_processes() {
    work_.add(facts.samples.size());
    for (uint64_t i = 0; i < facts.samples.size(); ++i)
        if (i == 0 || facts.samples[i].pid != facts.samples[i - 1].pid) ++sampled_processes_;
}

bool RecordingTables::sort_mappings() {
    const uint64_t count = facts.mappings.size();
    work_.add(2 * sorting_of(count));
    if (!number_all(by_name_, count) || !number_all(by_pid_, count)) return false;
    std::sort(by_name_.begin(), by_name_.end(), [&](uint64_t a, uint64_t b) {
        return std::tuple(facts.base_name(mapping(a)), a) < std::tuple(facts.base_name(mapping(b)), b);
    });
    std::sort(by_pid_.begin(), by_pid_.end(), [&](uint64_t a, uint64_t b) {
        return std::tuple(mapping(a).pid, mapping(a).start, a) < std::tuple(mapping(b).pid, mapping(b).start, b);
    });
    return true;
}

bool RecordingTables::find_images() {
    for (const uint64_t number : by_name()) {
        std::string_view name = facts.base_name(mapping(number));
        if (!name.starts_with("jitted-")) continue;
        const size_t dash = name.find('-', 7);
        if (dash == std::string_view::npos) continue;
        const auto pid = number_in(name.substr(0, dash), "jitted-", "");
        const auto index = number_in(name.substr(dash), "-", ".so");
        if (pid && index && !images_.push_back({*pid, *index, number})) return false;
    }
    work_.add(by_name_.size() + sorting_of(images_.size()));
    std::sort(images_.begin(), images_.end(), [](const Image& a, const Image& b) {
        return std::tuple(a.pid, a.index, a.mapping) < std::tuple(b.pid, b.index, b.mapping);
    });
    return true;
}

bool RecordingTables::group_images() {
    work_.add(images_.size());
    for (uint64_t i = 0; i < images_.size(); ++i) {
        const Image& image = images_[i];
        const bool is_first = i == 0 || image.pid != images_[i - 1].pid;
        if (is_first && !imaged_.push_back({.pid = image.pid, .begin = i, .count = 0, .first = image.mapping}))
            return false;
        ImagesOf& group = imaged_[imaged_.size() - 1];
        ++group.count;
        group.first = std::min(group.first, image.mapping);
    }
    return true;
}

const Mapping* RecordingTables::first_named(std::string_view base_name) const {
    if (base_name.empty()) return nullptr;
    const auto named = [&](uint64_t number) { return facts.base_name(mapping(number)); };
    const auto found = equal(by_name(), base_name, named);
    return found.empty() ? nullptr : &mapping(found.front());
}

std::span<const uint64_t> RecordingTables::mappings_of(uint32_t pid) const {
    return equal(std::span<const uint64_t>(by_pid_.begin(), by_pid_.end()), pid,
                 [&](uint64_t number) { return mapping(number).pid; });
}

std::span<const Sample> RecordingTables::samples_of(uint32_t pid) const {
    return equal(all_of(facts.samples), pid, &Sample::pid);
}

std::span<const Sample> RecordingTables::frames_of(uint32_t pid) const {
    return equal(all_of(facts.frames), pid, &Sample::pid);
}

std::span<const Sample> RecordingTables::samples_above(uint32_t pid) const {
    const auto next = std::ranges::upper_bound(facts.samples, pid, {}, &Sample::pid);
    return next == facts.samples.end() ? std::span<const Sample>() : samples_of(next->pid);
}

std::span<const Sample> RecordingTables::first_samples() const {
    return facts.samples.empty() ? std::span<const Sample>() : samples_of(facts.samples[0].pid);
}

const ImagesOf* RecordingTables::images_of(uint64_t pid) const {
    const auto found = equal(imaged(), pid, &ImagesOf::pid);
    return found.empty() ? nullptr : &found.front();
}

std::span<const LifeEvent> RecordingTables::births_of(uint32_t pid) const {
    return equal(all_of(facts.births), pid, &LifeEvent::pid);
}

std::span<const LifeEvent> RecordingTables::deaths_of(uint32_t pid) const {
    return equal(all_of(facts.deaths), pid, &LifeEvent::pid);
}

bool is_usable(const std::optional<TimeConversion>& conversion) {
    return conversion && conversion->is_usable && conversion->multiplier != 0 && conversion->shift <= 63;
}

uint64_t time_of(const CodeFunction& function, const TimeConversion* conversion) {
    if (conversion == nullptr) return function.time;
    // As perf computes it, in 64 bits.
    const uint64_t quotient = function.time >> conversion->shift;
    const uint64_t rest = function.time & ((uint64_t{1} << conversion->shift) - 1);
    return conversion->zero + quotient * conversion->multiplier +
           ((rest * conversion->multiplier) >> conversion->shift);
}

DumpTables::DumpTables(GroupCheck& check, size_t with)
    : member(with),
      facts(check.members[with].facts->dump),
      work_(check.work),
      processes_(check.budget),
      by_start_(check.budget),
      by_index_(check.budget) {}

void DumpTables::prepare() {
    if (facts.functions.empty() && !processes_.push_back({.pid = facts.pid})) return;
    for (uint64_t i = 0; i < facts.functions.size(); ++i) {
        const CodeFunction& function = facts.functions[i];
        if (function.time != 0) {
            times_.least = std::min(times_.least, function.time);
            times_.greatest = std::max(times_.greatest, function.time);
        }
        const bool is_again = !processes_.empty() && processes_.back().pid == function.pid;
        if (!is_again && !processes_.push_back({.pid = function.pid, .count = 0, .first = i})) return;
        ++processes_[processes_.size() - 1].count;
    }
    work_.add(facts.functions.size() + sorting_of(processes_.size()));
    std::ranges::sort(processes_, {}, [](const Process& one) { return std::pair(one.pid, one.first); });
    size_t kept = 0;
    uint64_t begin = 0;
    for (const Process& one : processes_) {
        const bool is_same = kept != 0 && processes_[kept - 1].pid == one.pid;
        const uint64_t count = one.count;
        if (is_same)
            processes_[kept - 1].count += count;
        else
            processes_[kept++] = {.pid = one.pid, .count = count, .first = one.first, .begin = begin};
        begin += count;
    }
    processes_.keep_first(kept);
    is_prepared_ = true;
}

const DumpTables::Process* DumpTables::process(uint64_t pid) const {
    const auto found = equal(processes(), pid, &Process::pid);
    return found.empty() ? nullptr : &found.front();
}

namespace {

// Sorts the numbers of the functions by `key_of` and their order, once.
template <class KeyOf>
bool sort_functions(BudgetedVector<uint64_t>& numbers, const CodeDump& dump, WorkCounter& work, KeyOf key_of) {
    if (!numbers.empty()) return true;
    if (!number_all(numbers, dump.functions.size())) return false;
    work.add(sorting_of(numbers.size()));
    std::ranges::sort(numbers, {},
                      [&](uint64_t i) { return std::tuple_cat(key_of(dump.functions[i]), std::tuple(i)); });
    return true;
}

}  // namespace

bool DumpTables::sort_by_start() {
    return sort_functions(by_start_, facts, work_,
                          [](const CodeFunction& one) { return std::tuple(one.pid, one.start, one.time); });
}

bool DumpTables::sort_by_index() {
    return sort_functions(by_index_, facts, work_,
                          [](const CodeFunction& one) { return std::tuple(one.pid, one.index); });
}

// Goes through those that are fewer, the processes of the dump or those with images.
InjectedImages images_of(const RecordingTables& recording, const DumpTables& dump) {
    InjectedImages injected;
    const auto add = [&](const ImagesOf& images) {
        injected.count += images.count;
        injected.first = std::min(injected.first, images.first);
    };
    if (dump.processes().size() < recording.imaged().size()) {
        for (const DumpTables::Process& process : dump.processes())
            if (const ImagesOf* const images = recording.images_of(process.pid)) add(*images);
    } else {
        for (const ImagesOf& images : recording.imaged())
            if (dump.process(images.pid) != nullptr) add(images);
    }
    return injected;
}

bool Pair::afford(uint64_t work) {
    if (work <= work_left) {
        work_left -= work;
        check.work.add(work);
        return true;
    }
    is_done = true;
    report_limit(check, member, recording.member, dump.magic,
                 "too many files have facts about the same processes: not every rule was checked for these two");
    return false;
}

bool find_loads(Pair& pair) {
    const std::optional<TimeConversion>& recorded = pair.recording.facts.conversion;
    const TimeConversion* conversion = pair.dump.has_counter_times && is_usable(recorded) ? &*recorded : nullptr;
    const auto is_known = [&](const DumpTables::Process& one) {
        return pair.recording.facts.has_seen(pair.pid_of(one.pid));
    };
    if (!pair.afford(pair.tables.processes().size())) return false;
    uint64_t functions = 0;
    for (const DumpTables::Process& process : pair.tables.processes())
        if (is_known(process)) functions += process.count;
    // Other times and processes than in the dump may have another order.
    const bool is_sorted = conversion == nullptr && !pair.named_pid;
    constexpr uint64_t kRounds = 4;  // that the times are gone through
    const uint64_t work = functions * kRounds + (is_sorted ? 0 : sorting_of(functions));
    if (!pair.afford(work) || !pair.tables.sort_by_start()) return false;
    for (const DumpTables::Process& process : pair.tables.processes()) {
        if (!is_known(process)) continue;
        for (const uint64_t i : pair.tables.by_start().subspan(process.begin, process.count)) {
            const CodeFunction& function = pair.dump.functions[i];
            if (function.time == 0) continue;
            if (!pair.loads.push_back({.start = function.start,
                                       .last = function.start + (function.size == 0 ? 0 : function.size - 1),
                                       .time = time_of(function, conversion),
                                       .until = kNone,
                                       .function = i,
                                       .pid = pair.pid_of(function.pid),
                                       .size = function.size}))
                return false;
        }
    }
    if (!is_sorted)
        std::sort(pair.loads.begin(), pair.loads.end(), [](const Loaded& a, const Loaded& b) {
            return std::tuple(a.pid, a.start, a.time, a.function) < std::tuple(b.pid, b.start, b.time, b.function);
        });
    for (size_t i = 1; i < pair.loads.size(); ++i) {
        Loaded& before = pair.loads[i - 1];
        const Loaded& after = pair.loads[i];
        if (before.pid == after.pid && before.start == after.start) before.until = after.time;
    }
    return true;
}

}  // namespace tracelint::siblings
