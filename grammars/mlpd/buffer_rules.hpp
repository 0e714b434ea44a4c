// mlpd, section 5, rules 14 to 22: buffers and their headers.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kBadBufferId{
    .id = "mlpd/bad-buffer-id",
    .severity = Severity::error,
    .statement = "a buffer begins with 0x4D504C01, the bytes 01 4C 50 4D",
    .message = "{0x} stands where a buffer begins with 0x4d504c01",
    .why = "mprof-report stops here and prints a report of what came before, Mono.Profiler.Log throws",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .out_of_step = true,
    .of_file_size = true};

inline constexpr Rule kTruncatedBufferHeader{
    .id = "mlpd/truncated-buffer-header",
    .severity = Severity::error,
    .statement = "a buffer has a header of 48 bytes",
    .message = "the file ends after {0 byte|bytes} of a buffer's header, which has 48",
    .why = "mprof-report drops the rest without a word, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kTruncatedBuffer{
    .id = "mlpd/truncated-buffer",
    .severity = Severity::error,
    .statement = "the file holds the len bytes of each buffer",
    .message = "len is {0}, and the file ends after {1 byte|bytes} of this buffer",
    .why = "mprof-report drops the whole buffer without a word, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .about_end = true,
    .out_of_step = true,
    .of_file_size = true};

inline constexpr Rule kBufferLengthNegative{
    .id = "mlpd/buffer-length-negative",
    .severity = Severity::error,
    .statement = "len is below 2^31",
    .message = "len is {0}, which the readers take for a negative number",
    .why = "mprof-report shows nothing from here on, Mono.Profiler.Log overflows",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kEmptyBuffer{
    .id = "mlpd/empty-buffer",
    .severity = Severity::note,
    .statement = "a buffer holds events",
    .message = "len is 0: the buffer holds no event",
    .why = "harmless to readers; the first writer dumped empty buffers, those of today never do",
    .spec = "3.3 Buffer header",
    .since = "0.1.0"};

inline constexpr Rule kOversizedBuffer{
    .id = "mlpd/oversized-buffer",
    .severity = Severity::note,
    .statement = "len is at most 65536",
    .message = "len is {0}, and the runtime's buffers hold 65536 bytes at most",
    .why = "readers take any len; an odd one hints at another writer or a damaged number",
    .spec = "3.3 Buffer header",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kZeroThreadId{
    .id = "mlpd/zero-thread-id",
    .severity = Severity::warning,
    .statement = "thread_id is that of a thread",
    .message = "thread_id is 0",
    .why = "events of all threads are counted as those of one; a fault of the runtime of Mono 4.8 did this",
    .spec = "3.3 Buffer header",
    .since = "0.1.0"};

inline constexpr Rule kZeroTimeBase{
    .id = "mlpd/zero-time-base",
    .severity = Severity::note,
    .statement = "time_base is the time of the buffer's start",
    .message = "time_base is 0",
    .why = "all times of the buffer lie at the start of the clock, far before those of the others",
    .spec = "3.3 Buffer header",
    .since = "0.1.0"};

inline constexpr Rule kBufferTimeRegression{
    .id = "mlpd/buffer-time-regression",
    .severity = Severity::warning,
    .statement = "the buffers of a thread come in the order of their time_base",
    .message = "time_base is {0}, and the buffer before it of the same thread has {1}",
    .why = "readers take a thread's events in the order of the file: calls and times come out of order",
    .spec = "3.3 Buffer header; 5.2 Buffers",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override = SeverityOverride{
        .severity = Severity::note,
        .when = "one of the two buffers holds JIT events, is damaged, or the thread began or ended",
        .message = {},
        .why = "the profiler's own writer thread does this, and so does a thread id that is used again"}};

// In the order of the digest's table.
inline constexpr const Rule* kBufferRules[] = {&kBadBufferId,          &kTruncatedBufferHeader, &kTruncatedBuffer,
                                               &kBufferLengthNegative, &kEmptyBuffer,           &kOversizedBuffer,
                                               &kZeroThreadId,         &kZeroTimeBase,          &kBufferTimeRegression};

}  // namespace tracelint::mlpd
