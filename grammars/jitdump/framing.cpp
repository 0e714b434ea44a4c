// jitdump, section 5.2: the clock that all records share.
#include "grammars/jitdump/framing.hpp"

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

void Clock::record(const View<kPrefix>& prefix) {
    const uint64_t time = prefix.get<"timestamp">();
    if (time == 0) [[unlikely]]
        return report_.add(kTimestampZero, prefix.place<"timestamp">());
    if (!first_seen_) [[unlikely]]
        first(time);
    if (candidate_.exists) {
        // Rule 28 needs both neighbours, and then 26 compares the next one with the neighbour before.
        if (has_predecessor_ && far_from_both(candidate_.time, predecessor_, time)) [[unlikely]] {
            report_.add(kTimestampClockMix, place_of(candidate_), {candidate_.time, predecessor_, time});
        } else {
            settle_candidate();
        }
    }
    candidate_ = {time, prefix.offset(), prefix.record_index(), true};
}

// Rule 15: the header against the first timestamp there is.
void Clock::first(uint64_t time) {
    first_seen_ = true;
    if (header_time_ > time || time - header_time_ > kDay)
        report_.add(kHeaderTimestampClock, header_place_, {header_time_, time});
}

// Rule 26.
void Clock::settle_candidate() {
    if (candidate_.time < predecessor_) [[unlikely]]
        report_.add(kTimestampRegression, place_of(candidate_),
                    {candidate_.time, predecessor_ - candidate_.time, predecessor_});
    predecessor_ = candidate_.time;
    has_predecessor_ = true;
}

void Clock::end() { settle_candidate(); }

}  // namespace tracelint::jitdump
