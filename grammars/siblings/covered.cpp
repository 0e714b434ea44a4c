// Code that a later mapping hides (section 4.3, code-covered-by-later-mmap, code-covered-by-anonymous-mmap).
//
// A mapping hides a function if they meet, the function was loaded before it and not replaced before it, and a later
// sample lies in the function. So a function can be hidden from its time until it is replaced or sampled for the last
// time. A sweep over time keeps those that can be, and asks for each mapping for one that it meets.
#include "grammars/siblings/covered.hpp"

#include <numeric>

namespace tracelint::siblings {
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
            if (const Loaded* hidden = met_by(mapping)) note(mapping, *hidden, covered);
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
    const Loaded* met_by(const Mapping& mapping) const {
        const uint64_t last = AnonymousMemory::last_of(mapping);
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

}  // namespace tracelint::siblings
