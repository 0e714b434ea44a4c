// XRay, section 3.5: the threads of a basic file.
#include "grammars/xray/basic_threads.hpp"

namespace tracelint::xray {

BasicThread* BasicThreads::find_or_add(uint64_t key) {
    if (BasicThread* const known = find(key)) return known;
    if (!calls_.budget.take(sizeof(BasicThread))) return nullptr;
    BasicThread& fresh = all_.emplace_back(key);
    if (threads_.insert({key, &fresh})) return &fresh;
    all_.pop_back();
    calls_.budget.give_back(sizeof(BasicThread));
    return nullptr;
}

void BasicThreads::drop_calls() {
    for (BasicThread& thread : all_) thread.calls.clear(calls_);
    calls_.counts.clear();
}

void BasicThreads::clear() {
    drop_calls();
    calls_.budget.give_back(all_.size() * sizeof(BasicThread));
    threads_.clear();
    all_.clear();
}

}  // namespace tracelint::xray
