// mlpd: what all parts of the walk report through, and where an event is.
#pragma once

#include "validator/place.hpp"
#include "validator/report.hpp"

namespace tracelint::mlpd {

// One event as a place: cheap to make, turned into a Place only where something is to be said.
struct Spot {
    uint64_t offset = 0;  // of the op byte
    uint64_t length = 0;  // of the whole event; of what was read so far while it is being read
    uint64_t index = 0;   // among the buffers and events of the file
    const Record* record = nullptr;

    // E: the whole event.
    Place place() const { return {offset, length, record, nullptr, nullptr, index, kNone}; }
    // Its op byte alone.
    Place op() const { return {offset, 1, record, nullptr, nullptr, index, kNone}; }
};

// The report, and whether an event of the current buffer has an error: a framing fault behind one is
// likely its consequence (4.2).
class Findings {
  public:
    explicit Findings(Report& report) : report_(report) {}

    [[gnu::cold]] void add(const Diagnostic& diagnostic) {
        if (severity_of(diagnostic) == Severity::error) has_error_ = true;
        report_.add(diagnostic);
    }
    [[gnu::cold]] void add(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        if (rule.severity == Severity::error) has_error_ = true;
        report_.add(rule, place, numbers);
    }
    [[gnu::cold]] void add_milder(const Rule& rule, const Place& place, std::initializer_list<uint64_t> numbers = {}) {
        if (rule.milder->severity == Severity::error) has_error_ = true;
        report_.add_milder(rule, place, numbers);
    }

    void begin_buffer() { has_error_ = false; }
    bool has_error() const { return has_error_; }

  private:
    Report& report_;
    bool has_error_ = false;
};

}  // namespace tracelint::mlpd
