// mlpd, section 4.3: the threads of a file.
#include "grammars/mlpd/session/threads.hpp"

namespace tracelint::mlpd {

Thread* Threads::of_buffer(uint64_t id, const Spot& buffer) {
    if (!file_.tracks(Tracking::threads)) return find(id);
    Thread* fresh = threads_.find_or_insert(id);
    if (fresh == nullptr) {
        file_.stop(Tracking::threads, buffer.place());
        return nullptr;
    }
    return up_to_date(fresh);
}

Thread* Threads::find(uint64_t id) {
    Thread* known = threads_.find(id);
    return known == nullptr ? nullptr : up_to_date(known);
}

ThreadMachines* Threads::machines_of(Thread& thread, const Spot& event) {
    if (thread.machines != nullptr || !file_.tracks(Tracking::threads)) return thread.machines.get();
    if (!file_.context.budget.take(allocation_cost(sizeof(ThreadMachines)))) {
        file_.stop(Tracking::threads, event.place());
        return nullptr;
    }
    thread.machines = std::make_unique<ThreadMachines>(file_, heap_notes_, thread.key);
    if (thread.may_lack_enter) thread.machines->taint();
    return thread.machines.get();
}

Thread* Threads::up_to_date(Thread* thread) {
    if (thread->taints == taints_) return thread;
    thread->taints = taints_;
    thread->taint(open_calls_);
    return thread;
}

}  // namespace tracelint::mlpd
