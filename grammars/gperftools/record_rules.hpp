// gperftools, section 5.2: records and trailer.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::gperftools {

inline constexpr Rule kRecordHeaderTruncated{
    .id = "gperftools/record-header-truncated",
    .severity = Severity::error,
    .statement = "two slots at least are left for a record, or none",
    .message = "{0 byte is|bytes are} left at the end, and a record begins with {1}",
    .why =
        "Go pprof refuses the whole file as \"unrecognized profile format\"; google-pprof invents an empty sample, "
        "and all percentages are wrong. The file was cut",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .about_end = true};

inline constexpr Rule kRecordExceedsFile{
    .id = "gperftools/record-exceeds-file",
    .severity = Severity::error,
    .statement = "the call chain of a record lies inside the file",
    .message = "num_pcs is {0}, and the file has no more than {1 slot|slots} behind it",
    .why =
        "google-pprof fills the missing frames with -1; Go pprof does so too if it misses few of them, and refuses "
        "the whole file otherwise. The file was cut, or the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .about_end = true,
    .out_of_step = true};

inline constexpr Rule kNumPcsZero{
    .id = "gperftools/num-pcs-zero",
    .severity = Severity::error,
    .statement = "a record has at least one PC",
    .message = "num_pcs is 0: a record of {0 sample|samples} without a call chain",
    .why =
        "Go pprof makes samples without frames; google-pprof warns from its insides, and takes a 0 that follows "
        "for the end of the records",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kSampleCountZero{
    .id = "gperftools/sample-count-zero",
    .severity = Severity::error,
    .statement = "a record stands for at least one sample",
    .message = "sample count is 0, and it must be 1 at least",
    .why = "readers add nothing for the record; its call chain appears in reports with a weight of 0",
    .spec = "3.2 Binary Profile Records; 3.5 Dialects",
    .since = "0.1.0",
    .severity_override = SeverityOverride{
        .severity = Severity::note,
        .when = "the format version is not 0",
        .message = "sample count is 0 ({0 time|times} in this profile)",
        .why = "Java agents write such records for what has no samples of its own; readers add nothing"}};

inline constexpr Rule kNullLeafPc{
    .id = "gperftools/null-leaf-pc",
    .severity = Severity::error,
    .statement = "the sampled PC of a record is not 0",
    .message = "the first PC of the call chain is 0",
    .why =
        "google-pprof takes the record for the trailer: all samples behind it are lost, without a message and with "
        "exit status 0; Go pprof shows a frame at address 0",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kNullCallerPc{
    .id = "gperftools/null-caller-pc",
    .severity = Severity::warning,
    .statement = "no return address in a call chain is 0",
    .message = "a PC behind the first one of a call chain is 0 ({0 time|times} in this profile)",
    .why = "readers subtract 1 and show a frame at the highest address there is; the unwinder went past the root",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kDepthExceedsReaderLimit{
    .id = "gperftools/depth-exceeds-reader-limit",
    .severity = Severity::error,
    .statement = "a call chain has at most 65536 PCs",
    .message = "num_pcs is {0}, and google-pprof stops at more than 65536",
    .why =
        "google-pprof refuses the whole file (\"stack trace depth >= 2**32\", which is not true); no writer goes "
        "beyond 254, so the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .out_of_step = true};

inline constexpr Rule kDepthExceedsWriterLimit{
    .id = "gperftools/depth-exceeds-writer-limit",
    .severity = Severity::note,
    .statement = "a call chain has at most 254 PCs",
    .message = "num_pcs is {1}, and gperftools never writes more than 254 ({0 record|records} of this profile)",
    .why = "readers take it; another program wrote or changed the profile, or the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kStackTruncated{
    .id = "gperftools/stack-truncated",
    .severity = Severity::note,
    .statement = "no call chain is as long as the writer can store",
    .message = "the call chain has {1} PCs, as many as the writer can store ({0 record|records} of this profile)",
    .why =
        "the outermost callers are cut off: the samples hang under no root, and flame graphs and cumulative times "
        "are wrong",
    .spec = "3.2 Binary Profile Records; 5.2 Records and trailer",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kSampleValueOverflow{
    .id = "gperftools/sample-value-overflow",
    .severity = Severity::warning,
    .statement = "the time of a record's samples fits into 63 bits of nanoseconds",
    .message = "sample count is {0}, which takes more than 2^63 - 1 when it is multiplied by {1}",
    .why = "Go pprof wraps around without a word: the record counts as 0 or as a negative time",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kSampleTotalOverflow{
    .id = "gperftools/sample-total-overflow",
    .severity = Severity::warning,
    .statement = "the time of all samples of a profile fits into 63 bits of nanoseconds",
    .message = "with the {0 sample|samples} of this record the total exceeds 2^63 - 1",
    .why = "readers add with 64 bits: totals and percentages are wrong or negative",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kMissingTrailer{
    .id = "gperftools/missing-trailer",
    .severity = Severity::error,
    .statement = "the records end with the trailer 0, 1, 0",
    .message = "the records end without the trailer 0, 1, 0",
    .why =
        "at the end of the file readers carry on without a list of mapped objects, and nothing can be symbolized; "
        "Go pprof refuses a file in which text follows at once",
    .spec = "3.3 Binary Trailer",
    .since = "0.1.0"};

inline constexpr Rule kTrailerDamaged{
    .id = "gperftools/trailer-damaged",
    .severity = Severity::error,
    .statement = "the three slots between the records and the text are 0, 1, 0",
    .message = "slot {0} of the trailer is {1}, and it must be {2}",
    .why =
        "readers take it for a record: google-pprof loses the list of mapped objects or reads it as records, and Go "
        "pprof misreads it, too",
    .spec = "3.3 Binary Trailer",
    .since = "0.1.0",
    .of_file_size = true};

inline constexpr Rule kNoSamples{
    .id = "gperftools/no-samples",
    .severity = Severity::note,
    .statement = "a profile holds at least one record",
    .message = "the profile has no records: nothing was sampled",
    .why =
        "reports are empty (\"No nodes to print\"): the program used less CPU time than one period, the work was "
        "done in a forked child, or something else in the process uses SIGPROF",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0"};

inline constexpr Rule kConcatenatedProfile{
    .id = "gperftools/concatenated-profile",
    .severity = Severity::warning,
    .statement = "nothing binary follows the list of mapped objects",
    .message = "another profile begins here, number {0} in this file",
    .why =
        "readers use the samples of the first profile only, but the mappings of all. A child that was forked without "
        "exec wrote to the descriptor of its parent, and which of both comes first depends on which ended first",
    .spec = "3. Layout",
    .since = "0.1.0"};

inline constexpr Rule kTrackingLimit{.id = "gperftools/tracking-limit",
                                     .severity = Severity::note,
                                     .statement = "the file can be followed within the limits of this run",
                                     .message = "the limit of {0 byte|bytes} is reached, and some checks are left out",
                                     .why = "not a fault of the file; --max-memory raises the limit",
                                     .spec = "4.3 Bounds and memory",
                                     .since = "0.1.0"};

// In the order of the digest's table.
inline constexpr const Rule* kRecordRules[] = {
    &kRecordHeaderTruncated,
    &kRecordExceedsFile,
    &kNumPcsZero,
    &kSampleCountZero,
    &kNullLeafPc,
    &kNullCallerPc,
    &kDepthExceedsReaderLimit,
    &kDepthExceedsWriterLimit,
    &kStackTruncated,
    &kSampleValueOverflow,
    &kSampleTotalOverflow,
    &kMissingTrailer,
    &kTrailerDamaged,
    &kNoSamples,
    &kConcatenatedProfile,
};

}  // namespace tracelint::gperftools
