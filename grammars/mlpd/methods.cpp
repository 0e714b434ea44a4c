// mlpd, section 4.3: methods.
#include "grammars/mlpd/methods.hpp"

namespace tracelint::mlpd {

bool Methods::settle(uint64_t method) {
    const bool says_nothing = method == 0 || file_.lossy || !file_.tracks(Tracking::methods);
    if (!says_nothing && methods_.find(method) == nullptr) return false;
    settled_.enter(method);
    return true;
}

void Methods::use(uint64_t method, const Place& place) {
    if (step_use(method)) return;
    Method* used = methods_.find_or_insert(method);
    if (used == nullptr || !file_.inspection.budget.take(sizeof(Place))) return file_.stop(Tracking::methods, place);
    uses_.push_back(place);
    used->first_use = static_cast<uint32_t>(uses_.size());
}

void Methods::define(uint64_t method, const Spot& event) {
    if (method == 0 || !file_.tracks(Tracking::methods)) return;
    Method* defined = methods_.find_or_insert(method);
    if (defined == nullptr) return file_.stop(Tracking::methods, event.place());
    if (defined->is_defined) return file_.findings.add(kDuplicateJit, event.place(), {method});
    defined->is_defined = true;
    if (defined->first_use == 0 || file_.lossy) return;
    Diagnostic finding{.rule = &kMethodDefinedAfterUse, .place = uses_[defined->first_use - 1]};
    finding.numbers = {method, event.offset};
    finding.related_offset = event.offset;
    finding.related_length = event.length;
    file_.findings.add(finding);
}

void Methods::finish() {
    if (!file_.tracks(Tracking::methods)) return;
    for (const Method& method : methods_.entries()) {
        if (method.is_defined || method.first_use == 0) continue;
        const Place& place = uses_[method.first_use - 1];
        if (file_.version <= 10)
            file_.findings.add_milder(kUndefinedMethod, place, {method.key});
        else
            file_.findings.add(kUndefinedMethod, place, {method.key});
    }
}

}  // namespace tracelint::mlpd
