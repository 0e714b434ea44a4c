// jitdump: what the walk remembers of the functions of a file.
#include "grammars/jitdump/checks/state.hpp"

#include <utility>

#include "validator/tables/rule.hpp"

namespace tracelint::jitdump {

// Which code is where (sections 4.3 and 4.4).

namespace {

// The first range of the process that overlaps [first, last], or null. `around`: the neighbours of `first`.
template <class Neighbours>
auto first_overlapping(const Neighbours& around, uint32_t pid, uint64_t first, uint64_t last) {
    const auto* const before = around.before;
    if (before != nullptr && before->is_of(pid) && before->last() >= first) return before;
    const auto* const after = around.at_or_after;
    return after != nullptr && after->is_of(pid) && after->start() <= last ? after : nullptr;
}

}  // namespace

bool LiveCode::load(const Range& range, bool& overlapped) {
    if (range.size == 0) return remember(range.start);
    if (!std::exchange(has_pid_, true)) pid_ = range.pid;
    if (range.pid == pid_) return enter_own({range.start, range.owner | OwnRange::kLoaded, range.size}, overlapped);
    return remember(range.start) && enter_foreign({{range.pid, range.start}, range.owner, range.size}, overlapped);
}

bool LiveCode::move(uint64_t from, const Range& to) {
    if (!leave(to.pid, from, to.owner)) return false;
    bool ignored = false;
    if (has_pid_ && to.pid == pid_) return enter_own({to.start, to.owner, to.size}, ignored);
    return enter_foreign({{to.pid, to.start}, to.owner, to.size}, ignored);
}

bool LiveCode::enter_own(const OwnRange& range, bool& overlapped) {
    while (true) {
        const auto around = own_.around(range.key);
        const OwnRange* const old = first_overlapping(around, pid_, range.start(), range.last());
        if (old == nullptr) return own_.insert_there(range);
        overlapped = true;
        const bool is_reloaded = range.is_loaded() && old->start() == range.start();
        if (old->is_loaded() && !is_reloaded && !remember(old->start())) return false;
        own_.erase(old->key);
    }
}

bool LiveCode::enter_foreign(const ForeignRange& range, bool& overlapped) {
    while (true) {
        const auto around = foreign_.around(range.key);
        const ForeignRange* const old = first_overlapping(around, range.key.pid, range.start(), range.last());
        if (old == nullptr) return foreign_.insert_there(range);
        overlapped = true;
        foreign_.erase(old->key);
    }
}

// Removes the range at `start` if `owner` still owns it. False if the budget is spent.
bool LiveCode::leave(uint32_t pid, uint64_t start, uint64_t owner) {
    if (has_pid_ && pid == pid_) {
        const OwnRange* const range = own_.find(start);
        if (range == nullptr || (range->owner & ~OwnRange::kLoaded) != owner) return true;
        if (range->is_loaded() && !remember(start)) return false;
        own_.erase(start);
        return true;
    }
    const ForeignRange* const range = foreign_.find({pid, start});
    if (range != nullptr && range->owner == owner) foreign_.erase({pid, start});
    return true;
}

bool LiveCode::remember(uint64_t address) {
    return addresses_.find(address) != nullptr || addresses_.insert({address});
}

bool LiveCode::overlaps(uint32_t pid, uint64_t first, uint64_t last) {
    if (has_pid_ && pid == pid_) return first_overlapping(own_.around(first), pid, first, last) != nullptr;
    return first_overlapping(foreign_.around({pid, first}), pid, first, last) != nullptr;
}

bool LiveCode::was_loaded_at(uint64_t address) {
    const OwnRange* const range = own_.find(address);
    return (range != nullptr && range->is_loaded()) || addresses_.find(address) != nullptr;
}

void LiveCode::clear() {
    own_.clear();
    foreign_.clear();
    addresses_.clear();
}

// The functions of a file by code_index (section 4.2).

Function* Functions::find(uint32_t pid, uint64_t index) {
    return is_in_run(pid, index) ? &run_[index - run_first_] : find_in_tables(pid, index);
}

Functions::Found Functions::find_latest(uint64_t index) {
    Latest* const latest = latest_.find(index);
    Function* const of_run = is_in_run(run_pid_, index) ? &run_[index - run_first_] : nullptr;
    if (of_run != nullptr && (latest == nullptr || latest->function.load() < of_run->load())) return {of_run, run_pid_};
    return latest == nullptr ? Found{} : Found{&latest->function, latest->pid};
}

// One function is no run: it makes room for a run that begins elsewhere. What the tables hold is older then, and
// entering it last makes it the latest of its index.
bool Functions::enter(uint32_t pid, uint64_t index, const Function& function) {
    if (is_in_run(pid, index)) {
        run_[index - run_first_] = function;
        return true;
    }
    if (continues_run(pid, index)) {
        if (!run_.push_back(function)) return false;
        absorb();
        return true;
    }
    if (run_.size() == 1 && !dissolve_run()) return false;
    if (run_.size() == 0 && find_in_tables(pid, index) == nullptr) return start_run(pid, index, function);
    return enter_in_tables(pid, index, function);
}

bool Functions::start_run(uint32_t pid, uint64_t index, const Function& function) {
    if (!run_.push_back(function)) return false;
    run_pid_ = pid;
    run_first_ = index;
    is_open_ = true;
    absorb();
    return true;
}

bool Functions::dissolve_run() {
    const Function only = run_[0];
    run_.pop_back();
    is_open_ = false;
    return enter_in_tables(run_pid_, run_first_, only);
}

// Moves functions from the tables that continue the run. One whose index other processes also use closes the run.
void Functions::absorb() {
    while (Latest* const next = latest_.find(run_first_ + run_.size())) {
        const uint64_t index = next->key;
        if (next->pid != run_pid_) {
            is_open_ = others_.find({index, run_pid_}) == nullptr;
            return;
        }
        is_open_ = !has_others(index) && run_.push_back(next->function);
        if (!is_open_) return;
        latest_.erase(index);
    }
}

bool Functions::has_others(uint64_t index) {
    const Other* const other = others_.at_or_after({index, 0});
    return other != nullptr && other->key.index == index;
}

Function* Functions::find_in_tables(uint32_t pid, uint64_t index) {
    Latest* const latest = latest_.find(index);
    if (latest == nullptr) return nullptr;
    if (latest->pid == pid) return &latest->function;
    Other* const other = others_.find({index, pid});
    return other == nullptr ? nullptr : &other->function;
}

bool Functions::enter_in_tables(uint32_t pid, uint64_t index, const Function& function) {
    Latest* const latest = latest_.find(index);
    if (latest == nullptr) return latest_.insert({index, function, pid});
    if (latest->pid != pid) {
        others_.erase({index, pid});
        if (!others_.insert({{index, latest->pid}, latest->function})) return false;
    }
    *latest = {index, function, pid};
    return true;
}

void Functions::clear() {
    run_.clear();
    is_open_ = false;
    latest_.clear();
    others_.clear();
}

// What is remembered across records (sections 4.2 and 4.3).

constexpr Rule kTrackingLimit = tracking_limit("jitdump/tracking-limit", "5.7 Limits of a run", false);

void State::stop_tracking(const Place& record) {
    if (!tracking) return;
    forget();
    report_limit(record, false, "memory limit: checks across records are skipped from here on");
}

void State::lose_track(const Place& load, uint64_t total_size) {
    if (!tracking) return leave_unchecked(load, total_size);
    forget();
    const bool of_record = is_above_record_limit(total_size);
    report_limit(load, of_record,
                 of_record
                     ? "record limit: this LOAD is not checked, and checks across records are skipped from here on"
                     : "memory limit: this LOAD is not checked, and checks across records are skipped from here on");
}

void State::leave_unchecked(const Place& record, uint64_t total_size) {
    const bool of_record = is_above_record_limit(total_size);
    report_limit(record, of_record,
                 of_record ? "record limit: the body of this record is not checked"
                           : "memory limit: the body of this record is not checked");
}

void State::forget() {
    tracking = false;
    functions.clear();
    code.clear();
}

void State::report_limit(const Place& record, bool of_record, std::string_view hint) {
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = record,
                .numbers = {of_record ? context.limits.record : context.limits.memory},
                .hint = hint});
}

constinit const RuleList kStateRules = rules<&kTrackingLimit>;

}  // namespace tracelint::jitdump
