// gperftools, section 4: the state machine. Which row of a state fits first is for the walk to find out.
#pragma once

#include "grammars/gperftools/header_rules.hpp"
#include "grammars/gperftools/record_rules.hpp"
#include "grammars/gperftools/text_rules.hpp"
#include "validator/machine.hpp"

namespace tracelint::gperftools {

enum class State : uint8_t {
    wrapper,    // nothing is read yet
    header,     // of the first profile or of another
    records,    //
    resync,     // out of step: looks for a trailer
    opening,    // where the text begins, or would begin
    mappings,   // the text is a list of mapped objects
    locations,  // the text is Java locations
    stopped,
    count_,
};
inline constexpr std::string_view kStateNames[] = {"wrapper", "header",   "records",   "resync",
                                                   "opening", "mappings", "locations", "stopped"};

enum class Symbol : uint8_t {
    // the first bytes
    no_wrapper,
    whole_wrapper,
    endless_wrapper,
    // a header
    header,
    cut_header,
    // in the place of a record
    record,
    trailer,
    damaged_trailer,    // one slot of it is wrong, and what follows is right
    text,               // where a record or the trailer should be
    chain_beyond_file,  //
    chain_too_deep,     // or beyond the end of the file, which is known when it is met
    empty_record,       // num_pcs is 0
    empty_record_lost,  // so it is, and what follows is no record
    zeros,              // pairs of 0, 0
    zeros_lost,
    zeros_to_end,
    cut_record,    // fewer than two slots are left
    end_of_inner,  // the end of the file, inside of a wrapper
    // a text
    mapping_text,
    location_text,
    no_text,  // no list of mapped objects, and none is excused by a wrapper
    line,
    next_profile,
    end_of_file,
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {"no wrapper",
                                                    "whole wrapper",
                                                    "endless wrapper",
                                                    "header",
                                                    "cut header",
                                                    "record",
                                                    "trailer",
                                                    "damaged trailer",
                                                    "text",
                                                    "chain beyond the file",
                                                    "chain too deep",
                                                    "record without PCs",
                                                    "record without PCs and lost",
                                                    "zeros",
                                                    "zeros and lost",
                                                    "zeros to the end",
                                                    "cut record",
                                                    "end of a wrapped profile",
                                                    "mapping text",
                                                    "location text",
                                                    "no text",
                                                    "line",
                                                    "next profile",
                                                    "end of file"};

namespace edges {

using enum Symbol;

inline constexpr uint32_t kFirst = on(no_wrapper, whole_wrapper, endless_wrapper);
inline constexpr uint32_t kHeaders = on(header, cut_header);
inline constexpr uint32_t kInRecords = on(record, damaged_trailer, text, chain_beyond_file, chain_too_deep,
                                          empty_record, empty_record_lost, zeros, zeros_lost, zeros_to_end, cut_record);
inline constexpr uint32_t kOpenings = on(mapping_text, location_text, no_text);
inline constexpr uint32_t kInText = on(line, next_profile);

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::wrapper,   on(no_wrapper),        State::header},
    {State::wrapper,   on(whole_wrapper),     State::header,    Recovery::accept, &kSymbolizedWrapper},
    {State::wrapper,   on(endless_wrapper),   State::stopped,   Recovery::stop,   &kWrapperIncomplete},
    {State::wrapper,   kHeaders | kInRecords | on(trailer) | kOpenings | kInText | on(end_of_inner, end_of_file),
                                              State::stopped,   Recovery::impossible},

    {State::header,    on(header),            State::records},
    {State::header,    on(cut_header),        State::stopped,   Recovery::stop,   &kHeaderTruncated},
    {State::header,    kFirst | kInRecords | on(trailer) | kOpenings | kInText | on(end_of_inner, end_of_file),
                                              State::stopped,   Recovery::impossible},

    {State::records,   on(end_of_inner),      State::stopped,   Recovery::stop},
    {State::records,   on(end_of_file),       State::stopped,   Recovery::stop,   &kMissingTrailer},
    {State::records,   on(cut_record),        State::stopped,   Recovery::stop,   &kRecordHeaderTruncated},
    {State::records,   on(trailer),           State::opening},
    {State::records,   on(damaged_trailer),   State::opening,   Recovery::skip,   &kTrailerDamaged},
    {State::records,   on(text),              State::opening,   Recovery::accept, &kMissingTrailer},
    {State::records,   on(chain_beyond_file), State::resync,    Recovery::accept, &kRecordExceedsFile},
    {State::records,   on(chain_too_deep),    State::resync,    Recovery::accept, &kDepthExceedsReaderLimit},
    {State::records,   on(empty_record),      State::records,   Recovery::skip,   &kNumPcsZero},
    {State::records,   on(empty_record_lost), State::resync,    Recovery::skip,   &kNumPcsZero},
    {State::records,   on(zeros),             State::records,   Recovery::skip,   &kNumPcsZero},
    {State::records,   on(zeros_lost),        State::resync,    Recovery::skip,   &kNumPcsZero},
    {State::records,   on(zeros_to_end),      State::stopped,   Recovery::stop,   &kNumPcsZero},
    {State::records,   on(record),            State::records},
    {State::records,   kFirst | kHeaders | kOpenings | kInText, State::stopped, Recovery::impossible},

    {State::resync,    on(trailer),           State::opening},
    {State::resync,    on(end_of_file),       State::stopped,   Recovery::stop},
    {State::resync,    kFirst | kHeaders | kInRecords | kOpenings | kInText | on(end_of_inner),
                                              State::stopped,   Recovery::impossible},

    {State::opening,   on(mapping_text),      State::mappings},
    {State::opening,   on(no_text),           State::mappings,  Recovery::accept, &kMissingMapList},
    {State::opening,   on(location_text),     State::locations},
    {State::opening,   kFirst | kHeaders | kInRecords | on(trailer) | kInText | on(end_of_inner, end_of_file),
                                              State::stopped,   Recovery::impossible},

    {State::mappings,  on(line),              State::mappings},
    {State::mappings,  on(next_profile),      State::header,    Recovery::accept, &kConcatenatedProfile},
    {State::mappings,  on(end_of_file),       State::stopped,   Recovery::stop},
    {State::mappings,  kFirst | kHeaders | kInRecords | on(trailer) | kOpenings | on(end_of_inner),
                                              State::stopped,   Recovery::impossible},

    {State::locations, on(line),              State::locations},
    {State::locations, on(next_profile),      State::header,    Recovery::accept, &kConcatenatedProfile},
    {State::locations, on(end_of_file),       State::stopped,   Recovery::stop},
    {State::locations, kFirst | kHeaders | kInRecords | on(trailer) | kOpenings | on(end_of_inner),
                                              State::stopped,   Recovery::impossible},
};
// clang-format on

}  // namespace edges

inline constexpr auto kMachine = make_machine(edges::kEdges, State::wrapper, State::stopped);

}  // namespace tracelint::gperftools
