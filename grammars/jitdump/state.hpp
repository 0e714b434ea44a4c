// What is remembered across records (sections 4.2 and 4.3).
#pragma once

#include "grammars/jitdump/functions.hpp"
#include "grammars/jitdump/live_code.hpp"
#include "grammars/jitdump/records.hpp"
#include "validator/format.hpp"
#include "validator/tables/view.hpp"

namespace tracelint::jitdump {

// What the checks share about the file under validation.
struct State {
    explicit State(ValidationContext& with)
        : context(with), report(with.report), functions(with.budget, with.work), code(with.budget, with.work) {}

    ValidationContext& context;
    Report& report;
    ByteOrder order = ByteOrder::little;
    uint32_t header_pid = 0;     // 0: unknown
    unsigned pointer_width = 4;  // bytes of an absolute pointer in unwinding data

    bool tracking = true;  // false once a limit is reached: rules across records are no longer checked
    Functions functions;
    LiveCode code;
    uint64_t loads = 0;  // LOADs so far, broken ones included

    // The budget is spent: drops everything that is remembered and reports jitdump/tracking-limit at the record.
    void stop_tracking(const Place& record);
    // The same for a LOAD that cannot be seen as a whole: which code it loads is unknown, and so is what it replaces.
    void lose_track(const Place& load, uint64_t total_size);
    // Reports jitdump/tracking-limit for a record whose body is not checked for want of memory, or because it is of
    // this size, above the record limit.
    void leave_unchecked(const Place& record, uint64_t total_size = 0);

  private:
    void forget();
    bool is_above_record_limit(uint64_t total_size) const { return total_size > context.limits.record; }
    void report_limit(const Place& record, bool of_record, std::string_view hint);
};

extern const RuleList kStateRules;

}  // namespace tracelint::jitdump
