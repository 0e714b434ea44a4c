// pprof, section 5.4: the profile as a whole: sample types, times and periods.
#pragma once

#include "grammars/pprof/checks/samples.hpp"

namespace tracelint::pprof {

class Profile {
  public:
    Profile(ValidationContext& context, Aggregates& aggregates, Certainty& certainty)
        : context_(context),
          aggregates_(aggregates),
          certainty_(certainty),
          types_(context.budget),
          names_(context.budget, context.work) {}

    void read_sample_type(const Contents& type, uint64_t record);
    void add_unread_type() { ++unread_types_; }
    void read_period_type(const Contents& type, uint64_t record);
    // A number of the profile: the last one stands.
    void read_number(const Member& member, uint64_t value, const Mark& place);
    // A field of the profile that is not repeated, and not time_nanos.
    void count(const Member& member, const Mark& field);

    // `size`: of the file.
    void finish(uint64_t size, Samples& samples, const Strings& strings);

  private:
    struct Type {
        uint64_t type, unit;
        Mark message, type_place, unit_place;  // those of the whole message if absent
        bool has_type, has_unit, knows_type, knows_unit;
    };
    struct Last {
        int64_t value = 0;
        Mark place;
        uint64_t fields = 0;
        Mark second;
    };
    struct Name {
        uint64_t key;
        bool is_used;
        bool is_vacant() const { return !is_used; }
    };
    uint64_t type_count() const { return types_.size() + unread_types_; }
    Last& last(uint32_t number) { return last_[number]; }
    void check_repeated();
    void check_types(const Strings& strings, bool has_wrong_count);
    void check_default(const Strings& strings);
    void check_times(uint64_t size);
    void check_period();

    ValidationContext& context_;
    Aggregates& aggregates_;
    Certainty& certainty_;
    LongVector<Type> types_;
    HashTable<Name> names_;  // hashes of the names of sample types
    uint64_t unread_types_ = 0;
    std::array<Last, 16> last_{};
    Mark period_type_;
    uint64_t period_types_ = 0;
};

extern const RuleList kProfileRules;

}  // namespace tracelint::pprof
