// mlpd: methods, and what code coverage says of them.
#include "grammars/mlpd/checks/methods.hpp"

namespace tracelint::mlpd {

// mlpd, section 4.3.7: methods, which JIT events define.

// Uses are judged when the method is defined, or at the end of the file.
void Methods::note_use(uint64_t method, const Place& place) {
    settled_.enter(method);
    if (method != 0 && !file_.lossy) note({method, false, place});
}

void Methods::define(uint64_t method, const Spot& event) {
    if (method != 0) note({method, true, event.place()});
}

void Methods::note(const Noted& noted) {
    if (!file_.tracks(Tracking::methods)) return;
    methods_.prefetch(noted.method);
    noted_.add(noted, [this](const Noted& earlier) { take(earlier); });
}

void Methods::take_all() {
    noted_.take_all([this](const Noted& noted) { take(noted); });
}

void Methods::take(const Noted& noted) {
    Method* method = file_.tracks(Tracking::methods) ? methods_.find_or_insert(noted.method) : nullptr;
    if (method == nullptr) return file_.stop(Tracking::methods, noted.place);
    if (noted.is_definition) return take_definition(*method, noted.place);
    if (!method->first_use.is_set()) method->first_use = kinds_.packed(noted.place);
}

constexpr Rule kMethodDefinedAfterUse{
    .id = "mlpd/method-defined-after-use",
    .severity = Severity::note,
    .statement = "a method is defined before it is used",
    .message = "method {0x} is defined only later, by the JIT event at {1x}",
    .why =
        "healthy files do this while much method metadata is pending: the writer thread writes its buffers out of "
        "order. A reader that goes by file order has no name for the method yet",
    .spec = "4.3.7 Methods",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kDuplicateJit{
    .id = "mlpd/duplicate-jit",
    .severity = Severity::note,
    .statement = "a method is defined once",
    .message = "an earlier JIT event already defined method {0x}",
    .why = "readers keep one of the two; a method compiled twice or loaded from an image looks like this",
    .spec = "4.3.7 Methods",
    .since = "0.1.0",
};

void Methods::take_definition(Method& defined, const Place& place) {
    if (defined.is_defined) return file_.findings.add<kDuplicateJit>(place, {defined.key});
    defined.is_defined = true;
    if (!defined.first_use.is_set() || file_.lossy) return;
    Diagnostic finding{.rule = &kMethodDefinedAfterUse, .place = kinds_.place(defined.first_use)};
    finding.numbers = {defined.key, place.offset};
    finding.related_offset = place.offset;
    finding.related_length = place.length;
    file_.findings.add(finding);
}

constexpr Rule kUndefinedMethod{
    .id = "mlpd/undefined-method",
    .severity = Severity::warning,
    .statement = "a JIT event of the file defines every method that is used",
    .message = "no JIT event of the file defines method {0x}",
    .why = "reports show a placeholder instead of the method name",
    .spec = "4.3.7 Methods",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{Severity::note, "data versions 1 to 10, whose writers omit methods", {}, {}},
};

void Methods::finish() {
    constexpr uint16_t kLastIncomplete = 10;  // data version whose writers omit methods
    if (!file_.tracks(Tracking::methods)) return;
    methods_.for_each([&](const Method& method) {
        if (method.is_defined) return;
        Diagnostic finding{.rule = &kUndefinedMethod, .place = kinds_.place(method.first_use), .numbers = {method.key}};
        finding.is_overridden = file_.version <= kLastIncomplete;
        file_.findings.add(finding);
    });
}

// mlpd, section 4.3.11: the methods that code coverage lists, and their statements.

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

constinit const RuleList kMethodsRules =
    rules<&kMethodDefinedAfterUse, &kDuplicateJit, &kUndefinedMethod, &kCoverageDanglingStatement>;

}  // namespace tracelint::mlpd
