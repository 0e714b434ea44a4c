// mlpd, sections 4.3 and 5, rules 57 to 60 and 62: counters are described once and sampled again and again.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kCounterIndexZero{.id = "mlpd/counter-index-zero",
                                        .severity = Severity::error,
                                        .statement = "the index of a counter is above 0",
                                        .message = "the descriptor gives its counter the index 0",
                                        .why = "no sample can name it: index 0 ends a list of samples",
                                        .spec = "4.3.6 Counters",
                                        .since = "0.1.0"};

inline constexpr Rule kDuplicateCounterIndex{
    .id = "mlpd/duplicate-counter-index",
    .severity = Severity::warning,
    .statement = "every counter has an index of its own",
    .message = "index {0} was given to an earlier counter already",
    .why = "mprof-report drops the second counter, and shows its values as those of the first",
    .spec = "4.3.6 Counters",
    .since = "0.1.0"};

inline constexpr Rule kUnknownCounterIndex{
    .id = "mlpd/unknown-counter-index",
    .severity = Severity::warning,
    .statement = "a counter is described before it is sampled",
    .message = "no descriptor of the file has index {0}",
    .why = "mprof-report drops the value without a word",
    .spec = "4.3.6 Counters",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override =
        SeverityOverride{Severity::note, "it is described later in the file", "index {0} is described only later", {}}};

inline constexpr Rule kCounterTypeMismatch{
    .id = "mlpd/counter-type-mismatch",
    .severity = Severity::warning,
    .statement = "the type of a sample is that of its counter",
    .message = "the sample of counter {0} has type {1}, and its descriptor says {2}",
    .why = "mprof-report takes the bytes of one type for those of the other",
    .spec = "4.3.6 Counters",
    .since = "0.1.0"};

inline constexpr Rule kDuplicateCounterSample{.id = "mlpd/duplicate-counter-sample",
                                              .severity = Severity::note,
                                              .statement = "an event samples each counter once",
                                              .message = "counter {0} was sampled by the same event already",
                                              .why = "readers keep one of the two values, or add both",
                                              .spec = "4.3.6 Counters",
                                              .since = "0.1.0"};

inline constexpr const Rule* kCounterRules[] = {&kCounterIndexZero, &kDuplicateCounterIndex, &kUnknownCounterIndex,
                                                &kCounterTypeMismatch, &kDuplicateCounterSample};

class Counters {
  public:
    explicit Counters(FileState& file) : file_(file), counters_(file.context.budget, file.context.work) {}

    // A descriptor, when its index was read.
    void describe(uint64_t index, uint64_t type, const Place& index_place);
    // A sample, when its index was read, which is not 0.
    void sample(uint64_t index, const Place& index_place);
    // The same sample, when its type was read.
    void sample_type(uint64_t index, uint64_t type, const Place& type_place);
    // What rule 59 says at the end of the file.
    void finish();

  private:
    struct Counter {
        uint64_t key = 0;
        bool is_described = false;
        uint8_t type = 0;
        uint32_t first_sample = 0;    // number in samples_, from 1; 0: none before it was described
        uint64_t last_event = kNone;  // that sampled it
    };
    Counter* counter(uint64_t index, const Place& at);

    FileState& file_;
    IdTable<Counter> counters_;
    std::vector<Place> samples_;  // the first one of each counter that was not described yet
};

}  // namespace tracelint::mlpd
