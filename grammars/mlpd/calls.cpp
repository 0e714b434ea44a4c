// mlpd, section 4.3: the rare half of the call stack.
#include "grammars/mlpd/calls.hpp"

#include <algorithm>

namespace tracelint::mlpd {

bool CallStack::push(OpenCalls& shared, uint64_t method, const Spot& enter) {
    if (depth_ == limit_ && !grow(shared)) return false;
    calls_[++depth_] = {method, ShortSpot(enter)};
    return true;
}

CallStack::Exit CallStack::leave(OpenCalls& shared, uint64_t method) {
    if (top().method == method) {
        pop(shared);
        return Exit::of_top;
    }
    if (!count_all(shared)) return Exit::no_memory;
    if (shared.counts.find({number_, method}) == nullptr) return Exit::not_open;
    while (top().method != method) pop(shared);
    pop(shared);
    return Exit::of_deeper;
}

void CallStack::clear(OpenCalls& shared) {
    while (counted_ > 0) {
        depth_ = counted_;
        pop(shared);
    }
    depth_ = 0;
    if (calls_ != inline_) shared.budget.give_back((limit_ + 2) * sizeof(OpenCall));
    release();
}

// Takes the top call off.
void CallStack::pop(OpenCalls& shared) {
    if (depth_ == counted_) {
        const OpenCalls::Count::Key key{number_, top().method};
        OpenCalls::Count* count = shared.counts.find(key);
        if (--count->open == 0) shared.counts.erase(key);
        --counted_;
    }
    --depth_;
}

// Counts what is not counted yet. False: the budget is spent.
bool CallStack::count_all(OpenCalls& shared) {
    for (; counted_ < depth_; ++counted_) {
        const OpenCalls::Count::Key key{number_, calls_[counted_ + 1].method};
        if (OpenCalls::Count* count = shared.counts.find(key))
            ++count->open;
        else if (!shared.counts.insert({key, 1}))
            return false;
    }
    return true;
}

bool CallStack::grow(OpenCalls& shared) {
    const uint64_t limit = limit_ == 0 ? 14 : 2 * limit_ + 2;
    const uint64_t before = calls_ == inline_ ? 0 : (limit_ + 2) * sizeof(OpenCall);
    if (!shared.budget.take((limit + 2) * sizeof(OpenCall))) return false;
    auto* larger = new OpenCall[limit + 2];
    std::copy(calls_, calls_ + depth_ + 1, larger);
    release();
    shared.budget.give_back(before);
    calls_ = larger;
    limit_ = limit;
    return true;
}

void CallStack::release() {
    if (calls_ != inline_) delete[] calls_;
    calls_ = inline_;
    limit_ = 0;
}

}  // namespace tracelint::mlpd
