// The timestamps of a file (section 5.2).
#include "grammars/jitdump/checks/clock.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kHour = 3'600'000'000'000;  // ns; the same number of ticks with ARCH_TIMESTAMP
constexpr uint64_t kDay = 24 * kHour;

bool far_from_both(uint64_t time, uint64_t before, uint64_t after) {
    const uint64_t low = std::min(before, after), high = std::max(before, after);
    return (time > high && time - high > kHour) || (time < low && low - time > kHour);
}

}  // namespace

Place Clock::place_of(const Stamp& stamp) {
    return View<kPrefix>(nullptr, stamp.offset, ByteOrder::little, stamp.index).place<"timestamp">();
}

constexpr Rule kTimestampZero{
    .id = "jitdump/timestamp-zero",
    .severity = Severity::warning,
    .statement = "every record has a timestamp",
    .message = "timestamp is 0",
    .why = "readers treat the function as loaded since boot; Mono wrote 0 where it had no clock_gettime",
    .spec = "3.2 Record header",
    .since = "0.1.0",
};

constexpr Rule kTimestampClockMix{
    .id = "jitdump/timestamp-clock-mix",
    .severity = Severity::warning,
    .statement = "all timestamps come from one clock",
    .message = "timestamp {0} is more than an hour away from both its neighbours, {1} and {2}",
    .why = "the function is placed at a time when it did not exist; the timestamp is damaged or from another clock",
    .spec = "3.2 Record header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Clock::record(const View<kPrefix>& prefix) {
    const uint64_t time = prefix.get<"timestamp">();
    if (time == 0) [[unlikely]]
        return report_.add<kTimestampZero>(prefix.place<"timestamp">());
    if (!first_seen_) [[unlikely]]
        check_header(time);
    if (candidate_.exists) {
        // A candidate on another clock is dropped, so that the next one is compared with its predecessor.
        if (has_predecessor_ && far_from_both(candidate_.time, predecessor_, time)) [[unlikely]] {
            report_.add<kTimestampClockMix>(place_of(candidate_), {candidate_.time, predecessor_, time});
        } else {
            settle_candidate();
        }
    }
    candidate_ = {time, prefix.offset(), prefix.record_index(), true};
}

constexpr Rule kHeaderTimestampClock{
    .id = "jitdump/header-timestamp-clock",
    .severity = Severity::note,
    .statement = "the header's timestamp comes from the clock of the records and is not after the first of them",
    .message = "the header's timestamp is {0}, but the first record's is {1}: different clocks, or out of order",
    .why = "readers ignore the header's timestamp today; V8 and CPython write wall-clock microseconds here",
    .spec = "3.1 Jitdump file header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Clock::check_header(uint64_t first_time) {
    first_seen_ = true;
    if (header_time_ > first_time || first_time - header_time_ > kDay)
        report_.add<kHeaderTimestampClock>(header_place_, {header_time_, first_time});
}

constexpr Rule kTimestampRegression{
    .id = "jitdump/timestamp-regression",
    .severity = Severity::warning,
    .statement = "timestamps do not go backwards",
    .message = "timestamp {0} is {1} lower than the previous plausible timestamp, {2}",
    .why =
        "Arm Streamline rejects the file; other readers may attribute samples to a function that was replaced. The "
        "usual cause is a writer that reads the clock before it takes the lock for writing",
    .spec = "3.2 Record header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

void Clock::settle_candidate() {
    if (candidate_.time < predecessor_) [[unlikely]]
        report_.add<kTimestampRegression>(place_of(candidate_),
                                          {candidate_.time, predecessor_ - candidate_.time, predecessor_});
    predecessor_ = candidate_.time;
    has_predecessor_ = true;
}

void Clock::end() { settle_candidate(); }

constinit const RuleList kClockRules =
    rules<&kTimestampZero, &kTimestampClockMix, &kHeaderTimestampClock, &kTimestampRegression>;

}  // namespace tracelint::jitdump
