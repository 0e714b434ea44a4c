// perf.data, section 4: the state machine of a file, and the rules of its edges.
#pragma once

#include "validator/tables/machine.hpp"

namespace tracelint::perfdata {

enum class Phase : uint8_t { start, opening, header, attributes, records, features, stopped, count_ };
inline constexpr std::string_view kPhaseNames[] = {"start",   "opening",  "header", "attributes",
                                                   "records", "features", "stopped"};

enum class Symbol : uint8_t {
    // the start of the file
    no_magic,
    short_file,    // fewer than 16 bytes
    magic,         // of version 2
    legacy_magic,  // of version 1
    // the size of the header
    pipe_header,   // its size is 16
    file_header,   // its size is 72 or 104
    other_header,  // its size is another one
    // the rest of the header
    truncated_header,
    unfinished_header,  // all sizes in it are 0
    whole_header,
    // the attributes
    attributes,
    no_attributes,  // none, or none that can be read
    // what is at the cursor in the data
    record,
    unknown_event,       // a SAMPLE whose id belongs to no attribute
    too_small,           // of a known type, below its least size
    newer_record,        // of a type that newer writers may have
    simpleperf_record,   // of a type of simpleperf
    unknown_record,      // of any other type
    overflowed_record,   // a COMPRESSED2 whose size does not fit into 16 bits
    following_data,      // that belong to the AUXTRACE or HEADER_TRACING_DATA before them
    following_data_cut,  // the same, which exceed the section
    size_too_small,      // the size of the record is below 8
    truncated_record_header,
    truncated_record,
    cut_data,  // the data exceed the file, or their end is not known
    end_of_data,
    // after the data
    feature_table,
    truncated_table,
    no_feature_table,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {"no magic number",
                                                    "file below 16 bytes",
                                                    "magic number of version 2",
                                                    "magic number of version 1",
                                                    "header of a pipe",
                                                    "header of 72 or 104 bytes",
                                                    "header of another size",
                                                    "truncated header",
                                                    "unfinished header",
                                                    "whole header",
                                                    "attributes",
                                                    "no attributes",
                                                    "record",
                                                    "SAMPLE of an unknown event",
                                                    "record below its least size",
                                                    "record of a newer type",
                                                    "record of simpleperf",
                                                    "record of an unknown type",
                                                    "overflowed COMPRESSED2",
                                                    "data after a record",
                                                    "data after a record, cut",
                                                    "size below 8",
                                                    "truncated record header",
                                                    "truncated record",
                                                    "data cut by the end of the file",
                                                    "end of the data",
                                                    "feature table",
                                                    "truncated feature table",
                                                    "no feature table"};

inline constexpr Rule kTruncatedHeader{
    .id = "perfdata/truncated-header",
    .severity = Severity::error,
    .statement = "the file contains its whole header",
    .message = "the file ends inside its header, after {0} of {1} bytes",
    .why = "no reader recognises the file; perf says: incompatible file format",
    .spec = "3.1 File header",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kBadMagic{
    .id = "perfdata/bad-magic",
    .severity = Severity::error,
    .statement = "the file begins with PERFILE2, in either byte order",
    .message = "the file begins with {0x} (read as little-endian); expected PERFILE2 in either byte order",
    .why =
        "no reader recognises the file. perf inject of Linux 6.1 writes such streams: with -i FILE and -o -, the "
        "header of a pipe is missing",
    .spec = "2. Identification",
    .since = "0.2.0",
};

inline constexpr Rule kLegacyMagicRule{
    .id = "perfdata/legacy-magic",
    .severity = Severity::note,
    .statement = "the file has version 2 of the format",
    .message = "the file begins with PERFFILE: it has version 1 of the format, which perf wrote up to Linux 3.3 (2012)",
    .why = "perf reads such files; linux-perf-data, the reader of samply, refuses them",
    .spec = "2. Identification",
    .since = "0.2.0",
};

inline constexpr Rule kHeaderSizeRule{
    .id = "perfdata/header-size",
    .severity = Severity::error,
    .statement = "the header has 104 bytes, 72 in old files, or 16 in a pipe",
    .message = "size is {0}; expected 104, 72 or 16",
    .why = "perf refuses the file",
    .spec = "2. Identification; 3.1 File header",
    .since = "0.2.0",
};

inline constexpr Rule kHeaderUnfinished{
    .id = "perfdata/header-unfinished",
    .severity = Severity::error,
    .statement = "the header is filled in when the file is finished",
    .message = "the header has zeros after its size: the file was never finished",
    .why =
        "readers find neither events nor records, and linux-perf-data divides by zero. perf inject leaves such a file "
        "when it stops with an error, as it does with --jit on a recording without -k mono",
    .spec = "3.1 File header",
    .since = "0.2.0",
};

inline constexpr Rule kTruncatedRecordHeader{
    .id = "perfdata/truncated-record-header",
    .severity = Severity::error,
    .statement = "the data end at the end of a record",
    .message = "{0 byte is|bytes are} left at the end of the data; a record header has 8 bytes",
    .why = "readers drop them; the writer was killed or did not flush its buffer",
    .spec = "3.3 Record header",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kTruncatedRecord{
    .id = "perfdata/truncated-record",
    .severity = Severity::error,
    .statement = "the last record is complete",
    .message = "the size of the record is {0}, but the data have only {1} bytes left",
    .why = "perf says: unexpected end of event stream, and samply ends silently; the rest of the file is lost",
    .spec = "3.3 Record header",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kRecordSizeTooSmall{
    .id = "perfdata/record-size-too-small",
    .severity = Severity::error,
    .statement = "the size of a record includes its header of 8 bytes",
    .message = "the size of the record is {0}; expected 8 or more",
    .why = "the next record cannot be found: perf shows nothing of the file, with exit status 0",
    .spec = "3.3 Record header",
    .since = "0.2.0",
};

inline constexpr Rule kRecordTypeNewer{
    .id = "perfdata/record-type-newer",
    .severity = Severity::warning,
    .statement = "the type of a record is known",
    .message = "the type of the record is {0}, which Linux 6.19 does not know",
    .why = "perf before 6.16 stops at types above those it knows; later ones skip it",
    .spec = "3.4 Kernel records; 3.7 Records of perf",
    .since = "0.2.0",
};

inline constexpr Rule kSimpleperf{
    .id = "perfdata/simpleperf",
    .severity = Severity::note,
    .statement = "the records are the kernel's and perf's",
    .message = "a recording of simpleperf: type {0} is one of its own; this is the first such record",
    .why =
        "simpleperf report and samply read the file; perf before 6.16 stops at the record, and so does perf2bolt, "
        "which runs perf",
    .spec = "3.7 Records of perf",
    .since = "0.2.0",
};

inline constexpr Rule kRecordTypeUnknown{
    .id = "perfdata/record-type-unknown",
    .severity = Severity::error,
    .statement = "the type of a record is known",
    .message = "the type of the record is {0}, which no record has",
    .why = "from 64 on, perf stops here; usually an earlier size is wrong, and this is not a record",
    .spec = "3.4 Kernel records; 3.7 Records of perf",
    .since = "0.2.0",
};

inline constexpr Rule kRecordBodyTooSmall{
    .id = "perfdata/record-body-too-small",
    .severity = Severity::error,
    .statement = "a record holds the fields of its type, and the trailer",
    .message = "the size of the record is {0}; with the fields of its type and its trailer it has {1} or more",
    .why = "perf reads past the record, or stops and shows nothing of the file",
    .spec = "3.4 Kernel records; 3.5 SAMPLE; 3.6 sample_id trailer; 3.7 Records of perf",
    .since = "0.2.0",
};

inline constexpr Rule kSampleUnknownId{
    .id = "perfdata/sample-unknown-id",
    .severity = Severity::error,
    .statement = "the id of a SAMPLE belongs to an attribute",
    .message = "no attribute has the id {0}",
    .why = "perf stops and shows nothing of the file; samply counts the sample for the first event",
    .spec = "3.6 sample_id trailer",
    .since = "0.2.0",
};

inline constexpr Rule kAuxtraceExceedsData{
    .id = "perfdata/auxtrace-exceeds-data",
    .severity = Severity::error,
    .statement = "the bytes that follow an AUXTRACE or a HEADER_TRACING_DATA are inside the data",
    .message = "{0 byte|bytes} of data follow the record, which exceed the data section",
    .why = "readers stop here: the records that follow cannot be found",
    .spec = "3.7 Records of perf",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kCompressed2Size{
    .id = "perfdata/compressed2-size",
    .severity = Severity::error,
    .statement = "the size of a COMPRESSED2 is that of its data, rounded up to 8, and 16",
    .message = "the size of the record is {0}, but its data have {1 byte|bytes}",
    .why =
        "the file cannot be read from here on: perf since 6.16 writes the size modulo 65,536 where a payload has "
        "65,529 bytes or more",
    .spec = "3.7 Records of perf; 3.9 Compressed records",
    .since = "0.2.0",
};

inline constexpr Rule kFeatureTableTruncated{
    .id = "perfdata/feature-table-truncated",
    .severity = Severity::error,
    .statement = "the file contains the feature table",
    .message = "the feature table takes {0} bytes after the data, but the file has {1}",
    .why = "perf silently loses host name, build ids and all other features; samply refuses the file",
    .spec = "3.8 Feature sections",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.file_size = true},
};

// Sets of symbols, by the phase in which they occur.
inline constexpr uint32_t kMagics = on(Symbol::no_magic, Symbol::short_file, Symbol::magic, Symbol::legacy_magic);
inline constexpr uint32_t kOpenings = on(Symbol::pipe_header, Symbol::file_header, Symbol::other_header);
inline constexpr uint32_t kHeaders = on(Symbol::truncated_header, Symbol::unfinished_header, Symbol::whole_header);
inline constexpr uint32_t kAttributes = on(Symbol::attributes, Symbol::no_attributes);
inline constexpr uint32_t kInData =
    on(Symbol::record, Symbol::unknown_event, Symbol::too_small, Symbol::newer_record, Symbol::simpleperf_record,
       Symbol::unknown_record, Symbol::overflowed_record, Symbol::following_data, Symbol::following_data_cut,
       Symbol::size_too_small, Symbol::truncated_record_header, Symbol::truncated_record, Symbol::cut_data,
       Symbol::end_of_data);
inline constexpr uint32_t kAfterData = on(Symbol::feature_table, Symbol::truncated_table, Symbol::no_feature_table);

// clang-format off
inline constexpr Edge<Phase, Symbol> kEdges[] = {
    {Phase::start, on(Symbol::no_magic),      Phase::stopped, Recovery::stop, &kBadMagic},
    {Phase::start, on(Symbol::short_file),    Phase::stopped, Recovery::stop, &kTruncatedHeader},
    {Phase::start, on(Symbol::magic),         Phase::opening, Recovery::accept},
    {Phase::start, on(Symbol::legacy_magic),  Phase::opening, Recovery::accept, &kLegacyMagicRule},

    {Phase::opening, on(Symbol::pipe_header),  Phase::records, Recovery::accept},
    {Phase::opening, on(Symbol::file_header),  Phase::header,  Recovery::accept},
    {Phase::opening, on(Symbol::other_header), Phase::header,  Recovery::accept, &kHeaderSizeRule},

    {Phase::header, on(Symbol::truncated_header),  Phase::stopped,    Recovery::stop, &kTruncatedHeader},
    {Phase::header, on(Symbol::unfinished_header), Phase::stopped,    Recovery::stop, &kHeaderUnfinished},
    {Phase::header, on(Symbol::whole_header),      Phase::attributes, Recovery::accept},

    {Phase::attributes, on(Symbol::attributes),    Phase::records, Recovery::accept},
    {Phase::attributes, on(Symbol::no_attributes), Phase::records, Recovery::accept},

    {Phase::records, on(Symbol::record),             Phase::records, Recovery::accept},
    {Phase::records, on(Symbol::unknown_event),      Phase::records, Recovery::skip, &kSampleUnknownId},
    {Phase::records, on(Symbol::too_small),          Phase::records, Recovery::skip, &kRecordBodyTooSmall},
    {Phase::records, on(Symbol::newer_record),       Phase::records, Recovery::skip, &kRecordTypeNewer},
    {Phase::records, on(Symbol::simpleperf_record),  Phase::records, Recovery::accept, &kSimpleperf},
    {Phase::records, on(Symbol::unknown_record),     Phase::records, Recovery::skip, &kRecordTypeUnknown},
    {Phase::records, on(Symbol::overflowed_record),  Phase::records, Recovery::skip, &kCompressed2Size},
    {Phase::records, on(Symbol::following_data),     Phase::records, Recovery::accept},
    {Phase::records, on(Symbol::following_data_cut),      Phase::features, Recovery::skip, &kAuxtraceExceedsData},
    {Phase::records, on(Symbol::size_too_small),          Phase::features, Recovery::skip, &kRecordSizeTooSmall},
    {Phase::records, on(Symbol::truncated_record_header), Phase::features, Recovery::skip, &kTruncatedRecordHeader},
    {Phase::records, on(Symbol::truncated_record),        Phase::features, Recovery::skip, &kTruncatedRecord},
    {Phase::records, on(Symbol::cut_data),                Phase::features, Recovery::accept},
    {Phase::records, on(Symbol::end_of_data),             Phase::features, Recovery::accept},

    {Phase::features, on(Symbol::feature_table),    Phase::stopped, Recovery::stop},
    {Phase::features, on(Symbol::truncated_table),  Phase::stopped, Recovery::stop, &kFeatureTableTruncated},
    {Phase::features, on(Symbol::no_feature_table), Phase::stopped, Recovery::stop},

    {Phase::start,      kOpenings | kHeaders | kAttributes | kInData | kAfterData, Phase::stopped, Recovery::impossible},
    {Phase::opening,    kMagics | kHeaders | kAttributes | kInData | kAfterData,   Phase::stopped, Recovery::impossible},
    {Phase::header,     kMagics | kOpenings | kAttributes | kInData | kAfterData,  Phase::stopped, Recovery::impossible},
    {Phase::attributes, kMagics | kOpenings | kHeaders | kInData | kAfterData,     Phase::stopped, Recovery::impossible},
    {Phase::records,    kMagics | kOpenings | kHeaders | kAttributes | kAfterData, Phase::stopped, Recovery::impossible},
    {Phase::features,   kMagics | kOpenings | kHeaders | kAttributes | kInData,    Phase::stopped, Recovery::impossible},
};
// clang-format on
inline constexpr Machine<Phase, Symbol> kMachine = make_machine(kEdges, Phase::start, Phase::stopped);

// In the order of the specification.
inline constexpr RuleList kMachineRules =
    rules<&kTruncatedHeader, &kBadMagic, &kLegacyMagicRule, &kHeaderSizeRule, &kHeaderUnfinished,
          &kTruncatedRecordHeader, &kTruncatedRecord, &kRecordSizeTooSmall, &kRecordTypeNewer, &kSimpleperf,
          &kRecordTypeUnknown, &kRecordBodyTooSmall, &kSampleUnknownId, &kAuxtraceExceedsData, &kCompressed2Size,
          &kFeatureTableTruncated>;

}  // namespace tracelint::perfdata
