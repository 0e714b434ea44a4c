// mlpd, section 4.3.7: methods, which JIT events define.
#include "grammars/mlpd/session/methods.hpp"

namespace tracelint::mlpd {

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

constinit const RuleList kMethodRules = rules<&kMethodDefinedAfterUse, &kDuplicateJit, &kUndefinedMethod>;

}  // namespace tracelint::mlpd
