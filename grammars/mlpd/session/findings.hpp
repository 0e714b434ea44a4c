// mlpd: what all parts of the walk report through, and where an event is.
#pragma once

#include <algorithm>
#include <array>

#include "validator/place.hpp"
#include "validator/report.hpp"

namespace tracelint::mlpd {

// One event as a place: cheap to make, turned into a Place only where something is to be said.
struct Spot {
    uint64_t offset = 0;  // of the op byte
    uint64_t length = 0;  // of the whole event; nothing of value while it is being read
    uint64_t index = 0;   // among the buffers and events of the file
    const Record* record = nullptr;

    // E: the whole event.
    Place place() const { return {offset, length, record, nullptr, nullptr, index, kNone}; }
    // Its op byte alone.
    Place op() const { return {offset, 1, record, nullptr, nullptr, index, kNone}; }
};

// The report, and whether an event of the current buffer has an error: a framing fault behind one is
// likely its consequence (4.2). What a rescan reads once more is not said twice.
class Findings {
  public:
    explicit Findings(Report& report) : report_(report) {}

    [[gnu::cold]] void add(const Diagnostic& diagnostic) {
        if (severity_of(diagnostic) == Severity::error) has_error_ = true;
        if (!was_said(*diagnostic.rule, diagnostic.place)) report_.add(diagnostic);
    }
    [[gnu::cold]] void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        if (rule.severity == Severity::error) has_error_ = true;
        if (!was_said(rule, place)) report_.add(rule, place, numbers);
    }
    [[gnu::cold]] void add_overridden(const Rule& rule, const Place& place,
                                      std::initializer_list<uint64_t> numbers = {}) {
        if (!was_said(rule, place)) report_.add_overridden(rule, place, numbers);
    }

    void begin_buffer() { has_error_ = false; }
    bool has_error() const { return has_error_; }

    // The bytes from `from` to `to` are to be read once more. False: more was said of them than is remembered.
    bool read_again(uint64_t from, uint64_t to) {
        said_ = last_;
        said_to_ = to;
        return std::ranges::any_of(said_, [=](const Said& said) { return said.offset < from; });
    }

  private:
    struct Said {
        const Rule* rule = nullptr;
        uint64_t offset = 0, length = 0;
        bool operator==(const Said&) const = default;
    };
    static constexpr size_t kRemembered = 64;

    bool was_said(const Rule& rule, const Place& place) {
        const Said said{&rule, place.offset, place.length};
        if (place.offset < said_to_ && std::ranges::find(said_, said) != said_.end()) return true;
        last_[count_++ % kRemembered] = said;
        return false;
    }

    Report& report_;
    bool has_error_ = false;
    std::array<Said, kRemembered> last_{}, said_{};
    size_t count_ = 0;
    uint64_t said_to_ = 0;
};

}  // namespace tracelint::mlpd
