// pprof, sections 5.3 and 5.4: samples and their labels.
#pragma once

#include "grammars/pprof/checks/entries.hpp"

namespace tracelint::pprof {

// The hash of a sequence of numbers: of the bytes of their shortest varints, eight at a time, so that packed items are
// hashed as they are.
class SequenceHash {
  public:
    explicit SequenceHash(uint64_t seed) : seed_(seed) {}

    void begin() { hash_ = word_ = bytes_ = 0; }
    void add(uint64_t number) {
        for (; number >= 0x80; number >>= 7) add_byte(static_cast<uint8_t>(number | 0x80));
        add_byte(static_cast<uint8_t>(number));
    }
    // Varints without padding. `has_word`: eight bytes from their start on are in memory.
    void add(Bytes varints, bool has_word) {
        constexpr size_t kWord = sizeof(uint64_t);
        const uint8_t *at = varints.data(), *const end = at + varints.size();
        if (bytes_ % kWord == 0 && varints.size() < kWord && has_word) {
            word_ = load(at, kWord, ByteOrder::little) & ~(~uint64_t{0} << 8 * varints.size());
            bytes_ += varints.size();
            return;
        }
        if (bytes_ % kWord == 0 && varints.size() >= kWord) {
            for (; static_cast<size_t>(end - at) >= kWord; at += kWord) mix(load(at, kWord, ByteOrder::little));
            if (const auto rest = static_cast<size_t>(end - at); rest != 0)
                word_ = load(end - kWord, kWord, ByteOrder::little) >> 8 * (kWord - rest);
            bytes_ += varints.size();
            return;
        }
        while (at < end) add_byte(*at++);
    }
    // The hash, with that of something else.
    uint64_t with(uint64_t other) const { return mixed(hash_, word_) ^ spread(other + bytes_); }

  private:
    void add_byte(uint8_t byte) {
        word_ |= uint64_t{byte} << 8 * (bytes_ % sizeof(uint64_t));
        if (++bytes_ % sizeof(uint64_t) == 0) mix(std::exchange(word_, 0));
    }
    void mix(uint64_t word) { hash_ = mixed(hash_, word); }
    // Only one multiplication waits for the word before.
    uint64_t mixed(uint64_t hash, uint64_t word) const {
        hash = spread(hash ^ seeded(word, seed_));
        return hash ^ hash >> 32;
    }

    const uint64_t seed_;
    uint64_t hash_ = 0;
    uint64_t word_ = 0;   // the bytes that do not fill a word yet
    uint64_t bytes_ = 0;  // of all numbers
};

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
          stacks_(context.budget, context.work),
          locations_(seed_) {}

    // The parts of a sample come one by one, between begin() and end().
    void begin(uint64_t record);
    void add_location(uint64_t id, Part place) {
        has_location_ = true;
        locations_.add(id);
        if (id == 0) return report_no_id(place);
        if (!entries_.is_referenced_location(id)) entries_.refer_to_location(id, mark_of(place, record_));
    }
    void add_value(uint64_t value, Part place) {
        if (static_cast<int64_t>(value) < 0) report_negative(value, place);
        has_number_ = has_number_ || value != 0;
        if (value_count_ < kMostSums) {
            Value& kept = values_[value_count_];
            kept.value = static_cast<int64_t>(value);
            kept.at = place.at;
            kept.size = place.size;
        }
        ++value_count_;
    }
    // Packed items, as long as they are as usual: `readable` is the offset up to which bytes are in memory. Returns how
    // many bytes they are.
    uint64_t take_locations(Bytes items, uint64_t offset, uint64_t readable);
    uint64_t take_values(Bytes items, uint64_t offset, uint64_t readable);
    void add_label(const Contents& label);
    void end(const Contents& sample);
    // A sample that was not read at all.
    void add_unread(const Mark& sample);

    uint64_t size() const { return count_; }
    // With the number of sample types. True: samples have another number of values.
    bool finish(uint64_t sample_types, bool knows_types);
    // The samples that wait to be compared with the others; before finish().
    void settle();

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
        uint64_t at, size;
    };
    struct Stack {
        uint64_t key;  // a hash of locations and labels, not 0
        bool is_vacant() const { return key == 0; }
    };
    // Until the slot of its hash is in the cache.
    struct DelayedStack {
        uint64_t hash;
        Mark sample;
    };
    void report_no_id(Part place);
    void report_negative(uint64_t value, Part place);
    void check_label(const Contents& label);
    void check_key(const Contents& label);
    void add_values(const Contents& sample);
    void check_repetition(const Contents& sample);
    void look_up(const DelayedStack& stack);
    uint64_t take_known(Bytes items, uint64_t at, uint64_t words) const;

    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    Strings& strings_;
    Entries& entries_;
    OrderedTable<Key> keys_;
    OrderedTable<Count> counts_;
    // The entries that were found last; most samples are alike.
    Key* recent_key_ = nullptr;
    Count* recent_count_ = nullptr;
    LongVector<Sum> sums_;
    std::array<Value, kMostSums> values_;  // of the sample that is read
    uint64_t value_count_ = 0;
    HashTable<Stack> stacks_;  // the first to go
    DelayQueue<DelayedStack, 8> waiting_;
    const uint64_t seed_ = hash_seed();
    // Of key, str, num and num_unit: odd numbers that cannot be predicted.
    const uint64_t label_factors_[4] = {seeded(1, seed_) | 1, seeded(2, seed_) | 1, seeded(3, seed_) | 1,
                                        seeded(4, seed_) | 1};
    uint64_t record_ = 0, count_ = 0;
    SequenceHash locations_;
    uint64_t labels_hash_ = 0;
    bool has_location_ = false;
    bool has_number_ = false;  // a value of the sample is not 0
    bool keeps_stacks_ = true;
    uint64_t repetitions_ = 0;
    Mark first_repetition_, first_sample_;
};

extern const RuleList kSampleRules;

}  // namespace tracelint::pprof
