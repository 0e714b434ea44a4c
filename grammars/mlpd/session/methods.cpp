// mlpd, section 4.3: methods.
#include "grammars/mlpd/session/methods.hpp"

namespace tracelint::mlpd {

// Nothing is to be said before the end of the file, or before the method is defined.
void Methods::note_use(uint64_t method, const Place& place) {
    settled_.enter(method);
    if (method == 0 || file_.lossy || !file_.tracks(Tracking::methods)) return;
    methods_.announce(method);
    uses_.add({method, kinds_.shortened(place)}, [this](const Use& use) { take(use); });
}

void Methods::take(const Use& use) {
    Method* used = file_.tracks(Tracking::methods) ? methods_.find_or_insert(use.method) : nullptr;
    if (used == nullptr) return file_.stop(Tracking::methods, kinds_.place(use.place));
    if (!used->first_use.is_set()) used->first_use = use.place;
}

void Methods::take_all() {
    uses_.take_all([this](const Use& use) { take(use); });
}

void Methods::define(uint64_t method, const Spot& event) {
    take_all();
    if (method == 0 || !file_.tracks(Tracking::methods)) return;
    Method* defined = methods_.find_or_insert(method);
    if (defined == nullptr) return file_.stop(Tracking::methods, event.place());
    if (defined->is_defined) return file_.findings.add(kDuplicateJit, event.place(), {method});
    defined->is_defined = true;
    if (!defined->first_use.is_set() || file_.lossy) return;
    Diagnostic finding{.rule = &kMethodDefinedAfterUse, .place = kinds_.place(defined->first_use)};
    finding.numbers = {method, event.offset};
    finding.related_offset = event.offset;
    finding.related_length = event.length;
    file_.findings.add(finding);
}

void Methods::finish() {
    take_all();
    if (!file_.tracks(Tracking::methods)) return;
    methods_.for_each([&](const Method& method) {
        if (method.is_defined) return;
        const Place place = kinds_.place(method.first_use);
        if (file_.version <= 10)
            file_.findings.add_overridden(kUndefinedMethod, place, {method.key});
        else
            file_.findings.add(kUndefinedMethod, place, {method.key});
    });
}

}  // namespace tracelint::mlpd
