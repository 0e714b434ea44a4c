// What readers of nettrace files do with files that break a rule, by their sources.
#include <array>

#include "grammars/formats.hpp"
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

template <ReaderOutcome OutcomesOfRule::* Reader>
constexpr auto rows_of() {
    std::array<ReaderRow, std::size(kOutcomes)> rows{};
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {kOutcomes[i].rule, kOutcomes[i].*Reader};
    return rows;
}

constexpr auto kPerfviewRows = rows_of<&OutcomesOfRule::perfview>(), kViewerRows = rows_of<&OutcomesOfRule::viewer>();

constexpr std::string_view kEventRecords[] = {"compressed event", "uncompressed event", "old event"};

constexpr TraceReader kReaders[] = {
    {"perfview",
     "2026-07",
     &tracelint::kNettrace,
     "PerfView, or dotnet-trace convert",
     "by its source",
     "event|events",
     kEventRecords,
     nullptr,
     kPerfviewRows,
     {}},
    {"dotnet-events-viewer",
     "2026-01",
     &tracelint::kNettrace,
     "dotnet-events-viewer",
     "by its source",
     "event|events",
     kEventRecords,
     nullptr,
     kViewerRows,
     {}},
};

}  // namespace
}  // namespace nettrace

constinit const ReaderList kNettraceReaders{nettrace::kReaders};

}  // namespace tracelint
