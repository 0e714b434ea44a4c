// pprof, sections 5.3 and 5.4: samples and their labels.
#pragma once

#include "grammars/pprof/checks/entries.hpp"

namespace tracelint::pprof {

class Samples {
  public:
    Samples(ValidationContext& context, Aggregates& aggregates, Certainty& certainty, Strings& strings,
            Entries& entries)
        : context_(context),
          aggregates_(aggregates),
          certainty_(certainty),
          strings_(strings),
          entries_(entries),
          keys_(context.budget, context.work),
          counts_(context.budget, context.work),
          sums_(context.budget),
          values_(context.budget),
          stacks_(context.budget, context.work) {}

    // The parts of a sample come one by one, between begin() and end().
    void begin(uint64_t record);
    void add_location(uint64_t id, const Part& place);
    void add_value(uint64_t value, const Part& place);
    void add_label(const Contents& label);
    void end(const Contents& sample);
    // A sample that was not read at all.
    void add_unread(const Mark& sample);

    uint64_t size() const { return count_; }
    // With the number of sample types. True: samples have another number of values.
    bool finish(uint64_t sample_types, bool knows_types);

  private:
    struct Key {
        uint64_t key;  // the index of the label's key
        Mark first;
        uint64_t last_sample;  // the number of the last sample that has it, from 1
        uint64_t unit;         // the first that is not 0
        bool is_key;
    };
    // Samples with so many values.
    struct Count {
        uint64_t key;
        uint64_t samples;
        Mark first;
        uint64_t first_sum;  // of their columns in sums_
    };
    struct Sum {
        int64_t total;
        bool is_broken;
        Mark place;  // of the value that leaves 64 bits
    };
    // Sums are kept of samples with up to so many values, for so many numbers of values: a healthy file has one number.
    static constexpr uint64_t kMostSums = 256, kMostCounts = 8;
    static constexpr uint64_t kNoSums = kNone;
    struct Value {
        int64_t value;
        Mark place;
    };
    struct Stack {
        uint64_t key;  // a hash of locations and labels
        bool is_used;
        bool is_vacant() const { return !is_used; }
    };
    void check_label(const Contents& label);
    void check_key(const Contents& label);
    void add_values(const Contents& sample);
    void check_repetition(const Contents& sample);
    void mix(uint64_t& hash, uint64_t number) const { hash = seeded(hash ^ number, seed_); }

    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    Strings& strings_;
    Entries& entries_;
    OrderedTable<Key> keys_;
    OrderedTable<Count> counts_;
    LongVector<Sum> sums_;
    BudgetedVector<Value> values_;  // of the sample that is read, up to kMostSums
    uint64_t value_count_ = 0;
    HashTable<Stack> stacks_;  // the first to go
    const uint64_t seed_ = hash_seed();
    uint64_t record_ = 0, count_ = 0;
    uint64_t locations_hash_ = 0, labels_hash_ = 0;
    bool has_location_ = false;
    bool has_number_ = false;  // a value of the sample is not 0
    bool keeps_stacks_ = true;
    uint64_t repetitions_ = 0;
    Mark first_repetition_, first_sample_;
};

extern const RuleList kSampleRules;

}  // namespace tracelint::pprof
