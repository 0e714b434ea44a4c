// jitdump, section 5.2: record framing and the clock that all records share.
#pragma once

#include "grammars/jitdump/records.hpp"
#include "validator/report.hpp"
#include "validator/view.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kTruncatedRecordHeader{
    .id = "jitdump/truncated-record-header",
    .severity = Severity::error,
    .statement = "the file ends between two records",
    .message = "{0 byte is|bytes are} left at the end, and a record begins with 16",
    .why = "readers drop them silently; the writer was killed or did not flush",
    .spec = "3.2 Record header",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kTruncatedRecord{
    .id = "jitdump/truncated-record",
    .severity = Severity::error,
    .statement = "the last record is whole",
    .message = "the record has {0} bytes by its total_size, and the file has {1} from here on",
    .why = "readers drop it silently; the writer was killed or did not flush, or total_size is wrong",
    .spec = "3.2 Record header",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kRecordSizeTooSmall{
    .id = "jitdump/record-size-too-small",
    .severity = Severity::error,
    .statement = "total_size of a record counts its 16-byte prefix",
    .message = "total_size is {0}, and the prefix alone has 16 bytes",
    .why = "the next record cannot be found: perf stops silently and everything from here on is lost",
    .spec = "3.2 Record header",
    .since = "0.1.0"};

inline constexpr Rule kRecordBodyTooSmall{
    .id = "jitdump/record-body-too-small",
    .severity = Severity::error,
    .statement = "a record holds all fixed fields of its kind",
    .message = "total_size is {0}, and a record of this kind has at least {1} bytes",
    .why = "perf reads the missing fields from stale memory",
    .spec = "3.2 Record header",
    .since = "0.1.0"};

inline constexpr Rule kUnknownRecordKind{.id = "jitdump/unknown-record-kind",
                                         .severity = Severity::warning,
                                         .statement = "id is one of the five kinds of record, or of a known extension",
                                         .message = "id {0} is no known kind of record",
                                         .why = "perf prints a line for it and skips it",
                                         .spec = "3.2 Record header",
                                         .since = "0.1.0"};

inline constexpr Rule kHeaderOnlyRecord{
    .id = "jitdump/header-only-record",
    .severity = Severity::warning,
    .statement = "no record but CLOSE consists of the prefix alone",
    .message = "this record of unknown kind has no more than its 16-byte prefix",
    .why = "perf stops reading at any 16-byte record: all functions after it are lost",
    .spec = "3.2 Record header",
    .since = "0.1.0"};

inline constexpr Rule kCloseSize{.id = "jitdump/close-size",
                                 .severity = Severity::warning,
                                 .statement = "CLOSE has no fields: total_size is 16",
                                 .message = "CLOSE has {0} bytes instead of 16",
                                 .why = "perf does not stop at it",
                                 .spec = "3.6 JIT_CODE_CLOSE (3)",
                                 .since = "0.1.0"};

inline constexpr Rule kRecordAfterClose{
    .id = "jitdump/record-after-close",
    .severity = Severity::error,
    .statement = "nothing follows CLOSE",
    .message = "a record follows CLOSE",
    .why = "perf and samply read nothing after CLOSE: the functions from here on are lost",
    .spec = "3.6 JIT_CODE_CLOSE (3)",
    .since = "0.1.0"};

inline constexpr Rule kTimestampRegression{
    .id = "jitdump/timestamp-regression",
    .severity = Severity::warning,
    .statement = "timestamps do not go back",
    .message = "timestamp {0} is {1} below {2}, the last one before it that can be believed",
    .why =
        "Arm Streamline rejects the file; others may give samples to the function that was replaced. "
        "Usually the time is taken before the lock that orders the writes",
    .spec = "3.2 Record header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kTimestampZero{
    .id = "jitdump/timestamp-zero",
    .severity = Severity::warning,
    .statement = "every record has a timestamp",
    .message = "timestamp is 0",
    .why = "the function counts as loaded since boot; Mono wrote this where it had no clock_gettime",
    .spec = "3.2 Record header",
    .since = "0.1.0"};

inline constexpr Rule kTimestampClockMix{
    .id = "jitdump/timestamp-clock-mix",
    .severity = Severity::warning,
    .statement = "all timestamps are of one clock",
    .message = "timestamp {0} is more than an hour away from {1} before it and {2} after it",
    .why = "the function is placed at a time when it did not exist: another clock, or a damaged number",
    .spec = "3.2 Record header; 5.2 Records and timestamps",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kArchTimestampSuspect{
    .id = "jitdump/arch-timestamp-suspect",
    .severity = Severity::note,
    .statement = "ARCH_TIMESTAMP is set only where the writer can read a counter of the machine",
    .message = "flags say ARCH_TIMESTAMP, and no writer for machine {0} is known to read a counter",
    .why = "perf misplaces nanoseconds that it takes for counter values; libxsmm wrote such files",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0"};

// Follows the timestamps of the complete records, whatever their kind and faults (rules 15, 26-28).
class Clock {
  public:
    explicit Clock(Report& report) : report_(report) {}

    // The header's own timestamp, before that of any record.
    void header(uint64_t timestamp, const Place& place) {
        header_time_ = timestamp;
        header_place_ = place;
    }
    void record(const View<kPrefix>& prefix);
    void end();

  private:
    struct Stamp {
        uint64_t time = 0;
        uint64_t offset = 0, index = 0;
        bool exists = false;
    };
    static Place place_of(const Stamp& stamp);
    void first(uint64_t time);
    void settle_candidate();

    Report& report_;
    uint64_t header_time_ = 0;
    Place header_place_;
    bool first_seen_ = false;
    uint64_t predecessor_ = 0;  // of the candidate; the nearest timestamp that can be believed
    bool has_predecessor_ = false;
    Stamp candidate_;  // waits for the next timestamp
};

// In the order of the digest's table.
inline constexpr const Rule* kFramingRules[] = {
    &kTruncatedRecordHeader, &kTruncatedRecord,  &kRecordSizeTooSmall, &kRecordBodyTooSmall,
    &kUnknownRecordKind,     &kHeaderOnlyRecord, &kCloseSize,          &kRecordAfterClose,
    &kTimestampRegression,   &kTimestampZero,    &kTimestampClockMix,  &kArchTimestampSuspect};

}  // namespace tracelint::jitdump
