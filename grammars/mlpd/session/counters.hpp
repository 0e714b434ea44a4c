// mlpd, section 4.3.6: counters, which are described once and then sampled.
#pragma once

#include "grammars/mlpd/session/file_state.hpp"
#include "grammars/mlpd/session/id_table.hpp"
#include "validator/budgeted_vector.hpp"

namespace tracelint::mlpd {

class Counters {
  public:
    explicit Counters(FileState& file)
        : file_(file), counters_(file.context.budget, file.context.work), samples_(file.context.budget) {}

    // A descriptor, once its index was read.
    void describe(uint64_t index, uint64_t type, const Place& index_place);
    // A sample with an index above 0, once that was read.
    void sample(uint64_t index, const Place& index_place);
    // The same sample, once its type was read.
    void sample_type(uint64_t index, uint64_t type, const Place& type_place);
    // The end of the file.
    void finish();

  private:
    struct Counter {
        uint64_t key = 0;
        bool is_described = false;
        uint8_t type = 0;
        uint32_t first_sample = 0;    // number in samples_, from 1; 0: none before it was described
        uint64_t last_event = kNone;  // index of the last event that sampled it
    };
    Counter* counter(uint64_t index, const Place& at);

    FileState& file_;
    IdTable<Counter> counters_;
    BudgetedVector<Place> samples_;  // the first sample of each counter that was not described yet
};

extern const RuleList kCounterRules;

}  // namespace tracelint::mlpd
