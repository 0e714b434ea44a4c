// What readers of nettrace files do with files that break a rule, by their sources.
#include <array>

#include "grammars/formats.hpp"
#include "grammars/nettrace/readers/perfview_model.hpp"
#include "grammars/nettrace/records.hpp"
#include "grammars/readers.hpp"

namespace tracelint {
namespace nettrace {
namespace {

using enum ReaderOutcome;

// Of perfview: TraceEvent, the library of PerfView, Visual Studio and dotnet-trace. Of viewer: dotnet-events-viewer.
struct OutcomesOfRule {
    std::string_view rule;
    ReaderOutcome perfview, viewer;
};

constexpr OutcomesOfRule kOutcomes[] = {
    // The file
    {"nettrace/truncated-header", refuses, drops_rest},
    {"nettrace/bad-magic", refuses, refuses},
    {"nettrace/bad-signature", refuses, refuses},
    {"nettrace/reserved-nonzero", refuses, refuses},
    {"nettrace/unsupported-version", refuses, out_of_step},
    {"nettrace/legacy-version", refuses, refuses},
    {"nettrace/minor-version", ignores, ignores},
    {"nettrace/end-label", refuses, refuses},
    // Objects and blocks
    {"nettrace/truncated-object", refuses, drops_rest},
    {"nettrace/bad-object-tag", refuses, refuses},
    {"nettrace/type-name-length", refuses, out_of_step},
    {"nettrace/unknown-object-type", refuses, drops_record},
    {"nettrace/object-version", refuses, ignores},
    {"nettrace/min-reader-version", ignores, drops_record},
    {"nettrace/first-object-not-trace", refuses, crashes},
    {"nettrace/duplicate-trace", misreads, misreads},
    {"nettrace/block-size-negative", refuses, out_of_step},
    {"nettrace/padding-nonzero", ignores, ignores},
    {"nettrace/truncated-block", refuses, drops_rest},
    {"nettrace/missing-end-of-stream", refuses, ignores},
    {"nettrace/trailing-data", ignores, ignores},
    {"nettrace/missing-end-tag", refuses, refuses},
    {"nettrace/truncated-event", refuses, refuses},
    {"nettrace/event-size-mismatch", out_of_step, refuses},
    {"nettrace/end-of-stream-size", ignores, ignores},
    {"nettrace/unknown-block-kind", ignores, ignores},
    // The Trace
    {"nettrace/sync-time-invalid", refuses, refuses},
    {"nettrace/sync-day-of-week", ignores, ignores},
    {"nettrace/tick-frequency", refuses, refuses},
    {"nettrace/pointer-size", misreads, misreads},
    {"nettrace/processor-count", ignores, ignores},
    {"nettrace/key-value-count", refuses, refuses},
    {"nettrace/trace-key-value", ignores, ignores},
    {"nettrace/duplicate-trace-key", ignores, ignores},
    {"nettrace/block-residue", ignores, ignores},
    // Numbers, texts and items
    {"nettrace/block-header-size", refuses, out_of_step},
    {"nettrace/varint-truncated", refuses, refuses},
    {"nettrace/varint-too-long", refuses, refuses},
    {"nettrace/varint-overflow", misreads, misreads},
    {"nettrace/varint-non-canonical", ignores, ignores},
    {"nettrace/event-overruns-block", refuses, refuses},
    {"nettrace/field-overruns-item", refuses, refuses},
    {"nettrace/string-unterminated", refuses, refuses},
    {"nettrace/string-overruns-item", refuses, refuses},
    {"nettrace/invalid-utf16", ignores, ignores},
    {"nettrace/invalid-utf8", ignores, ignores},
    {"nettrace/inner-size", refuses, refuses},
    // Events and what they refer to
    {"nettrace/event-flags", ignores, ignores},
    {"nettrace/block-flags", out_of_step, refuses},
    {"nettrace/empty-block", refuses, ignores},
    {"nettrace/metadata-id-zero", refuses, refuses},
    {"nettrace/metadata-block-event-id", ignores, ignores},
    {"nettrace/undefined-metadata", refuses, refuses},
    {"nettrace/thread-change-unsorted", misreads, ignores},
    {"nettrace/unknown-thread-index", refuses, ignores},
    {"nettrace/sequence-regression", misreads, ignores},
    {"nettrace/events-dropped", ignores, ignores},
    {"nettrace/thread-id-reused", misreads, ignores},
    {"nettrace/processor-number", ignores, ignores},
    {"nettrace/payload-too-large", misreads, ignores},
    {"nettrace/dangling-stack", drops_record, drops_record},
    {"nettrace/dangling-label-list", refuses, ignores},
    {"nettrace/payload-short", misreads, refuses},
    {"nettrace/payload-long", ignores, refuses},
    {"nettrace/stack-size", refuses, refuses},
    {"nettrace/stack-size-unaligned", misreads, misreads},
    {"nettrace/stack-too-large", misreads, ignores},
    {"nettrace/stack-count", misreads, refuses},
    {"nettrace/duplicate-stack-id", refuses, misreads},
    {"nettrace/stack-id-zero", ignores, ignores},
    {"nettrace/stack-id-gap", ignores, ignores},
    {"nettrace/label-first-index", ignores, ignores},
    {"nettrace/label-count", refuses, ignores},
    {"nettrace/unknown-label-kind", refuses, ignores},
    {"nettrace/duplicate-label-list", ignores, ignores},
    {"nettrace/unknown-thread-info", refuses, ignores},
    {"nettrace/duplicate-thread-index", refuses, ignores},
    // Times and sequence points
    {"nettrace/block-time-range", ignores, ignores},
    {"nettrace/sorted-time-regression", misreads, ignores},
    {"nettrace/thread-time-regression", misreads, ignores},
    {"nettrace/event-before-sequence-point", misreads, ignores},
    {"nettrace/event-outside-block-range", ignores, ignores},
    {"nettrace/event-before-sync", misreads, misreads},
    {"nettrace/sequence-point-order", misreads, ignores},
    {"nettrace/sequence-point-before-events", misreads, ignores},
    {"nettrace/sequence-point-flags", ignores, ignores},
    {"nettrace/sequence-point-count", refuses, refuses},
    {"nettrace/sequence-point-duplicate-thread", ignores, ignores},
    {"nettrace/sequence-point-drops", ignores, ignores},
    {"nettrace/sequence-point-behind", misreads, ignores},
    {"nettrace/sequence-point-of-reused-thread", misreads, ignores},
    // Metadata
    {"nettrace/metadata-id-invalid", ignores, ignores},
    {"nettrace/duplicate-metadata", refuses, misreads},
    {"nettrace/provider-name-empty", ignores, ignores},
    {"nettrace/metadata-value-range", misreads, misreads},
    {"nettrace/field-count", refuses, refuses},
    {"nettrace/type-code", misreads, refuses},
    {"nettrace/type-nesting", may_crash, may_crash},
    {"nettrace/loc-element-type", refuses, ignores},
    {"nettrace/both-field-lists", misreads, misreads},
    {"nettrace/unknown-metadata-tag", ignores, ignores},
    {"nettrace/duplicate-metadata-tag", misreads, misreads},
    {"nettrace/unknown-optional-metadata", refuses, out_of_step},
};

// TraceEvent does not look at the size of an event with an uncompressed header.
constexpr ReaderRow kUncompressedSize{
    .rule = "nettrace/event-size-mismatch", .outcome = ignores, .record = "uncompressed event"};

template <ReaderOutcome OutcomesOfRule::* Reader, size_t More>
constexpr auto rows_of(const std::array<ReaderRow, More>& more) {
    constexpr size_t kGeneral = std::size(kOutcomes);
    std::array<ReaderRow, kGeneral + More> rows{};
    for (size_t i = 0; i < kGeneral; ++i) rows[i] = {kOutcomes[i].rule, kOutcomes[i].*Reader};
    for (size_t i = 0; i < More; ++i) rows[kGeneral + i] = more[i];
    return rows;
}

constexpr auto kPerfviewRows = rows_of<&OutcomesOfRule::perfview>(std::array{kUncompressedSize});
constexpr auto kViewerRows = rows_of<&OutcomesOfRule::viewer>(std::array<ReaderRow, 0>{});

// --- Sound files that a reader fails on

constexpr std::string_view kSection = "grammars/nettrace/spec.md, 8. What readers do";

bool is_netperf_3(const ReaderFile& file) { return file.identity.format_version == uint64_t{kNetperf3}; }
bool is_before_6(const ReaderFile& file) { return file.identity.format_version != uint64_t{kPlainBlocks}; }

constexpr Rule kPerfviewGzip{
    .id = "reader/perfview-gzip",
    .severity = Severity::error,
    .statement = "PerfView and dotnet-trace read files that are not compressed",
    .message = "PerfView and dotnet-trace do not decompress files",
    .why = "they try to parse the compressed bytes and reject the file; decompress it first",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kPerfviewPadding{
    .id = "reader/perfview-uncompressed-padding",
    .severity = Severity::warning,
    .statement = "PerfView and dotnet-trace skip the padding of an event with an uncompressed header",
    .message = "PerfView does not skip the padding after this payload",
    .why = "it reads the next event from the wrong place, and refuses the file or shows events that never existed",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kViewerGzip{
    .id = "reader/dotnet-events-viewer-gzip",
    .severity = Severity::error,
    .statement = "dotnet-events-viewer reads files that are not compressed",
    .message = "dotnet-events-viewer does not decompress files",
    .why = "it tries to parse the compressed bytes and rejects the file; decompress it first",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
    .of_container = true,
};

constexpr Rule kViewerNetperf{
    .id = "reader/dotnet-events-viewer-netperf",
    .severity = Severity::error,
    .statement = "dotnet-events-viewer reads versions from 4 on",
    .message = "dotnet-events-viewer cannot read version 3",
    .why = "it looks for the word Nettrace and stops with an exception; PerfView reads the file",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kViewerUncompressed{
    .id = "reader/dotnet-events-viewer-uncompressed",
    .severity = Severity::error,
    .statement = "dotnet-events-viewer reads blocks of events with uncompressed headers",
    .message = "dotnet-events-viewer cannot read the uncompressed headers of this block",
    .why = "it stops with a NotImplementedException and shows nothing",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kViewerTags{
    .id = "reader/dotnet-events-viewer-v2-params",
    .severity = Severity::error,
    .statement = "dotnet-events-viewer reads metadata rows whose fields are in a tag",
    .message = "dotnet-events-viewer cannot read metadata with fields in a tag",
    .why = "its test for an empty list of fields is inverted, so that it stops with an exception and shows nothing",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kViewerLabels{
    .id = "reader/dotnet-events-viewer-labels",
    .severity = Severity::error,
    .statement = "dotnet-events-viewer reads blocks with several labels",
    .message = "dotnet-events-viewer reads only the first label of a block",
    .why =
        "it steps over the whole block after the first label and fails; every file of record-trace with samples has "
        "such blocks",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Rule kViewerPointers{
    .id = "reader/dotnet-events-viewer-pointer-size",
    .severity = Severity::warning,
    .statement = "dotnet-events-viewer reads stacks of 4-byte addresses",
    .message = "dotnet-events-viewer reads the addresses of stacks as 8 bytes each",
    .why = "it joins two addresses into one, so that the stacks of this 32-bit process are wrong",
    .spec = kSection,
    .since = "0.2.0",
    .of_input = true,
};

constexpr Hazard kPerfviewHazards[] = {
    {&kFreedThreadIndex, refuses, is_found_by_model},
    {&kWrongThread, refuses, is_found_by_model},
    {&kPerfviewGzip, refuses, is_compressed},
    {&kPerfviewPadding, out_of_step, is_before_6, "uncompressed event", "payload_size",
     [](uint64_t size) { return size % 4 != 0; }},
};
constexpr Hazard kViewerHazards[] = {
    {&kViewerGzip, refuses, is_compressed},
    {&kViewerNetperf, refuses, is_netperf_3},
    {&kViewerUncompressed, refuses, nullptr, "block header", "flags", [](uint64_t flags) { return (flags & 1) == 0; }},
    {&kViewerTags, refuses, nullptr, "metadata", "kind", [](uint64_t kind) { return kind == kFieldsInTag; }},
    {&kViewerLabels, refuses, nullptr, "label", "is_last", [](uint64_t is_last) { return is_last == 0; }},
    {&kViewerLabels, refuses, nullptr, "label block", "count", [](uint64_t count) { return count > 1; }},
    {&kViewerPointers, misreads, nullptr, "Trace", "pointer_size", [](uint64_t size) { return size == 4; }},
};

constexpr std::string_view kEventRecords[] = {"compressed event", "uncompressed event", "old event"};

constexpr TraceReader kReaders[] = {
    {"perfview", "2026-07", &tracelint::kNettrace, "PerfView, or dotnet-trace convert", "by its source", "event|events",
     kEventRecords, nullptr, kPerfviewRows, kPerfviewHazards, follow_perfview},
    {"dotnet-events-viewer", "2026-01", &tracelint::kNettrace, "dotnet-events-viewer", "by its source", "event|events",
     kEventRecords, nullptr, kViewerRows, kViewerHazards},
};

}  // namespace
}  // namespace nettrace

constinit const ReaderList kNettraceReaders{nettrace::kReaders};

}  // namespace tracelint
