// mlpd, section 4.3.11: the methods that code coverage lists, and their statements.
#include "grammars/mlpd/session/covered_methods.hpp"

namespace tracelint::mlpd {

CoveredMethods::Method* CoveredMethods::at(uint64_t id, const Spot& event) {
    if (file_.lossy || !file_.tracks(Tracking::coverage)) return nullptr;
    Method* found = methods_.find_or_insert(id);
    if (found == nullptr) file_.stop(Tracking::coverage, event.place());
    return found;
}

void CoveredMethods::method(uint64_t id, uint64_t statements, const Spot& event) {
    Method* method = at(id, event);
    if (method == nullptr || method->is_method) return;
    method->is_method = true;
    method->event = event;
    method->announced = statements;
}

void CoveredMethods::statement(uint64_t id, const Spot& event) {
    Method* method = at(id, event);
    if (method == nullptr) return;
    if (!method->is_method && method->found == 0) method->event = event;
    ++method->found;
}

constexpr Rule kCoverageDanglingStatement{
    .id = "mlpd/coverage-dangling-statement",
    .severity = Severity::warning,
    .statement = "a covered method has one COVERAGE_METHOD and as many COVERAGE_STATEMENTs as it announces",
    .message = "method_id {0} has {1 COVERAGE_STATEMENT|COVERAGE_STATEMENTs}, expected {2}",
    .why = "readers attach statements to no method or wait for more, so the covered share is wrong",
    .spec = "3.6.9 TYPE_COVERAGE (9)",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
};

void CoveredMethods::finish() {
    if (!file_.tracks(Tracking::coverage)) return;
    methods_.for_each([&](const Method& method) {
        if (method.found == method.announced) return;
        Diagnostic finding{.rule = &kCoverageDanglingStatement, .place = method.event.place()};
        finding.numbers = {method.key, method.found, method.announced};
        if (!method.is_method) finding.hint = "no COVERAGE_METHOD of the file has this id";
        file_.findings.add(finding);
    });
}

constinit const RuleList kCoverageRules = rules<&kCoverageDanglingStatement>;

}  // namespace tracelint::mlpd
