// xray, section 5, rules 17 to 26 and 28 to 31: which records may stand where in a buffer.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::xray {

inline constexpr Rule kRecordOverrunsExtents{
    .id = "xray/record-overruns-extents",
    .severity = Severity::error,
    .statement = "the last record of a buffer ends where the buffer does",
    .message = "{0 byte is|bytes are} left in the buffer, and a record of this kind begins with {1}",
    .why = "llvm-xray refuses the whole file; the count of the buffer or a record before is wrong",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .decided_later = true,
    .out_of_step = true};

inline constexpr Rule kTruncatedRecord{
    .id = "xray/truncated-record",
    .severity = Severity::error,
    .statement = "the last record of the file is whole",
    .message = "the file ends inside a record, after {0} of its {1} bytes",
    .why = "llvm-xray refuses the whole file; the writer was killed or did not flush",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .about_end = true,
    .out_of_step = true};

inline constexpr Rule kEventSizeNonpositive{.id = "xray/event-size-nonpositive",
                                            .severity = Severity::error,
                                            .statement = "an event has a payload: size is positive",
                                            .message = "the event's size is {0d}, and an event has one byte at least",
                                            .why = "llvm-xray refuses the whole file",
                                            .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
                                            .since = "0.1.0",
                                            .out_of_step = true};

inline constexpr Rule kEventPayloadOverrun{
    .id = "xray/event-payload-overrun",
    .severity = Severity::error,
    .statement = "the payload of an event ends within its buffer",
    .message = "the event's payload of {0 byte|bytes} reaches beyond the {1} that are left",
    .why = "llvm-xray refuses the whole file; the size is wrong, or the count of the buffer",
    .spec = "3.4.6 CustomEventMarker Records; 3.4.9 TypedEvent Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kRecordOrder{
    .id = "xray/record-order",
    .severity = Severity::error,
    .statement = "a buffer is a preamble (NewBuffer, WallClock, Pid, NewCPUId), then records of its body",
    .message = "this record cannot follow the one before it in a buffer",
    .why =
        "llvm-xray refuses the whole file without an offset, or, at a BufferExtents, takes it and loses what the "
        "buffer "
        "should hold",
    .spec = "4.2 From record to record",
    .since = "0.1.0",
    .decided_later = true,
    .out_of_step = true};

inline constexpr Rule kIncompletePreamble{
    .id = "xray/incomplete-preamble",
    .severity = Severity::error,
    .statement = "a buffer does not end before the NewCPUId of its preamble",
    .message = "the buffer ends inside its preamble (NewBuffer, WallClock, Pid, NewCPUId)",
    .why = "llvm-xray refuses the whole file",
    .spec = "4.2 From record to record",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kMissingPidRecord{.id = "xray/missing-pid-record",
                                        .severity = Severity::warning,
                                        .statement = "from version 3 on, Pid stands between WallClock and NewCPUId",
                                        .message = "NewCPUId follows WallClock directly, and a Pid is due between them",
                                        .why = "LLVM 8 and later give the thread to process 0, LLVM 7 refuses the file",
                                        .spec = "3.4.10 Pid Records; 4.2 From record to record",
                                        .since = "0.1.0"};

inline constexpr Rule kRecordKindNotInVersion{
    .id = "xray/record-kind-not-in-version",
    .severity = Severity::error,
    .statement = "a record is of a kind that the file's version has",
    .message = "EndOfBuffer exists in version 1 only, and this file has version {0}",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.4 Metadata Records",
    .since = "0.1.0",
    .out_of_step = true,
    .severity_override =
        SeverityOverride{.severity = Severity::warning,
                         .when = "a record of a later version can be stepped over",
                         .message = "the record is of a kind that came after version {0}, which the file has",
                         .why = "readers of that version refuse the file, newer ones take the record as it is"}};

inline constexpr Rule kUnknownRecordKind{.id = "xray/unknown-record-kind",
                                         .severity = Severity::error,
                                         .statement = "a metadata record is of one of the kinds 0 to 9",
                                         .message = "metadata kind {0} does not exist",
                                         .why = "llvm-xray refuses the whole file",
                                         .spec = "3.4 Metadata Records",
                                         .since = "0.1.0",
                                         .out_of_step = true};

inline constexpr Rule kUnknownFunctionAction{
    .id = "xray/unknown-function-action",
    .severity = Severity::error,
    .statement = "the action of a function record is 0 to 3",
    .message = "function action {0} does not exist",
    .why = "llvm-xray refuses the whole file; most often bytes that are no records are read as such",
    .spec = "3.3 Function Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kCallArgWithoutEntry{
    .id = "xray/call-arg-without-entry",
    .severity = Severity::error,
    .statement = "CallArgument follows an Entry, an Entry_Args or another CallArgument",
    .message = "CallArgument follows no function entry",
    .why = "llvm-xray turns the Exit before it into an entry with arguments, or refuses the file",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0"};

inline constexpr Rule kCallArgAfterPlainEntry{
    .id = "xray/call-arg-after-plain-entry",
    .severity = Severity::note,
    .statement = "in version 5, the entry before a CallArgument is an Entry_Args",
    .message = "CallArgument follows a plain Entry, as versions before 5 write it",
    .why = "readers accept it; the runtime of version 5 writes Entry_Args",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0"};

inline constexpr Rule kEntryArgsWithoutArg{
    .id = "xray/entry-args-without-arg",
    .severity = Severity::note,
    .statement = "in version 5, a CallArgument follows each Entry_Args",
    .message = "no CallArgument follows this Entry_Args",
    .why = "readers accept it; the runtime of version 5 writes exactly one argument",
    .spec = "3.4.7 CallArgument Records",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kEobMissing{.id = "xray/eob-missing",
                                  .severity = Severity::error,
                                  .statement = "in version 1, a buffer ends with EndOfBuffer",
                                  .message = "the buffer ends without EndOfBuffer",
                                  .why = "LLVM 5 to 7 refuse the file, later versions accept it",
                                  .spec = "3.4.2 EndOfBuffer Records",
                                  .since = "0.1.0",
                                  .out_of_step = true};

}  // namespace tracelint::xray
