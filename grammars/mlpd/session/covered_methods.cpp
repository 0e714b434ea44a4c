// mlpd, section 5, rule 99.
#include "grammars/mlpd/session/covered_methods.hpp"

namespace tracelint::mlpd {

Coverage::Method* Coverage::at(uint64_t id, const Spot& event) {
    if (file_.lossy || !file_.tracks(Tracking::coverage)) return nullptr;
    Method* found = methods_.find_or_insert(id);
    if (found == nullptr) file_.stop(Tracking::coverage, event.place());
    return found;
}

void Coverage::method(uint64_t id, uint64_t statements, const Spot& event) {
    Method* method = at(id, event);
    if (method == nullptr || method->is_method) return;
    method->is_method = true;
    method->event = event;
    method->said = statements;
}

void Coverage::statement(uint64_t id, const Spot& event) {
    Method* method = at(id, event);
    if (method == nullptr) return;
    if (!method->is_method && method->found == 0) method->event = event;
    ++method->found;
}

void Coverage::finish() {
    if (!file_.tracks(Tracking::coverage)) return;
    methods_.for_each([&](const Method& method) {
        if (method.found == method.said) return;
        Diagnostic finding{.rule = &kCoverageDanglingStatement, .place = method.event.place()};
        finding.numbers = {method.key, method.found, method.said};
        if (!method.is_method) finding.hint = "no COVERAGE_METHOD of the file has this id";
        file_.findings.add(finding);
    });
}

}  // namespace tracelint::mlpd
