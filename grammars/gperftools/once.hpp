// gperftools, section 5.0: rules that are said once in a profile, at the first of all places, with their number.
#pragma once

#include "validator/report.hpp"

namespace tracelint::gperftools {

// Gathers the occurrences of such rules until the profile is over.
class OncePerProfile {
  public:
    // One more occurrence. {0} of the message will be their number; `numbers` of the first place follow.
    [[gnu::cold, gnu::noinline]] void add(const Rule& rule, const Place& place,
                                          std::initializer_list<uint64_t> numbers = {});
    // In the milder form of the rule.
    [[gnu::cold, gnu::noinline]] void add_overridden(const Rule& rule, const Place& place) {
        add({.rule = &rule, .place = place, .is_overridden = true});
    }
    // Several at once, of which this is the first; its numbers are those from {1} on.
    [[gnu::cold, gnu::noinline]] void add(const Diagnostic& first, uint64_t times = 1);
    // The last line has no end, and begins here: what is said of it may be due to what is missing.
    void cut_from(uint64_t offset) { cut_ = offset; }
    // Takes back what was said.
    void drop(const Rule& rule);
    // Says everything, and begins anew.
    void report_to(Report& report);

  private:
    struct Said {
        Diagnostic first;
        uint64_t times = 0;
    };
    std::vector<Said> said_;
    uint64_t cut_ = kNone;  // where the last line begins, if it has no end
};

}  // namespace tracelint::gperftools
