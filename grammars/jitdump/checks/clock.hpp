// The timestamps of a file, which share one clock (section 5.2).
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/report/report.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// Follows the timestamps of all complete records, whatever their type and faults. Times are nanoseconds, or ticks with
// ARCH_TIMESTAMP.
class Clock {
  public:
    explicit Clock(Report& report) : report_(report) {}

    // The timestamp of the file header. Call it before record().
    void header(uint64_t timestamp, const Place& place) {
        header_time_ = timestamp;
        header_place_ = place;
    }
    void record(const View<kPrefix>& prefix);
    // Whether a record with this timestamp settles the one before it without a finding.
    bool ascends_to(uint64_t time) const {
        return candidate_.exists && predecessor_ <= candidate_.time && candidate_.time <= time;
    }
    // Like record(), for a record whose timestamp ascends_to(). `offset`, `index`: of the record.
    void ascend(uint64_t time, uint64_t offset, uint64_t index) {
        predecessor_ = candidate_.time;
        has_predecessor_ = true;
        candidate_ = {time, offset, index, true};
    }
    // No record follows.
    void end();

  private:
    struct Stamp {
        uint64_t time = 0;
        uint64_t offset = 0, index = 0;  // of its record
        bool exists = false;
    };
    static Place place_of(const Stamp& stamp);
    void check_header(uint64_t first_time);
    void settle_candidate();

    Report& report_;
    uint64_t header_time_ = 0;
    Place header_place_;
    bool first_seen_ = false;
    uint64_t predecessor_ = 0;  // the nearest plausible timestamp before the candidate
    bool has_predecessor_ = false;
    Stamp candidate_;  // is judged when the next timestamp is known
};

extern const RuleList kClockRules;

}  // namespace tracelint::jitdump
