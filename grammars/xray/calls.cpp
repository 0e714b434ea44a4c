// xray, section 4.4: the rare half of the call stack.
#include "grammars/xray/calls.hpp"

#include <cstring>
#include <utility>

namespace tracelint::xray {

bool CallStack::push(OpenCalls& shared, uint32_t id) {
    if (depth_ == limit_ && !grow(shared)) return false;
    ids_[++depth_] = id;
    return true;
}

CallStack::Exit CallStack::exit(OpenCalls& shared, uint32_t id) {
    if (depth_ == 0) return Exit::not_open;
    if (ids_[depth_] == id) {
        pop(shared);
        return Exit::of_top;
    }
    if (!count_all(shared)) return Exit::no_memory;
    if (shared.counts.find({number_, id}) == nullptr) return Exit::not_open;
    while (ids_[depth_] != id) pop(shared);
    pop(shared);
    return Exit::of_deeper;
}

void CallStack::drop(OpenCalls& shared) {
    clear();
    if (ids_ != inline_) shared.budget.give_back(allocated());
    release();
}

// Takes the top entry off.
void CallStack::pop(OpenCalls& shared) {
    if (depth_ == counted_) {
        const OpenCalls::Count::Key key{number_, ids_[depth_]};
        OpenCalls::Count* count = shared.counts.find(key);
        if (--count->open == 0) shared.counts.erase(key);
        --counted_;
    }
    --depth_;
}

// Counts what is not counted yet. False: the budget is spent.
bool CallStack::count_all(OpenCalls& shared) {
    for (; counted_ < depth_; ++counted_) {
        const OpenCalls::Count::Key key{number_, ids_[counted_ + 1]};
        if (OpenCalls::Count* count = shared.counts.find(key))
            ++count->open;
        else if (!shared.counts.insert({key, 1}))
            return false;
    }
    return true;
}

bool CallStack::grow(OpenCalls& shared) {
    const uint64_t before = ids_ == inline_ ? 0 : allocated();
    const size_t limit = 2 * limit_ + 2;
    const uint64_t bytes = (limit + 2) * sizeof(uint32_t);
    if (!shared.budget.take(bytes)) return false;
    auto* larger = static_cast<uint32_t*>(std::malloc(bytes));
    if (larger == nullptr) {
        shared.budget.give_back(bytes);
        return false;
    }
    std::memcpy(larger, ids_, (limit_ + 2) * sizeof(uint32_t));
    release();
    shared.budget.give_back(before);
    ids_ = larger;
    limit_ = limit;
    return true;
}

void CallStack::release() {
    if (ids_ != inline_) std::free(ids_);
    ids_ = inline_;
    limit_ = unpaid_;
}

}  // namespace tracelint::xray
