// What is remembered across records (sections 4.2 and 4.3).
#include "grammars/jitdump/state.hpp"

#include "validator/tables/tracking_limit.hpp"

namespace tracelint::jitdump {

constexpr Rule kTrackingLimit = tracking_limit("jitdump/tracking-limit", "5.7 Limits of a run", false);

void State::stop_tracking(const Place& record) {
    if (!tracking) return;
    forget();
    report_limit(record, false, "memory limit: checks across records are skipped from here on");
}

void State::lose_track(const Place& load, uint64_t total_size) {
    if (!tracking) return leave_unchecked(load, total_size);
    forget();
    const bool of_record = is_above_record_limit(total_size);
    report_limit(load, of_record,
                 of_record
                     ? "record limit: this LOAD is not checked, and checks across records are skipped from here on"
                     : "memory limit: this LOAD is not checked, and checks across records are skipped from here on");
}

void State::leave_unchecked(const Place& record, uint64_t total_size) {
    const bool of_record = is_above_record_limit(total_size);
    report_limit(record, of_record,
                 of_record ? "record limit: the body of this record is not checked"
                           : "memory limit: the body of this record is not checked");
}

void State::forget() {
    tracking = false;
    functions.clear();
    code.clear();
}

void State::report_limit(const Place& record, bool of_record, std::string_view hint) {
    context.limit_hit = true;
    report.add({.rule = &kTrackingLimit,
                .place = record,
                .numbers = {of_record ? context.limits.record : context.limits.memory},
                .hint = hint});
}

namespace {}  // namespace
constinit const RuleList kStateRules = rules<&kTrackingLimit>;

}  // namespace tracelint::jitdump
