// nettrace, section 4.1: what is said after a fault, and what is no longer missed.
#pragma once

#include <algorithm>
#include <vector>

#include "validator/report/report.hpp"

namespace tracelint::nettrace {

// How the walk over the content of a block ends.
enum class Walked : uint8_t {
    whole,  // at its end
    left,   // by a framing fault
    cut,    // by the end of the file
};

// Speaks for the block that is walked. Its first error puts the rest of it in doubt. A warning of each rule is reported
// once in a block, and of the rules about times only one.
class Findings {
  public:
    explicit Findings(Report& report) : report_(report) {}

    void begin_block() {
        is_in_doubt_ = is_silenced_;
        has_time_finding_ = has_framing_fault_ = false;
        spent_.clear();
    }
    bool is_in_doubt() const { return is_in_doubt_; }
    // Whether a fault, not a limit, leaves the rest of the block unchecked.
    bool has_fault() const { return is_in_doubt_ && !is_silenced_; }
    void put_in_doubt() { is_in_doubt_ = true; }
    // The same for this block and all later ones.
    void silence() { is_silenced_ = is_in_doubt_ = true; }
    bool has_time_finding() const { return has_time_finding_; }

    // The size of a block of version 6 was in doubt: nothing is reported, and errors put nothing in doubt.
    bool is_quiet() const { return is_quiet_; }
    void set_quiet(bool is_quiet) { is_quiet_ = is_quiet; }

    // Some bytes of the block could not be told apart.
    void note_framing_fault() { has_framing_fault_ = true; }
    bool has_framing_fault() const { return has_framing_fault_; }

    // Whether a finding would be reported.
    bool speaks() const { return !is_quiet_ && !is_in_doubt_; }
    // The same of a finding of this rule. Asked before a finding is made: hostile files break a rule in every record.
    bool takes(const Rule& rule, Severity severity) const {
        return speaks() && (severity != Severity::warning || !is_spent(rule));
    }

    // Inside the block. True: it is reported.
    template <const Rule& R, size_t N = 0>
    bool add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(N >= R.message.numbers, "the rule's message needs another count of numbers");
        return takes(R, R.severity) && add({.rule = &R, .place = place}, numbers);
    }
    template <const Rule& R>
    bool add(const Place& place) {
        static_assert(R.message.numbers == 0, "the rule's message needs numbers");
        return takes(R, R.severity) && add({.rule = &R, .place = place}, {});
    }
    // With the override of the rule's severity.
    template <const Rule& R, size_t N>
    bool add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(N >= numbers_of(R), "the rule's message needs another count of numbers");
        return takes(R, R.severity_override->severity) &&
               add({.rule = &R, .place = place, .is_overridden = true}, numbers);
    }
    // A warning or note about a time.
    template <const Rule& R, size_t N>
    bool add_time(const Place& place, const uint64_t (&numbers)[N]) {
        if (has_time_finding_ || !speaks()) return false;
        has_time_finding_ = true;
        return add<R>(place, numbers);
    }
    template <const Rule& R>
    bool add_overridden(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        return takes(R, R.severity_override->severity) && add({.rule = &R, .place = place, .is_overridden = true}, {});
    }
    [[gnu::cold, gnu::noinline]] bool add(Diagnostic finding, std::span<const uint64_t> numbers);

    // Outside of blocks, or about the Trace: puts nothing in doubt.
    template <const Rule& R, size_t N = 0>
    void add_outside(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(N >= R.message.numbers, "the rule's message needs another count of numbers");
        add_outside({.rule = &R, .place = place}, numbers);
    }
    template <const Rule& R>
    void add_outside(const Place& place) {
        add_outside({.rule = &R, .place = place}, {});
    }
    template <const Rule& R, size_t N>
    void add_outside_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        add_outside({.rule = &R, .place = place, .is_overridden = true}, numbers);
    }
    [[gnu::cold, gnu::noinline]] void add_outside(Diagnostic finding, std::span<const uint64_t> numbers);

  private:
    bool is_spent(const Rule& rule) const { return std::find(spent_.begin(), spent_.end(), &rule) != spent_.end(); }

    Report& report_;
    std::vector<const Rule*> spent_;  // rules whose warning the block had; at most as many as there are rules
    bool is_in_doubt_ = false;
    bool is_silenced_ = false;
    bool has_time_finding_ = false;
    bool has_framing_fault_ = false;
    bool is_quiet_ = false;
};

// What lost bytes could have defined is not missed any more.
struct Losses {
    bool metadata = false, stacks = false, labels = false, threads = false;
    bool first_numbers = false;  // of threads

    void lose_definitions() { metadata = stacks = labels = threads = first_numbers = true; }
};

}  // namespace tracelint::nettrace
