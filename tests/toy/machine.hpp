// toy, section 4.1: the state machine of a file, and the rules of its edges.
#pragma once

#include "validator/tables/machine.hpp"

namespace tracelint::toy {

enum class State : uint8_t { header, records, closed, stopped, count_ };
inline constexpr std::string_view kStateNames[] = {"header", "records", "closed", "stopped"};

// What is at the cursor.
enum class Symbol : uint8_t {
    header,
    foreign_magic,
    unknown_version,
    cut_header,
    record,
    close,
    unknown_kind,
    short_size,
    cut_record,
    end_of_file,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {
    "header", "other magic number", "unknown version", "header cut by the end of the file", "record",
    "CLOSE",  "unknown kind",       "size below 3",    "record cut by the end of the file", "end of file"};

inline constexpr Rule kBadMagic{
    .id = "toy/bad-magic",
    .severity = Severity::error,
    .statement = "a file begins with the magic number",
    .message = "the file begins with {0x}, expected the magic number 0x544f5931 in either byte order",
    .why = "no reader opens the file",
    .spec = "2. Identification",
    .since = "0.1.0",
};

inline constexpr Rule kUnknownVersion{
    .id = "toy/unknown-version",
    .severity = Severity::error,
    .statement = "the version is 1 or 2",
    .message = "version is {0}, expected 1 or 2",
    .why = "the layout of the records is unknown, so nothing after the header is checked",
    .spec = "1. Sources and versions; 3.1 Header",
    .since = "0.1.0",
};

inline constexpr Rule kTruncatedHeader{
    .id = "toy/truncated-header",
    .severity = Severity::error,
    .statement = "a file has a whole header",
    .message = "the file ends after {0 byte|bytes}, within its header of 8 bytes",
    .why = "no reader opens the file",
    .spec = "3.1 Header",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kUnknownKind{
    .id = "toy/unknown-kind",
    .severity = Severity::warning,
    .statement = "the kind of a record is one of those in the specification",
    .message = "the record has the unknown kind {0}",
    .why = "readers skip the record",
    .spec = "3.2 Record prefix",
    .since = "0.1.0",
};

inline constexpr Rule kRecordTooSmall{
    .id = "toy/record-too-small",
    .severity = Severity::error,
    .statement = "the size of a record covers at least its prefix",
    .message = "size is {0}, but the record prefix alone takes 3 bytes",
    .why = "the next record cannot be found: everything from here on is lost",
    .spec = "3.2 Record prefix; 4.1 File",
    .since = "0.1.0",
};

inline constexpr Rule kTruncatedRecord{
    .id = "toy/truncated-record",
    .severity = Severity::error,
    .statement = "a file ends where a record ends",
    .message = "the file ends {0 byte|bytes} into a record",
    .why = "readers drop the last record",
    .spec = "4.1 File",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kNotClosed{
    .id = "toy/not-closed",
    .severity = Severity::note,
    .statement = "CLOSE is the last record",
    .message = "the file ends without a CLOSE record",
    .why = "the producer was probably killed, and the last events are missing",
    .spec = "3.6 CLOSE",
    .since = "0.1.0",
    .about_end = true,
};

inline constexpr Rule kRecordAfterClose{
    .id = "toy/record-after-close",
    .severity = Severity::error,
    .statement = "no record follows CLOSE",
    .message = "a record follows CLOSE",
    .why = "readers stop at CLOSE: the records after it are lost",
    .spec = "3.6 CLOSE; 4.1 File",
    .since = "0.1.0",
};

inline constexpr uint32_t kOfHeader =
    on(Symbol::header, Symbol::foreign_magic, Symbol::unknown_version, Symbol::cut_header);
inline constexpr uint32_t kOfRecord =
    on(Symbol::record, Symbol::close, Symbol::unknown_kind, Symbol::short_size, Symbol::cut_record);

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::header,  on(Symbol::header),                      State::records},
    {State::header,  on(Symbol::foreign_magic),               State::stopped, Recovery::stop,  &kBadMagic},
    {State::header,  on(Symbol::unknown_version),             State::stopped, Recovery::stop,  &kUnknownVersion},
    {State::header,  on(Symbol::cut_header),                  State::stopped, Recovery::stop,  &kTruncatedHeader},
    {State::header,  kOfRecord | on(Symbol::end_of_file),     State::header,  Recovery::impossible},
    {State::records, on(Symbol::record),                      State::records},
    {State::records, on(Symbol::close),                       State::closed},
    {State::records, on(Symbol::unknown_kind),                State::records, Recovery::skip,  &kUnknownKind},
    {State::records, on(Symbol::short_size),                  State::stopped, Recovery::stop,  &kRecordTooSmall},
    {State::records, on(Symbol::cut_record),                  State::stopped, Recovery::stop,  &kTruncatedRecord},
    {State::records, on(Symbol::end_of_file),                 State::stopped, Recovery::stop,  &kNotClosed},
    {State::records, kOfHeader,                               State::records, Recovery::impossible},
    {State::closed,  kOfRecord,                               State::records, Recovery::again, &kRecordAfterClose},
    {State::closed,  on(Symbol::end_of_file),                 State::stopped, Recovery::stop},
    {State::closed,  kOfHeader,                               State::closed,  Recovery::impossible},
};
// clang-format on
inline constexpr Machine<State, Symbol> kMachine = make_machine(kEdges, State::header, State::stopped);

inline constexpr RuleList kMachineRules = rules<&kBadMagic, &kUnknownVersion, &kTruncatedHeader, &kUnknownKind,
                                                &kRecordTooSmall, &kTruncatedRecord, &kNotClosed, &kRecordAfterClose>;

}  // namespace tracelint::toy
