// mlpd, section 4.3.6: counters, which are described once and then sampled.
#pragma once

#include "grammars/mlpd/checks/id_table.hpp"
#include "grammars/mlpd/checks/state.hpp"

namespace tracelint::mlpd {

class Counters {
  public:
    explicit Counters(FileState& file) : file_(file), counters_(file.context.budget, file.context.work) {}

    // A descriptor, once its index was read.
    void describe(uint64_t index, uint64_t type, const Place& index_place);
    // A sample with an index above 0, once that was read.
    void sample(uint64_t index, const Place& index_place) { note({index, 0, What::sample, file_.lossy, index_place}); }
    // The rest of the sample, once its type was read.
    void sample_type(uint64_t index, uint64_t type, const Place& type_place) {
        note({index, type, What::sample_type, file_.lossy, type_place});
    }
    // Reports everything that the events so far give rise to: at the end of a buffer.
    void take_all();
    // The end of the file.
    void finish();

  private:
    struct Counter {
        uint64_t key = 0;
        uint64_t last_event = kNone;                      // index of the last event that sampled it
        [[no_unique_address]] ShortPlace first_sample{};  // before it was described; not set: none
        bool is_described = false;
        uint8_t type = 0;
    };
    static_assert(sizeof(Counter) == 40);
    enum class What : uint8_t { description, sample, sample_type };
    // It enters the table later, once the prefetched entry has arrived in the cache.
    struct Noted {
        uint64_t index, type;
        What what;
        bool lossy;  // what was read before may be incomplete
        Place place;
    };
    void note(const Noted& noted);
    void take(const Noted& noted);
    Counter* counter(uint64_t index, const Place& at);
    void take_description(Counter& described, const Noted& noted);
    void take_sample(Counter& sampled, const Noted& noted);
    void take_sample_type(const Counter& sampled, const Noted& noted);

    FileState& file_;
    IdTable<Counter> counters_;
    Counter* last_ = nullptr;  // that was looked up last
    PlaceKinds kinds_;
    DelayQueue<Noted, 16> noted_;
};

extern const RuleList kCounterRules;

}  // namespace tracelint::mlpd
