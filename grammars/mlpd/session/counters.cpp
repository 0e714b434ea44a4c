// mlpd, section 4.3.6: counters, which are described once and then sampled.
#include "grammars/mlpd/session/counters.hpp"

namespace tracelint::mlpd {

Counters::Counter* Counters::counter(uint64_t index, const Place& at) {
    if (!file_.tracks(Tracking::counters)) return nullptr;
    Counter* found = counters_.find_or_insert(index);
    if (found == nullptr) file_.stop(Tracking::counters, at);
    return found;
}

constexpr Rule kCounterIndexZero{.id = "mlpd/counter-index-zero",
                                 .severity = Severity::error,
                                 .statement = "the index of a counter is above 0",
                                 .message = "the descriptor gives its counter index 0",
                                 .why = "no sample can refer to it, because index 0 ends a list of samples",
                                 .spec = "4.3.6 Counters",
                                 .since = "0.1.0"};

constexpr Rule kDuplicateCounterIndex{
    .id = "mlpd/duplicate-counter-index",
    .severity = Severity::warning,
    .statement = "every counter has its own index",
    .message = "an earlier counter already has index {0}",
    .why = "mprof-report drops the second counter and shows its values as those of the first",
    .spec = "4.3.6 Counters",
    .since = "0.1.0"};

constexpr Rule kUnknownCounterIndex{
    .id = "mlpd/unknown-counter-index",
    .severity = Severity::warning,
    .statement = "a counter is described before it is sampled",
    .message = "no descriptor of the file has index {0}",
    .why = "mprof-report silently drops the value",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "it is described later in the file", "index {0} is described only later", {}}};

void Counters::describe(uint64_t index, uint64_t type, const Place& index_place) {
    if (index == 0) return file_.findings.add<kCounterIndexZero>(index_place);
    Counter* described = counter(index, index_place);
    if (described == nullptr) return;
    if (described->is_described) return file_.findings.add<kDuplicateCounterIndex>(index_place, {index});
    described->is_described = true;
    described->type = static_cast<uint8_t>(type);
    if (described->first_sample == 0 || file_.lossy) return;
    file_.findings.add_overridden<kUnknownCounterIndex>(samples_[described->first_sample - 1], {index});
}

constexpr Rule kDuplicateCounterSample{.id = "mlpd/duplicate-counter-sample",
                                       .severity = Severity::note,
                                       .statement = "an event samples each counter once",
                                       .message = "the same event already sampled counter {0}",
                                       .why = "readers keep one of the two values, or add both",
                                       .spec = "4.3.6 Counters",
                                       .since = "0.1.0"};

void Counters::sample(uint64_t index, const Place& index_place) {
    Counter* sampled = counter(index, index_place);
    if (sampled == nullptr) return;
    if (sampled->last_event == index_place.record_index)
        file_.findings.add<kDuplicateCounterSample>(index_place, {index});
    sampled->last_event = index_place.record_index;
    if (sampled->is_described || sampled->first_sample != 0 || file_.lossy) return;
    if (!samples_.push_back(index_place)) return file_.stop(Tracking::counters, index_place);
    sampled->first_sample = static_cast<uint32_t>(samples_.size());
}

constexpr Rule kCounterTypeMismatch{
    .id = "mlpd/counter-type-mismatch",
    .severity = Severity::warning,
    .statement = "a sample has the type of its counter",
    .message = "the sample of counter {0} has type {1}, but its descriptor has type {2}",
    .why = "mprof-report interprets the bytes of one type as the other",
    .spec = "4.3.6 Counters",
    .since = "0.1.0"};

void Counters::sample_type(uint64_t index, uint64_t type, const Place& type_place) {
    if (!file_.tracks(Tracking::counters)) return;
    const Counter* sampled = counters_.find(index);
    if (sampled == nullptr || !sampled->is_described || sampled->type == type) return;
    file_.findings.add<kCounterTypeMismatch>(type_place, {index, type, sampled->type});
}

void Counters::finish() {
    if (!file_.tracks(Tracking::counters)) return;
    counters_.for_each([&](const Counter& counter) {
        if (counter.is_described) return;
        Diagnostic finding{.rule = &kUnknownCounterIndex, .place = samples_[counter.first_sample - 1]};
        finding.numbers = {counter.key};
        finding.about_end = true;
        file_.findings.add(finding);
    });
}

static constexpr const Rule* kRules[] = {&kCounterIndexZero, &kDuplicateCounterIndex, &kUnknownCounterIndex,
                                         &kCounterTypeMismatch, &kDuplicateCounterSample};
constinit const RuleList kCounterRules{kRules};

}  // namespace tracelint::mlpd
