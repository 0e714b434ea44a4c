// gperftools, section 4.1: the state machine, and the rules that its edges report. The walk finds out which symbol fits
// first.
#pragma once

#include "grammars/gperftools/records.hpp"
#include "validator/tables/machine.hpp"

namespace tracelint::gperftools {

// --- the rules of the edges ------------------------------------------------------------------------------------------

inline constexpr Rule kHeaderTruncated{
    .id = "gperftools/header-truncated",
    .severity = Severity::error,
    .statement = "the five slots of the header are present",
    .message = "the file ends after {0 byte|bytes} of the header, expected 40, or 20 in a 32-bit profile",
    .why =
        "Go pprof refuses the file as \"unrecognized profile format\" or, if it is empty, as \"empty input file\"; "
        "google-pprof prints an empty report and exits with 0, or for 0 bytes four Perl warnings and exits with 1. "
        "The writer keeps even the header in memory until its first flush",
    .spec = "3.1 Binary Header",
    .since = "0.1.0",
    .about_end = true,
};

// Depends on whether a complete header follows the wrapper.
inline constexpr Rule kSymbolizedWrapper{
    .id = "gperftools/symbolized-wrapper",
    .severity = Severity::note,
    .statement = "the file begins with the header of the profile",
    .message = "{0 byte|bytes} of symbols precede the profile, as google-pprof --raw writes them",
    .why =
        "google-pprof reads the file if it is given no program; Go pprof refuses it as \"unrecognized profile format\"",
    .spec = "3.6 Text wrapper",
    .since = "0.1.0",
    .depends_on = {.later_records = true},
};

inline constexpr Rule kWrapperIncomplete{
    .id = "gperftools/wrapper-incomplete",
    .severity = Severity::error,
    .statement = "symbols before a profile end with a line `--- profile`",
    .message = "the symbols ({0 byte|bytes}) do not end with a line `--- profile`: no profile follows",
    .why = "google-pprof fails; the program that wrote the file was stopped, or its disk was full",
    .spec = "3.6 Text wrapper",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kRecordHeaderTruncated{
    .id = "gperftools/record-header-truncated",
    .severity = Severity::error,
    .statement = "the file does not end within the first two slots of a record",
    .message = "{0 byte is|bytes are} left at the end of the file, a record needs at least {1}",
    .why =
        "Go pprof refuses the whole file as \"unrecognized profile format\"; google-pprof adds an empty sample, which "
        "makes all percentages wrong. The file was truncated",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kRecordExceedsFile{
    .id = "gperftools/record-exceeds-file",
    .severity = Severity::error,
    .statement = "the call chain of a record is inside the file",
    .message = "num_pcs is {0}, but only {1 slot follows|slots follow} in the file",
    .why =
        "google-pprof fills the missing frames with -1; Go pprof does the same if few are missing and refuses the "
        "whole file otherwise. The file was truncated, or the number is damaged",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kMissingTrailer{
    .id = "gperftools/missing-trailer",
    .severity = Severity::error,
    .statement = "the records end with the trailer 0, 1, 0",
    .message = "the records end without the trailer 0, 1, 0",
    .why =
        "if the file ends here, readers have no list of mapped objects, so libraries cannot be symbolized, and the "
        "last samples may be missing; if text follows, Go pprof refuses the file",
    .spec = "3.3 Binary Trailer",
    .since = "0.1.0",
};

inline constexpr Rule kNoSamples{
    .id = "gperftools/no-samples",
    .severity = Severity::note,
    .statement = "a profile holds at least one record",
    .message = "the profile has no records: nothing was sampled",
    .why =
        "reports are empty (\"No nodes to print\"): the program used less CPU time than one period, the work was "
        "done in a forked child, or other code in the process uses SIGPROF",
    .spec = "3.2 Binary Profile Records",
    .since = "0.1.0",
};

inline constexpr Rule kMissingMapList{
    .id = "gperftools/missing-map-list",
    .severity = Severity::warning,
    .statement = "a list of mapped objects follows the trailer",
    .message = "the list of mapped objects is missing: nothing follows the trailer",
    .why =
        "Go pprof assigns every PC to one nameless mapping of the whole address space, and libraries cannot be "
        "symbolized. The file was truncated, or the writer could not read its own list of mappings",
    .spec = "3.4 Text List of Mapped Objects; 3.5 Dialects",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{
            .severity = Severity::note,
            .when = "the file may come from the Go runtime up to 1.8: it ends here, its only profile has format "
                    "version 0, no "
                    "chain is longer than 64 PCs, and all PCs are below 2^30",
            .message = "no list of mapped objects follows the trailer: Go up to 1.8 wrote none",
            .why = "readers find names only if they are given the program that was profiled; it holds all of the code, "
                   "because Go linked it statically"},
};

inline constexpr Rule kConcatenatedProfile{
    .id = "gperftools/concatenated-profile",
    .severity = Severity::warning,
    .statement = "nothing binary follows the list of mapped objects",
    .message = "another profile begins here, number {0} in this file",
    .why =
        "readers use only the samples of the first profile, but the mappings of all. A child forked without exec wrote "
        "to its parent's file descriptor; the process that ended first comes first",
    .spec = "3. Layout",
    .since = "0.1.0",
};

// --- the machine -----------------------------------------------------------------------------------------------------

enum class State : uint8_t {
    wrapper,         // nothing is read yet
    header,          // of the first profile, or of a further one
    wrapped_header,  // of a profile after a wrapper
    records,         //
    resync,          // out of step: searches for a trailer
    opening,         // where the text begins, or would begin
    mappings,        // the text is a list of mapped objects
    locations,       // the text is Java locations
    deep_chains,     // the end of the file is known: decides what is wrong with the chains that are too deep
    stopped,
    count_,
};
inline constexpr std::string_view kStateNames[] = {"wrapper", "header",   "wrapped header", "records",     "resync",
                                                   "opening", "mappings", "locations",      "deep chains", "stopped"};

enum class Symbol : uint8_t {
    // the first bytes
    no_wrapper,
    whole_wrapper,
    unterminated_wrapper,
    // a header
    header,
    zero_header,  // nothing but zeros: no profile begins here
    truncated_header,
    // where a record is expected
    record,
    trailer,
    trailer_no_records,  // a trailer, and no record comes before it
    damaged_trailer,     // one of its slots is wrong, and what follows is right
    text,                // where a record or the trailer should be
    chain_beyond_file,   //
    deep_chain,          // too deep for readers; it may also exceed the file
    chain_too_deep,      // a deep chain that is inside the file
    empty_record,        // num_pcs is 0
    empty_record_lost,   // num_pcs is 0, and what follows is not a plausible record
    zeros,               // pairs of 0, 0
    zeros_lost,          // pairs of 0, 0, and what follows is not a plausible record
    truncated_record,    // fewer than two slots are left
    end_in_wrapper,      // the end of the file, inside a wrapper
    // text
    mapping_text,
    location_text,
    no_text,  // the list of mapped objects is missing, and no wrapper excuses it
    line,
    next_profile,
    end_of_file,
    // after the end of the file
    no_deep_chain,
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {"no wrapper",
                                                    "whole wrapper",
                                                    "unterminated wrapper",
                                                    "header",
                                                    "header of zeros",
                                                    "truncated header",
                                                    "record",
                                                    "trailer",
                                                    "trailer without records",
                                                    "damaged trailer",
                                                    "text",
                                                    "chain beyond the file",
                                                    "deep chain",
                                                    "chain too deep",
                                                    "record without PCs",
                                                    "record without PCs, out of step",
                                                    "zeros",
                                                    "zeros, out of step",
                                                    "truncated record",
                                                    "end of a wrapped profile",
                                                    "mapping text",
                                                    "location text",
                                                    "no text",
                                                    "line",
                                                    "next profile",
                                                    "end of file",
                                                    "no deep chain left"};

namespace edges {

using enum Symbol;

inline constexpr uint32_t kWrappers = on(no_wrapper, whole_wrapper, unterminated_wrapper);
inline constexpr uint32_t kHeaders = on(header, zero_header, truncated_header);
inline constexpr uint32_t kChains = on(chain_beyond_file, chain_too_deep);
inline constexpr uint32_t kRecordsOnly = on(record, trailer_no_records, damaged_trailer, text, deep_chain, empty_record,
                                            empty_record_lost, zeros, zeros_lost, truncated_record, end_in_wrapper);
inline constexpr uint32_t kOpenings = on(mapping_text, location_text, no_text);
inline constexpr uint32_t kInText = on(line, next_profile);

// In records, a chain that is refused is not stepped over, because its length cannot be trusted: the search for a
// trailer begins where the record did. The same goes for a truncated record.
// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::wrapper,     on(no_wrapper),           State::header},
    {State::wrapper,     on(whole_wrapper),        State::wrapped_header},
    {State::wrapper,     on(unterminated_wrapper), State::stopped,        Recovery::stop,   &kWrapperIncomplete},
    {State::wrapper,     kHeaders | kRecordsOnly | kChains | on(trailer) | kOpenings | kInText
                         | on(end_of_file, no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::header,      on(header),               State::records},
    {State::header,      on(zero_header),          State::stopped,        Recovery::stop},
    {State::header,      on(truncated_header),     State::stopped,        Recovery::stop,   &kHeaderTruncated},
    {State::header,      kWrappers | kRecordsOnly | kChains | on(trailer) | kOpenings | kInText
                         | on(end_of_file, no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::wrapped_header, on(header),            State::records,        Recovery::accept, &kSymbolizedWrapper},
    {State::wrapped_header, on(zero_header),       State::stopped,        Recovery::stop},
    {State::wrapped_header, on(truncated_header),  State::stopped,        Recovery::stop,   &kHeaderTruncated},
    {State::wrapped_header, kWrappers | kRecordsOnly | kChains | on(trailer) | kOpenings | kInText
                            | on(end_of_file, no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::records,     on(record),               State::records},
    {State::records,     on(trailer),              State::opening},
    {State::records,     on(trailer_no_records),   State::opening,        Recovery::accept, &kNoSamples},
    {State::records,     on(damaged_trailer),      State::opening,        Recovery::skip,   &kTrailerDamaged},
    {State::records,     on(text),                 State::opening,        Recovery::accept, &kMissingTrailer},
    {State::records,     on(chain_beyond_file),    State::resync,         Recovery::accept, &kRecordExceedsFile},
    {State::records,     on(deep_chain),           State::resync},
    {State::records,     on(empty_record, zeros),  State::records,        Recovery::skip,   &kNumPcsZero},
    {State::records,     on(empty_record_lost, zeros_lost),
                                                   State::resync,         Recovery::skip,   &kNumPcsZero},
    {State::records,     on(truncated_record),     State::resync,         Recovery::accept, &kRecordHeaderTruncated},
    {State::records,     on(end_in_wrapper),       State::deep_chains},
    {State::records,     on(end_of_file),          State::deep_chains,    Recovery::accept, &kMissingTrailer},
    {State::records,     kWrappers | kHeaders | on(chain_too_deep) | kOpenings | kInText | on(no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::resync,      on(trailer),              State::opening},
    {State::resync,      on(end_of_file),          State::deep_chains},
    {State::resync,      kWrappers | kHeaders | kRecordsOnly | kChains | kOpenings | kInText | on(no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::opening,     on(mapping_text),         State::mappings},
    {State::opening,     on(no_text),              State::mappings,       Recovery::accept, &kMissingMapList},
    {State::opening,     on(location_text),        State::locations},
    {State::opening,     kWrappers | kHeaders | kRecordsOnly | kChains | on(trailer) | kInText
                         | on(end_of_file, no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::mappings,    on(line),                 State::mappings},
    {State::mappings,    on(next_profile),         State::header,         Recovery::accept, &kConcatenatedProfile},
    {State::mappings,    on(end_of_file),          State::deep_chains},
    {State::mappings,    kWrappers | kHeaders | kRecordsOnly | kChains | on(trailer) | kOpenings | on(no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::locations,   on(line),                 State::locations},
    {State::locations,   on(next_profile),         State::header,         Recovery::accept, &kConcatenatedProfile},
    {State::locations,   on(end_of_file),          State::deep_chains},
    {State::locations,   kWrappers | kHeaders | kRecordsOnly | kChains | on(trailer) | kOpenings | on(no_deep_chain),
                                                   State::stopped,        Recovery::impossible},

    {State::deep_chains, on(chain_beyond_file),    State::deep_chains,    Recovery::skip,   &kRecordExceedsFile},
    {State::deep_chains, on(chain_too_deep),       State::deep_chains,    Recovery::skip,   &kDepthExceedsReaderLimit},
    {State::deep_chains, on(no_deep_chain),        State::stopped,        Recovery::stop},
    {State::deep_chains, kWrappers | kHeaders | kRecordsOnly | on(trailer) | kOpenings | kInText | on(end_of_file),
                                                   State::stopped,        Recovery::impossible},
};
// clang-format on

}  // namespace edges

inline constexpr auto kMachine = make_machine(edges::kEdges, State::wrapper, State::stopped);

// --- the rules of this file ------------------------------------------------------------------------------------------

inline constexpr RuleList kEdgeRules =
    rules<&kHeaderTruncated, &kSymbolizedWrapper, &kWrapperIncomplete, &kRecordHeaderTruncated, &kRecordExceedsFile,
          &kMissingTrailer, &kNoSamples, &kMissingMapList, &kConcatenatedProfile>;

}  // namespace tracelint::gperftools
