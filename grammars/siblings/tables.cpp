// The facts of a group in the orders that the rules ask for (section 3).
#include "grammars/siblings/tables.hpp"

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
      facts(check.members[with].facts->recording),
      work_(check.work),
      by_name_(check.budget),
      by_pid_(check.budget),
      images_(check.budget) {}

void RecordingTables::prepare() {
    const auto by_time = [](const LifeEvent& a, const LifeEvent& b) {
        return std::tuple(a.pid, a.time) < std::tuple(b.pid, b.time);
    };
    work_.add(sorting_of(facts.births.size()) + sorting_of(facts.deaths.size()) + sorting_of(facts.samples.size()));
    std::sort(facts.births.begin(), facts.births.end(), by_time);
    std::sort(facts.deaths.begin(), facts.deaths.end(), by_time);
    std::sort(facts.samples.begin(), facts.samples.end(), [](const Sample& a, const Sample& b) {
        return std::tuple(a.pid, a.address, a.time) < std::tuple(b.pid, b.address, b.time);
    });
    is_prepared_ = sort_mappings() && find_images();
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

std::span<const Image> RecordingTables::images_of(uint64_t pid) const { return equal(images(), pid, &Image::pid); }

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

bool find_pids(const CodeDump& dump, BudgetedVector<uint32_t>& pids) {
    if (dump.functions.empty()) return pids.push_back(dump.pid);
    for (const CodeFunction& function : dump.functions)
        if ((pids.empty() || pids.back() != function.pid) && !pids.push_back(function.pid)) return false;
    std::ranges::sort(pids);
    pids.keep_first(static_cast<size_t>(std::unique(pids.begin(), pids.end()) - pids.begin()));
    return true;
}

bool find_loads(Pair& pair) {
    const std::optional<TimeConversion>& recorded = pair.recording.facts.conversion;
    const TimeConversion* conversion = pair.dump.has_counter_times && is_usable(recorded) ? &*recorded : nullptr;
    for (uint64_t i = 0; i < pair.dump.functions.size(); ++i) {
        const CodeFunction& function = pair.dump.functions[i];
        const uint32_t pid = pair.pid_of(function.pid);
        if (function.time == 0 || !pair.recording.facts.has_seen(pid)) continue;
        if (!pair.loads.push_back({.start = function.start,
                                   .last = function.start + (function.size == 0 ? 0 : function.size - 1),
                                   .time = time_of(function, conversion),
                                   .until = kNone,
                                   .function = i,
                                   .pid = pid,
                                   .size = function.size}))
            return false;
    }
    pair.check.work.add(pair.dump.functions.size() + sorting_of(pair.loads.size()));
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
