// mlpd: how every part of the walk reports, and the place of an event.
#pragma once

#include <algorithm>
#include <array>

#include "validator/report/report.hpp"
#include "validator/tables/place.hpp"

namespace tracelint::mlpd {

// The place of one event: cheap to make, turned into a Place only for a finding.
struct Spot {
    uint64_t offset = 0;  // of the op byte
    uint64_t length = 0;  // bytes of the whole event; undefined while it is being read
    uint64_t index = 0;   // among the buffers and events of the file
    const Record* record = nullptr;

    // The whole event.
    Place place() const { return {offset, length, record, nullptr, nullptr, index, kNone}; }
    // Its op byte alone.
    Place op() const { return {offset, 1, record, nullptr, nullptr, index, kNone}; }
};

// Passes findings on to the report. Remembers whether an event of the current buffer has an error, since a framing
// fault after one is likely its consequence (section 4.2), and drops repetitions when a rescan reads bytes again.
class Findings {
  public:
    explicit Findings(Report& report) : report_(report) {}

    // Checks the count of numbers at compile time, as Report::add() does.
    template <const Rule& R>
    void add(const Place& place) {
        static_assert(numbers_of(R) == 0, "the rule's message needs numbers");
        add(R, place, {});
    }
    template <const Rule& R, size_t N>
    void add(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add(R, place, std::span<const uint64_t>(numbers));
    }
    template <const Rule& R, size_t N>
    void add_overridden(const Place& place, const uint64_t (&numbers)[N]) {
        static_assert(numbers_of(R) == N, "the rule's message needs another count of numbers");
        add_overridden(R, place, std::span<const uint64_t>(numbers));
    }
    [[gnu::cold]] void add(const Diagnostic& diagnostic) {
        if (severity_of(diagnostic) == Severity::error) has_error_ = true;
        if (!is_repetition(*diagnostic.rule, diagnostic.place)) report_.add(diagnostic);
    }
    // For rules that are known at run time alone.
    [[gnu::cold]] void add(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
        if (rule.severity == Severity::error) has_error_ = true;
        if (!is_repetition(rule, place)) report_.add(rule, place, numbers);
    }
    void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
        add(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }
    [[gnu::cold]] void add_overridden(const Rule& rule, const Place& place, std::span<const uint64_t> numbers) {
        if (!is_repetition(rule, place)) report_.add_overridden(rule, place, numbers);
    }
    void add_overridden(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers) {
        add_overridden(rule, place, std::span<const uint64_t>(numbers.begin(), numbers.size()));
    }

    void begin_buffer() { has_error_ = false; }
    bool has_error() const { return has_error_; }

    // The bytes from `from` to `to` will be read again. False: they have more findings than are remembered.
    bool read_again(uint64_t from, uint64_t to) {
        repeated_ = last_;
        repeated_to_ = to;
        return std::ranges::any_of(repeated_, [=](const Reported& reported) { return reported.offset < from; });
    }

  private:
    struct Reported {
        const Rule* rule = nullptr;
        uint64_t offset = 0, length = 0;
        bool operator==(const Reported&) const = default;
    };
    static constexpr size_t kRemembered = 64;

    bool is_repetition(const Rule& rule, const Place& place) {
        const Reported reported{&rule, place.offset, place.length};
        if (place.offset < repeated_to_ && std::ranges::find(repeated_, reported) != repeated_.end()) return true;
        last_[count_++ % kRemembered] = reported;
        return false;
    }

    Report& report_;
    bool has_error_ = false;
    std::array<Reported, kRemembered> last_{}, repeated_{};
    size_t count_ = 0;
    uint64_t repeated_to_ = 0;
};

}  // namespace tracelint::mlpd
