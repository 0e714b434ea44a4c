// mlpd, section 4.1: the states of a file.
#pragma once

#include "grammars/mlpd/records.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kTruncatedBufferHeader{
    .id = "mlpd/truncated-buffer-header",
    .severity = Severity::error,
    .statement = "a buffer has a header of 48 bytes",
    .message = "the file ends after {0 byte|bytes} of a buffer header of 48 bytes",
    .why = "mprof-report silently drops these bytes, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kTruncatedBuffer{
    .id = "mlpd/truncated-buffer",
    .severity = Severity::error,
    .statement = "the file holds the len bytes of each buffer",
    .message = "len is {0}, but the file ends after {1 byte|bytes} of this buffer",
    .why = "mprof-report silently drops the whole buffer, Mono.Profiler.Log fails at the end of the stream",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true, .file_size = true},
};

inline constexpr Rule kBufferLengthNegative{
    .id = "mlpd/buffer-length-negative",
    .severity = Severity::error,
    .statement = "len is below 2^31",
    .message = "len is {0}, which readers treat as a negative number",
    .why = "mprof-report shows nothing from here on, Mono.Profiler.Log fails with an overflow",
    .spec = "3.3 Buffer header; 4.1 File",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

enum class Stage : uint8_t {
    start,     // a file header is due
    buffers,   // a buffer header is due
    doubtful,  // the same after a fault that puts the place in doubt: what it may explain is not reported
    events,    // the events of a buffer are due
    rescan,    // searches for the next buffer
    over,
    count_
};

// What the walk finds.
enum class FileEvent : uint8_t {
    header,             // good enough to continue
    doubtful_header,    // a fault in its strings puts its end in doubt
    unreadable_header,  // its own rules report why
    end_of_file,
    buffer,      // its header
    damaged_id,  // a buffer in every other respect
    cut_id,      // less than the id of a buffer header
    cut_header,  // less than a buffer header
    negative_length,
    second_header,  // of a file
    foreign_bytes,
    events_read,    // all events of the buffer
    events_failed,  // up to a framing fault, whose own rule reports it
    events_cut,     // the file ends inside the buffer
    next_buffer,    // found by the rescan
    count_
};

inline constexpr std::string_view kStageNames[] = {"start", "buffers", "buffers, in doubt", "events", "rescan", "over"};
inline constexpr std::string_view kFileEventNames[] = {
    "file header",
    "file header with a bad string",
    "unreadable file header",
    "end of file",
    "buffer header",
    "buffer header, wrong id",
    "1 to 3 bytes",
    "buffer id, 4 to 47 bytes",
    "buffer header, len >= 2^31",
    "second file header",
    "other bytes",
    "all events",
    "framing fault",
    "end of file inside the buffer",
    "next buffer",
};

namespace file_machine {
using enum Stage;
using E = FileEvent;
inline constexpr uint32_t kHeaders = on(E::header, E::doubtful_header, E::unreadable_header);
inline constexpr uint32_t kBuffers =
    on(E::buffer, E::damaged_id, E::cut_id, E::cut_header, E::negative_length, E::second_header, E::foreign_bytes);
inline constexpr uint32_t kEvents = on(E::events_read, E::events_failed, E::events_cut);
// clang-format off
inline constexpr Edge<Stage, FileEvent> kEdges[] = {
    {start,    on(E::header),            buffers},
    {start,    on(E::doubtful_header),   doubtful},
    {start,    on(E::unreadable_header), over,     Recovery::stop},
    {start,    kBuffers | kEvents | on(E::end_of_file, E::next_buffer), start, Recovery::impossible},

    {buffers,  on(E::end_of_file),       over,     Recovery::stop},
    {buffers,  on(E::buffer),            events},
    {buffers,  on(E::damaged_id),        events,   Recovery::accept, &kBadBufferId},
    {buffers,  on(E::second_header),     start,    Recovery::accept, &kBadBufferId},
    {buffers,  on(E::foreign_bytes),     rescan,   Recovery::skip,   &kBadBufferId},
    {buffers,  on(E::negative_length),   rescan,   Recovery::skip,   &kBufferLengthNegative},
    {buffers,  on(E::cut_id, E::cut_header), over, Recovery::skip,   &kTruncatedBufferHeader},
    {buffers,  kHeaders | kEvents | on(E::next_buffer), buffers, Recovery::impossible},

    {doubtful, on(E::end_of_file),       over,     Recovery::stop},
    {doubtful, on(E::buffer),            events},
    {doubtful, on(E::damaged_id),        events},
    {doubtful, on(E::second_header),     start,    Recovery::accept, &kBadBufferId},
    {doubtful, on(E::foreign_bytes),     rescan,   Recovery::skip},
    {doubtful, on(E::negative_length),   rescan,   Recovery::skip,   &kBufferLengthNegative},
    {doubtful, on(E::cut_id),            over,     Recovery::skip},
    {doubtful, on(E::cut_header),        over,     Recovery::skip,   &kTruncatedBufferHeader},
    {doubtful, kHeaders | kEvents | on(E::next_buffer), doubtful, Recovery::impossible},

    {events,   on(E::events_read),       buffers},
    {events,   on(E::events_failed),     doubtful},
    {events,   on(E::events_cut),        rescan,   Recovery::skip,   &kTruncatedBuffer},
    {events,   kHeaders | kBuffers | on(E::end_of_file, E::next_buffer), events, Recovery::impossible},

    {rescan,   on(E::next_buffer),       buffers},
    {rescan,   on(E::end_of_file),       over,     Recovery::stop},
    {rescan,   kHeaders | kBuffers | kEvents, rescan, Recovery::impossible},
};
// clang-format on
}  // namespace file_machine

inline constexpr auto kFileMachine = make_machine(file_machine::kEdges, Stage::start, Stage::over);

inline constexpr RuleList kFileMachineRules = rules<&kTruncatedBufferHeader, &kTruncatedBuffer, &kBufferLengthNegative>;

}  // namespace tracelint::mlpd
