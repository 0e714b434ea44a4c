// mlpd, section 4.3: the threads of a file.
#include "grammars/mlpd/threads.hpp"

namespace tracelint::mlpd {

Thread* Threads::of_buffer(uint64_t id, const Spot& buffer) {
    if (Thread* known = find(id)) return known;
    if (!file_.tracks(Tracking::threads)) return nullptr;
    Entry* fresh = file_.inspection.budget.take(sizeof(Thread)) ? threads_.find_or_insert(id) : nullptr;
    if (fresh == nullptr) {
        file_.stop(Tracking::threads, buffer.place());
        return nullptr;
    }
    fresh->thread = std::make_unique<Thread>(file_, id, threads_.size());
    return up_to_date(fresh->thread.get());
}

Thread* Threads::find(uint64_t id) {
    const Entry* known = threads_.find(id);
    return known == nullptr ? nullptr : up_to_date(known->thread.get());
}

Thread* Threads::up_to_date(Thread* thread) {
    if (thread->taints == taints_) return thread;
    thread->taints = taints_;
    thread->taint(open_calls_);
    return thread;
}

}  // namespace tracelint::mlpd
