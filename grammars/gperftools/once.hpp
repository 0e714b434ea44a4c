// gperftools, section 5.0: rules that are reported once per profile, at the first place, with the number of
// occurrences.
#pragma once

#include "validator/report/report.hpp"

namespace tracelint::gperftools {

// Gathers the occurrences of such rules until the profile is over.
class OncePerProfile {
  public:
    // One more occurrence. {0} of the message becomes the number of occurrences; `numbers` are {1} and so on, of the
    // first place. The compiler refuses a call with fewer or more numbers than the rule's message needs.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 1, "the rule's message needs numbers");
        add({.rule = &R, .place = place});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N + 1, "the rule's message needs another count of numbers");
        Diagnostic found{.rule = &R, .place = place};
        std::copy(numbers, numbers + N, found.numbers.begin() + 1);
        add(found);
    }
    // With the severity override of the rule, whose occurrences are counted by themselves.
    template <const Rule& R>
    void add_overridden(const Place& place) {
        static_assert(numbers_of(R) == 1, "the rule's message needs numbers");
        add({.rule = &R, .place = place, .is_overridden = true});
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N + 1, "the rule's message needs another count of numbers");
        Diagnostic found{.rule = &R, .place = place, .is_overridden = true};
        std::copy(numbers, numbers + N, found.numbers.begin() + 1);
        add(found);
    }
    // Several occurrences, `first` being the first of them; its numbers from {1} on are kept.
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& first, uint64_t times = 1);
    // The last line has no line end and begins at `offset`: findings from there on may be due to missing bytes.
    void cut_from(uint64_t offset) { cut_ = offset; }
    // Forgets the occurrences of a rule.
    void drop(const Rule& rule);
    // Reports everything, and starts over.
    void report_to(Report& report);

  private:
    struct Pending {
        Diagnostic first;
        uint64_t times = 0;
    };
    std::vector<Pending> pending_;
    uint64_t cut_ = kNone;  // where the last line begins if it has no line end
};

}  // namespace tracelint::gperftools
