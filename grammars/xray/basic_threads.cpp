// XRay, section 3.5: the threads of a basic file.
#include "grammars/xray/basic_threads.hpp"

namespace tracelint::xray {

BasicThread* BasicThreads::find(uint64_t key) {
    BasicThread*& slot = recent_[slot_of(key)];
    if (slot != nullptr && slot->key == key) return slot;
    if (Entry* entry = threads_.find(key)) return slot = entry->thread.get();
    if (!calls_.budget.take(sizeof(BasicThread))) return nullptr;
    auto fresh = std::make_unique<BasicThread>(key, threads_.size());
    BasicThread* const thread = fresh.get();
    if (!threads_.insert({key, std::move(fresh)})) {
        calls_.budget.give_back(sizeof(BasicThread));
        return nullptr;
    }
    return slot = thread;
}

void BasicThreads::drop_calls() {
    threads_.for_each([&](Entry& entry) { entry.thread->calls.clear(calls_); });
    calls_.counts.clear();
}

void BasicThreads::clear() {
    drop_calls();
    calls_.budget.give_back(threads_.size() * sizeof(BasicThread));
    threads_.clear();
    recent_.fill(nullptr);
}

}  // namespace tracelint::xray
