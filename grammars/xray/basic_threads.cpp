// XRay, section 3.5: the threads of a basic file.
#include "grammars/xray/basic_threads.hpp"

#include <memory>

namespace tracelint::xray {

BasicThread* BasicThreads::find_or_add(uint64_t key) {
    if (BasicThread* const known = find(key)) return known;
    if (!calls_.budget.take(sizeof(BasicThread))) return nullptr;
    auto fresh = std::make_unique<BasicThread>(key);
    if (!threads_.insert({key, fresh.get()})) {
        calls_.budget.give_back(sizeof(BasicThread));
        return nullptr;
    }
    return fresh.release();
}

void BasicThreads::drop_calls() {
    threads_.for_each([&](const Entry& entry) { entry.thread->calls.clear(calls_); });
    calls_.counts.clear();
}

void BasicThreads::clear() {
    drop_calls();
    threads_.for_each([](const Entry& entry) { delete entry.thread; });
    calls_.budget.give_back(threads_.size() * sizeof(BasicThread));
    threads_.clear();
}

}  // namespace tracelint::xray
