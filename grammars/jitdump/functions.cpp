// The functions of a file by code_index (section 4.2).
#include "grammars/jitdump/functions.hpp"

namespace tracelint::jitdump {

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

// Moves functions from the tables that continue the run. One whose index other processes use as well closes the run.
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

}  // namespace tracelint::jitdump
