// jitdump, section 4: the state machine.
#pragma once

#include "grammars/jitdump/framing.hpp"
#include "validator/machine.hpp"

namespace tracelint::jitdump {

enum class Phase : uint8_t {
    header,   // H: nothing is read yet
    records,  // R
    closed,   // C: CLOSE was the last record
    beyond,   // C, and rule 25 has been said
    stopped,  // X
    count_,
};
inline constexpr std::string_view kPhaseNames[] = {"header", "records", "closed", "beyond", "stopped"};

enum class Symbol : uint8_t {
    // the first bytes
    header,
    oversized_header,  // its total_size exceeds the file, and no record stands at 40
    foreign_magic,     // neither order of the magic; the format is forced
    cut_header,        // fewer than 40 bytes
    // complete records
    load,
    move,
    debug_info,
    close,
    unwinding_info,
    too_small,  // one of these below its minimum
    extension,  // ids 5, 827346259..827346261
    unknown,    // any other id
    // what is no record
    end_of_file,
    cut_prefix,  // 1 to 15 bytes are left
    short_size,  // total_size < 16
    cut_record,  // total_size > what is left
    count_,
};
inline constexpr std::string_view kSymbolNames[] = {
    "header",     "oversized header", "foreign magic", "cut header", "LOAD",    "MOVE",        "DEBUG_INFO",
    "CLOSE",      "UNWINDING_INFO",   "too small",     "extension",  "unknown", "end of file", "cut prefix",
    "short size", "cut record"};

namespace edges {

using enum Symbol;

inline constexpr uint32_t kOpening = on(header, oversized_header, foreign_magic, cut_header);
inline constexpr uint32_t kKnown = on(load, move, debug_info, unwinding_info, extension);
inline constexpr uint32_t kComplete = kKnown | on(close, too_small, unknown);
inline constexpr uint32_t kEnds = on(end_of_file, cut_prefix, short_size, cut_record);

// clang-format off
inline constexpr Edge<Phase, Symbol> kEdges[] = {
    {Phase::header,  on(header),        Phase::records},
    {Phase::header,  on(oversized_header), Phase::stopped, Recovery::stop, &kHeaderSizeExceedsFile},
    {Phase::header,  on(foreign_magic), Phase::stopped, Recovery::stop, &kBadMagic},
    {Phase::header,  on(cut_header),    Phase::stopped, Recovery::stop, &kTruncatedHeader},
    {Phase::header,  kComplete | kEnds, Phase::stopped, Recovery::impossible},

    {Phase::records, kKnown,            Phase::records},
    {Phase::records, on(close),         Phase::closed},
    {Phase::records, on(too_small),     Phase::records, Recovery::skip, &kRecordBodyTooSmall},
    {Phase::records, on(unknown),       Phase::records, Recovery::skip, &kUnknownRecordKind},
    {Phase::records, on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::records, on(cut_prefix),    Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::records, on(short_size),    Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::records, on(cut_record),    Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::records, kOpening,          Phase::stopped, Recovery::impossible},

    {Phase::closed,  kComplete,         Phase::beyond,  Recovery::again, &kRecordAfterClose},
    {Phase::closed,  on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::closed,  on(cut_prefix),    Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::closed,  on(short_size),    Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::closed,  on(cut_record),    Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::closed,  kOpening,          Phase::stopped, Recovery::impossible},

    {Phase::beyond,  kKnown | on(close), Phase::beyond},
    {Phase::beyond,  on(too_small),     Phase::beyond,  Recovery::skip, &kRecordBodyTooSmall},
    {Phase::beyond,  on(unknown),       Phase::beyond,  Recovery::skip, &kUnknownRecordKind},
    {Phase::beyond,  on(end_of_file),   Phase::stopped, Recovery::stop},
    {Phase::beyond,  on(cut_prefix),    Phase::stopped, Recovery::stop, &kTruncatedRecordHeader},
    {Phase::beyond,  on(short_size),    Phase::stopped, Recovery::stop, &kRecordSizeTooSmall},
    {Phase::beyond,  on(cut_record),    Phase::stopped, Recovery::stop, &kTruncatedRecord},
    {Phase::beyond,  kOpening,          Phase::stopped, Recovery::impossible},
};
// clang-format on

}  // namespace edges

inline constexpr auto kMachine = make_machine(edges::kEdges, Phase::header, Phase::stopped);

}  // namespace tracelint::jitdump
