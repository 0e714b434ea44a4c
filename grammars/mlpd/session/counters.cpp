// mlpd, sections 4.3 and 5, rules 57 to 60 and 62.
#include "grammars/mlpd/session/counters.hpp"

namespace tracelint::mlpd {

Counters::Counter* Counters::counter(uint64_t index, const Place& at) {
    if (!file_.tracks(Tracking::counters)) return nullptr;
    Counter* found = counters_.find_or_insert(index);
    if (found == nullptr) file_.stop(Tracking::counters, at);
    return found;
}

void Counters::describe(uint64_t index, uint64_t type, const Place& index_place) {
    if (index == 0) return file_.findings.add(kCounterIndexZero, index_place);
    Counter* described = counter(index, index_place);
    if (described == nullptr) return;
    if (described->is_described) return file_.findings.add(kDuplicateCounterIndex, index_place, {index});
    described->is_described = true;
    described->type = static_cast<uint8_t>(type);
    if (described->first_sample == 0 || file_.lossy) return;
    file_.findings.add_overridden(kUnknownCounterIndex, samples_[described->first_sample - 1], {index});
}

void Counters::sample(uint64_t index, const Place& index_place) {
    Counter* sampled = counter(index, index_place);
    if (sampled == nullptr) return;
    if (sampled->last_event == index_place.record_index)
        file_.findings.add(kDuplicateCounterSample, index_place, {index});
    sampled->last_event = index_place.record_index;
    if (sampled->is_described || sampled->first_sample != 0 || file_.lossy) return;
    if (!file_.context.budget.take(sizeof(Place))) return file_.stop(Tracking::counters, index_place);
    samples_.push_back(index_place);
    sampled->first_sample = static_cast<uint32_t>(samples_.size());
}

void Counters::sample_type(uint64_t index, uint64_t type, const Place& type_place) {
    if (!file_.tracks(Tracking::counters)) return;
    const Counter* sampled = counters_.find(index);
    if (sampled == nullptr || !sampled->is_described || sampled->type == type) return;
    file_.findings.add(kCounterTypeMismatch, type_place, {index, type, sampled->type});
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

}  // namespace tracelint::mlpd
