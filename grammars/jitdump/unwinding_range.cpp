// The addresses that unwinding data cover, compared with the code that they are for (sections 3.7.2, 3.7.4 and 5.5).
#include "grammars/jitdump/unwinding_range.hpp"

namespace tracelint::jitdump {
namespace {

constexpr uint64_t kMiddle = uint64_t{1} << 63;
constexpr uint64_t kMostCodePadding = 7;  // V8 counts the padding at the end of the code in the LOAD only

}  // namespace

void UnwindingRange::add_fde(uint64_t fde, UnwindingAddress start, uint64_t length, const Place& start_place,
                             const Place& length_place) {
    (start.is_absolute ? has_absolute_ : has_relative_) = true;
    const uint64_t from = start.is_absolute ? start.value : start.value + kMiddle;
    const uint64_t to = saturating_add(from, length);
    if (from < bounds_.start || bounds_.start == kNone) {
        bounds_.start = from;
        bounds_.first_fde = fde;
        bounds_.start_place = start_place;
    }
    if (to > bounds_.end || bounds_.end == 0) {
        bounds_.end = to;
        bounds_.length_place = length_place;
    }
}

void UnwindingRange::add_mismatch(uint64_t fde, uint64_t start, uint64_t table_start, const Place& place) {
    mismatch_ = {fde, start, table_start, place};
    has_mismatch_ = true;
}

constexpr Rule kEhFrameFdeLocation{
    .id = "jitdump/eh-frame-fde-location",
    .severity = Severity::error,
    .statement = "the FDEs of a function begin where its code begins",
    .message = "the FDE at byte {0} of the .eh_frame is for code at {1x}, but the code of the LOAD is at {2x}",
    .why =
        "perf finds no unwinding information for the function, or uses that of other instructions: no stack leads "
        "through it",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kEhFrameFdeLength{
    .id = "jitdump/eh-frame-fde-length",
    .severity = Severity::warning,
    .statement = "the FDEs of a function end where its code ends, give or take 7 bytes of padding",
    .message = "the FDEs cover {0 byte|bytes} from the start of the code, which has {1 byte|bytes}",
    .why = "stacks end where an FDE is too short; one that is too long covers what follows the code",
    .spec = "3.7.2 EH Frame",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

constexpr Rule kEhFrameHdrLocation{
    .id = "jitdump/eh-frame-hdr-location",
    .severity = Severity::warning,
    .statement = "the table of the .eh_frame_hdr gives each FDE the address that the FDE itself has",
    .message = "the .eh_frame_hdr has {1x} for the FDE at byte {0} of the .eh_frame, which is for code at {2x}",
    .why = "perf searches the table, and finds no unwinding information for the function or for a part of it",
    .spec = "3.7.4 Table of the EH Frame Header",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

void UnwindingRange::check(State& state, uint64_t code_addr, uint64_t code_size) const {
    if (code_size == 0 || has_absolute_ == has_relative_) return;
    // The data follow the code, which perf rounds up to a multiple of 8 bytes.
    const uint64_t data_at = code_addr + (code_size + 7) / 8 * 8;
    const uint64_t code_start = has_absolute_ ? code_addr : kMiddle - (data_at - code_addr);
    if (bounds_.start != code_start)
        return state.report.add<kEhFrameFdeLocation>(
            bounds_.start_place, {bounds_.first_fde, code_addr + (bounds_.start - code_start), code_addr});
    const uint64_t covered = bounds_.end - code_start;
    if (saturating_add(covered, kMostCodePadding) < code_size || covered > code_size + kMostCodePadding)
        state.report.add<kEhFrameFdeLength>(bounds_.length_place, {covered, code_size});
    if (has_mismatch_)
        state.report.add<kEhFrameHdrLocation>(
            mismatch_.place, {mismatch_.fde, data_at + mismatch_.table_start, data_at + mismatch_.start});
}

namespace {}  // namespace
constinit const RuleList kUnwindingRangeRules = rules<&kEhFrameFdeLocation, &kEhFrameFdeLength, &kEhFrameHdrLocation>;

}  // namespace tracelint::jitdump
