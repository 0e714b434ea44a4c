// The state machine of a jitdump file (section 4.1), and the rules that its edges report.
#pragma once

#include "validator/tables/machine.hpp"

namespace tracelint::jitdump {

inline constexpr Rule kBadMagic{
    .id = "jitdump/bad-magic",
    .severity = Severity::error,
    .statement = "the file begins with the magic number 0x4A695444 in its own byte order",
    .message =
        "the file begins with {0x} (read as little-endian); expected the magic number 0x4a695444 in either "
        "byte order",
    .why = "no reader recognises the file as a jitdump",
    .spec = "2.1 Magic number and byte order",
    .since = "0.1.0",
};

inline constexpr Rule kTruncatedHeader{
    .id = "jitdump/truncated-header",
    .severity = Severity::error,
    .statement = "the file contains the whole 40-byte header",
    .message = "the file ends inside its header, after {0} of 40 bytes",
    .why = "perf stops without an error message; no function of this process gets a name",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kHeaderSizeExceedsFile{
    .id = "jitdump/header-size-exceeds-file",
    .severity = Severity::error,
    .statement = "total_size of the header is 40",
    .message = "total_size of the header is {0}, which is larger than the file; expected 40",
    .why = "readers find no records",
    .spec = "3.1 Jitdump file header",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

inline constexpr Rule kTruncatedRecordHeader{
    .id = "jitdump/truncated-record-header",
    .severity = Severity::error,
    .statement = "the file ends at the end of a record",
    .message = "{0 byte is|bytes are} left at the end of the file; a record header has 16 bytes",
    .why = "readers silently drop them; the writer was killed or did not flush its buffer",
    .spec = "3.2 Record header",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kTruncatedRecord{
    .id = "jitdump/truncated-record",
    .severity = Severity::error,
    .statement = "the last record is complete",
    .message = "total_size of the record is {0}, but the file has only {1} bytes left",
    .why =
        "readers silently drop the record; the writer was killed, did not flush its buffer, or wrote a wrong "
        "total_size",
    .spec = "3.2 Record header",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kRecordSizeTooSmall{
    .id = "jitdump/record-size-too-small",
    .severity = Severity::error,
    .statement = "total_size of a record includes its 16-byte header",
    .message = "total_size is {0}, but the record header alone has 16 bytes",
    .why = "the next record cannot be located: perf stops silently and loses everything from here on",
    .spec = "3.2 Record header",
    .since = "0.1.0",
};

inline constexpr Rule kRecordBodyTooSmall{
    .id = "jitdump/record-body-too-small",
    .severity = Severity::error,
    .statement = "a record contains all fixed fields of its type",
    .message = "total_size is {0}; a record of this type has at least {1} bytes",
    .why = "perf reads the missing fields from stale memory",
    .spec = "3.2 Record header",
    .since = "0.1.0",
};

inline constexpr Rule kUnknownRecordKind{
    .id = "jitdump/unknown-record-kind",
    .severity = Severity::warning,
    .statement = "id is one of the five record types or belongs to a known extension",
    .message = "unknown record type {0}",
    .why = "perf prints a line about it and skips the record",
    .spec = "3.2 Record header",
    .since = "0.1.0",
};

inline constexpr Rule kRecordAfterClose{
    .id = "jitdump/record-after-close",
    .severity = Severity::error,
    .statement = "no record follows CLOSE",
    .message = "a record follows CLOSE",
    .why = "perf and samply stop reading at CLOSE: they lose all functions from here on",
    .spec = "3.6 JIT_CODE_CLOSE (3)",
    .since = "0.1.0",
};

enum class Phase : uint8_t {
    header,       // nothing has been read yet
    records,      // between records
    closed,       // the record just read was CLOSE
    after_close,  // a record after CLOSE has been reported
    stopped,
    count_,
};
inline constexpr std::string_view kPhaseNames[] = {"header", "records", "closed", "after CLOSE", "stopped"};

enum class Symbol : uint8_t {
    // the start of the file
    header,
    oversized_header,  // its total_size exceeds the file, and no plausible record is at offset 40
    unknown_magic,     // the magic number in neither byte order; happens with --as jitdump
    truncated_header,  // fewer than 40 bytes
    // complete records
    load,
    move,
    debug_info,
    close,
    unwinding_info,
    too_small,  // one of the types above, smaller than its fixed fields
    extension,  // a type of the extension
    unknown,    // any other type
    // the end of what can be read
    end_of_file,
    truncated_record_header,  // 1 to 15 bytes are left
    size_too_small,           // total_size is below 16
    truncated_record,         // total_size exceeds what is left
    count_,
};
// Those of complete records are keys of the statistics.
inline constexpr std::string_view kSymbolNames[] = {"header",         "oversized header",
                                                    "unknown magic",  "truncated header",
                                                    "LOAD",           "MOVE",
                                                    "DEBUG_INFO",     "CLOSE",
                                                    "UNWINDING_INFO", "too small",
                                                    "extension",      "unknown",
                                                    "end of file",    "truncated record header",
                                                    "size too small", "truncated record"};

namespace edges {

using enum Symbol;

inline constexpr uint32_t kOpening = on(header, oversized_header, unknown_magic, truncated_header);
inline constexpr uint32_t kKnown = on(load, move, debug_info, unwinding_info, extension);
inline constexpr uint32_t kComplete = kKnown | on(close, too_small, unknown);
inline constexpr uint32_t kEnds = on(end_of_file, truncated_record_header, size_too_small, truncated_record);

// "skip" steps over the body of a record. Its header counts: perf stops at 16 bytes, and a LOAD ends waits however
// small it is.
// clang-format off
inline constexpr Edge<Phase, Symbol> kEdges[] = {
    {Phase::header,  on(header),           Phase::records},
    {Phase::header,  on(oversized_header), Phase::stopped, Recovery::stop, &kHeaderSizeExceedsFile},
    {Phase::header,  on(unknown_magic),    Phase::stopped, Recovery::stop, &kBadMagic},
    {Phase::header,  on(truncated_header), Phase::stopped, Recovery::stop, &kTruncatedHeader},
    {Phase::header,  kComplete | kEnds,    Phase::stopped, Recovery::impossible},

    {Phase::records, kKnown,            Phase::records},
    {Phase::records, on(close),         Phase::closed},
    {Phase::records, on(too_small),     Phase::records, Recovery::skip, &kRecordBodyTooSmall},
    {Phase::records, on(unknown),       Phase::records, Recovery::skip, &kUnknownRecordKind},
    {Phase::records, on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::records, on(truncated_record_header), Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::records, on(size_too_small), Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::records, on(truncated_record), Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::records, kOpening,          Phase::stopped, Recovery::impossible},

    {Phase::closed,  kComplete,         Phase::after_close, Recovery::again, &kRecordAfterClose},
    {Phase::closed,  on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::closed,  on(truncated_record_header), Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::closed,  on(size_too_small), Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::closed,  on(truncated_record), Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::closed,  kOpening,          Phase::stopped, Recovery::impossible},

    {Phase::after_close, kKnown | on(close), Phase::after_close},
    {Phase::after_close, on(too_small),     Phase::after_close,  Recovery::skip, &kRecordBodyTooSmall},
    {Phase::after_close, on(unknown),       Phase::after_close,  Recovery::skip, &kUnknownRecordKind},
    {Phase::after_close, on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::after_close, on(truncated_record_header), Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::after_close, on(size_too_small), Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::after_close, on(truncated_record), Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::after_close, kOpening,      Phase::stopped, Recovery::impossible},
};
// clang-format on

}  // namespace edges

constexpr bool is_complete_record(Symbol symbol) {
    return (edges::kComplete >> static_cast<unsigned>(symbol) & 1) != 0;
}

inline constexpr auto kMachine = make_machine(edges::kEdges, Phase::header, Phase::stopped);

inline constexpr RuleList kMachineRules =
    rules<&kBadMagic, &kTruncatedHeader, &kHeaderSizeExceedsFile, &kTruncatedRecordHeader, &kTruncatedRecord,
          &kRecordSizeTooSmall, &kRecordBodyTooSmall, &kUnknownRecordKind, &kRecordAfterClose>;

}  // namespace tracelint::jitdump
