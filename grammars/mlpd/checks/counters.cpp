// mlpd, section 4.3.6: counters, which are described once and then sampled.
#include "grammars/mlpd/checks/counters.hpp"

namespace tracelint::mlpd {

void Counters::note(const Noted& noted) {
    if (!file_.tracks(Tracking::counters)) return;
    if (noted.what != What::sample_type) counters_.prefetch(noted.index);
    const auto prefetch = [this](const Noted& earlier) __attribute__((always_inline)) {
        if (earlier.what != What::sample_type) counters_.prefetch_entry(earlier.index);
    };
    noted_.add(noted, prefetch, [this](const Noted& earlier) { take(earlier); });
}

void Counters::take_all() {
    noted_.take_all([this](const Noted& noted) { take(noted); });
}

void Counters::take(const Noted& noted) {
    // The type of a sample follows its index.
    Counter* const known = noted.what == What::sample_type ? last_ : counter(noted.index, noted.place);
    if (known == nullptr) return;
    switch (noted.what) {
        case What::description: return take_description(*known, noted);
        case What::sample: return take_sample(*known, noted);
        case What::sample_type: return take_sample_type(*known, noted);
    }
}

Counters::Counter* Counters::counter(uint64_t index, const Place& at) {
    if (!file_.tracks(Tracking::counters)) return last_ = nullptr;
    last_ = counters_.find_or_insert(index);
    if (last_ == nullptr) file_.stop(Tracking::counters, at);
    return last_;
}

constexpr Rule kCounterIndexZero{
    .id = "mlpd/counter-index-zero",
    .severity = Severity::error,
    .statement = "the index of a counter is above 0",
    .message = "the descriptor gives its counter index 0",
    .why = "no sample can refer to it, because index 0 ends a list of samples",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
};

constexpr Rule kDuplicateCounterIndex{
    .id = "mlpd/duplicate-counter-index",
    .severity = Severity::warning,
    .statement = "every counter has its own index",
    .message = "an earlier counter already has index {0}",
    .why = "mprof-report drops the second counter and shows its values as those of the first",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
};

constexpr Rule kUnknownCounterIndex{
    .id = "mlpd/unknown-counter-index",
    .severity = Severity::warning,
    .statement = "a counter is described before it is sampled",
    .message = "no descriptor of the file has index {0}",
    .why = "mprof-report silently drops the value",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
    .severity_override =
        SeverityOverride{Severity::note, "it is described later in the file", "index {0} is described only later", {}},
};

void Counters::describe(uint64_t index, uint64_t type, const Place& index_place) {
    if (index == 0) return file_.findings.add<kCounterIndexZero>(index_place);
    note({index, type, What::description, file_.lossy, index_place});
}

void Counters::take_description(Counter& described, const Noted& noted) {
    if (described.is_described) return file_.findings.add<kDuplicateCounterIndex>(noted.place, {noted.index});
    described.is_described = true;
    described.type = static_cast<uint8_t>(noted.type);
    if (!described.first_sample.is_set() || noted.lossy) return;
    file_.findings.add_overridden<kUnknownCounterIndex>(kinds_.place(described.first_sample), {noted.index});
}

constexpr Rule kDuplicateCounterSample{
    .id = "mlpd/duplicate-counter-sample",
    .severity = Severity::note,
    .statement = "an event samples each counter once",
    .message = "the same event already sampled counter {0}",
    .why = "readers keep one of the two values, or add both",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
};

void Counters::take_sample(Counter& sampled, const Noted& noted) {
    const Place& place = noted.place;
    if (sampled.last_event == place.record_index) file_.findings.add<kDuplicateCounterSample>(place, {noted.index});
    sampled.last_event = place.record_index;
    if (!sampled.is_described && !sampled.first_sample.is_set() && !noted.lossy)
        sampled.first_sample = kinds_.packed(place);
}

constexpr Rule kCounterTypeMismatch{
    .id = "mlpd/counter-type-mismatch",
    .severity = Severity::warning,
    .statement = "a sample has the type of its counter",
    .message = "the sample of counter {0} has type {1}, but its descriptor has type {2}",
    .why = "mprof-report interprets the bytes of one type as the other",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
};

void Counters::take_sample_type(const Counter& sampled, const Noted& noted) {
    if (!sampled.is_described || sampled.type == noted.type) return;
    file_.findings.add<kCounterTypeMismatch>(noted.place, {noted.index, noted.type, sampled.type});
}

void Counters::finish() {
    take_all();
    if (!file_.tracks(Tracking::counters)) return;
    counters_.for_each([&](const Counter& counter) {
        if (counter.is_described) return;
        Diagnostic finding{.rule = &kUnknownCounterIndex, .place = kinds_.place(counter.first_sample)};
        finding.numbers = {counter.key};
        finding.about_end = true;
        file_.findings.add(finding);
    });
}

constinit const RuleList kCounterRules = rules<&kCounterIndexZero, &kDuplicateCounterIndex, &kUnknownCounterIndex,
                                               &kDuplicateCounterSample, &kCounterTypeMismatch>;

}  // namespace tracelint::mlpd
