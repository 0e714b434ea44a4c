// pprof, section 4: the state machine of a file, and the rules about its fields (section 5.1).
#pragma once

#include "validator/tables/machine.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::pprof {

enum class State : uint8_t { fields, resume, stopped, count_ };
inline constexpr std::string_view kStateNames[] = {"fields", "resume", "stopped"};

// What is at the cursor: a top-level field, or the bytes after one with a fault.
enum class Symbol : uint8_t {
    message,
    string,
    numbers,
    number,
    unknown_field,
    large_field,
    cut,
    long_varint,
    overflow,
    invalid_wire_type,
    group,
    number_zero,
    large_number,
    long_prefix,
    type_mismatch,
    nested_fault,
    plausible,
    implausible,
    nothing,
    end_of_file,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {"message",
                                                    "entry of the string table",
                                                    "packed numbers",
                                                    "number",
                                                    "field of an unknown number",
                                                    "field above a limit",
                                                    "field cut by the end of the file",
                                                    "varint of more than 10 bytes",
                                                    "varint of more than 64 bits",
                                                    "wire type 6 or 7",
                                                    "group",
                                                    "field number 0",
                                                    "field number above 2^29 - 1",
                                                    "tag or length of more than 5 bytes",
                                                    "wire type of another type",
                                                    "end of a field with a fault inside",
                                                    "plausible fields",
                                                    "no plausible fields",
                                                    "nothing in the file",
                                                    "end of file"};

inline constexpr Rule kEmptyFile{
    .id = "pprof/empty-file",
    .severity = Severity::error,
    .statement = "a profile has at least one byte",
    .message = "the file is empty: no profile was written",
    .why = "pprof refuses it; parsers of protobuf accept it as an empty profile",
    .spec = "2. Identification",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kFieldExceedsFile{
    .id = "pprof/field-exceeds-file",
    .severity = Severity::error,
    .statement = "a field of the profile ends inside the file",
    .message = "the file ends {0 byte|bytes} into the field {text}: the profile is cut off",
    .why = "pprof, Parca and pyroscope refuse the profile; readers in JavaScript show the rest as if it were whole",
    .spec = "5.1 Wire; 4.1 Resume",
    .since = "0.2.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kFieldExceedsMessage{
    .id = "pprof/field-exceeds-message",
    .severity = Severity::error,
    .statement = "a field ends inside its message",
    .message = "{text} needs more than the {0 byte|bytes} left in its message",
    .why = "pprof refuses the profile; readers in JavaScript lose fields and say nothing",
    .spec = "5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kVarintTooLong{
    .id = "pprof/varint-too-long",
    .severity = Severity::error,
    .statement = "a varint ends within 10 bytes",
    .message = "the varint continues after 10 bytes; a 64-bit number takes at most 10",
    .why = "pprof, Parca and pyroscope refuse the profile",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kVarintOverflow{
    .id = "pprof/varint-overflow",
    .severity = Severity::error,
    .statement = "the tenth byte of a varint is 0 or 1",
    .message = "the tenth byte of the varint is above 1: the number does not fit into 64 bits",
    .why = "most readers drop the bits that do not fit and show a wrong number",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kWireTypeInvalid{
    .id = "pprof/wire-type-invalid",
    .severity = Severity::error,
    .statement = "the wire type of a field is not 6 or 7",
    .message = "wire type {0} does not exist",
    .why = "no reader continues after it",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kWireTypeGroup{
    .id = "pprof/wire-type-group",
    .severity = Severity::error,
    .statement = "a profile has no groups",
    .message = "wire type {0} begins or ends a group, and profile.proto has none",
    .why = "pprof refuses the profile; parsers in C++ may return an incomplete profile without an error",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kFieldNumberZero{
    .id = "pprof/field-number-zero",
    .severity = Severity::error,
    .statement = "the number of a field is not 0",
    .message = "{0 byte|bytes} of field number 0, which is reserved",
    .why = "parsers in C++ stop here and report success, Parca and pyroscope refuse the profile",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.later_records = true, .resynchronisation = true},
};

inline constexpr Rule kFieldNumberTooLarge{
    .id = "pprof/field-number-too-large",
    .severity = Severity::error,
    .statement = "the number of a field is at most 2^29 - 1",
    .message = "field number {0} is above 536870911",
    .why = "parsers in C++ return an empty profile and report success",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kPrefixTooLong{
    .id = "pprof/prefix-too-long",
    .severity = Severity::error,
    .statement = "a tag or a length takes at most 5 bytes",
    .message = "the tag or length takes {0} bytes, expected at most 5",
    .why = "parsers in C++ refuse the profile, those in JavaScript misread what follows",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kWireTypeMismatch{
    .id = "pprof/wire-type-mismatch",
    .severity = Severity::error,
    .statement = "a field has the wire type of its type",
    .message = "{text} has wire type {0}, expected {1}",
    .why = "pprof, Parca and pyroscope refuse the profile; parsers in C++ read the field as 0",
    .spec = "3.2 Messages; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kPackedTruncated{
    .id = "pprof/packed-truncated",
    .severity = Severity::error,
    .statement = "the last number of a packed field ends inside the field",
    .message = "a number of {text} does not end inside the packed field",
    .why = "all readers but one refuse the profile, and that one drops the number",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kUnknownField{
    .id = "pprof/unknown-field",
    .severity = Severity::note,
    .statement = "the number of a field is one that its message has",
    .message = "{text} has no field {0} in profile.proto ({3 place|places} in this file)",
    .why = "readers skip it; a reader that expects tags of one byte misreads what follows",
    .spec = "3.2 Messages; 5.1 Wire",
    .since = "0.2.0",
};

inline constexpr Rule kFieldRepeated{
    .id = "pprof/field-repeated",
    .severity = Severity::warning,
    .statement = "a field that is not repeated occurs once in its message",
    .message = "{text} occurs again in its message ({3 place|places} in this file)",
    .why = "readers keep the last one, or merge the two",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
};

inline constexpr Rule kVarintOverlong{
    .id = "pprof/varint-overlong",
    .severity = Severity::note,
    .statement = "a varint has no padding",
    .message = "the varint takes {0} bytes, {1} are enough ({3 place|places} in this file)",
    .why = "legal; the file is larger than necessary",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
};

inline constexpr Rule kConcatenatedProfile{
    .id = "pprof/concatenated-profile",
    .severity = Severity::error,
    .statement = "time_nanos occurs once",
    .message = "time_nanos occurs again: two profiles in one file",
    .why = "pprof refuses the file; other readers merge the two into one profile with duplicate ids",
    .spec = "5.1 Wire",
    .since = "0.2.0",
};

inline constexpr Rule kBoolNotBoolean{
    .id = "pprof/bool-not-boolean",
    .severity = Severity::note,
    .statement = "a bool is 0 or 1",
    .message = "{text} is {0}, expected 0 or 1 ({3 place|places} in this file)",
    .why = "readers treat it as true",
    .spec = "3.1 Wire; 5.1 Wire",
    .since = "0.2.0",
};

inline constexpr uint32_t kRead =
    on(Symbol::message, Symbol::string, Symbol::numbers, Symbol::number, Symbol::unknown_field);
inline constexpr uint32_t kFaulty =
    on(Symbol::cut, Symbol::long_varint, Symbol::overflow, Symbol::invalid_wire_type, Symbol::group,
       Symbol::number_zero, Symbol::large_number, Symbol::long_prefix, Symbol::type_mismatch, Symbol::nested_fault);
inline constexpr uint32_t kAfterFault = on(Symbol::plausible, Symbol::implausible);

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::fields, kRead,                              State::fields},
    {State::fields, on(Symbol::large_field),            State::resume},
    {State::fields, on(Symbol::cut),                    State::resume,  Recovery::skip, &kFieldExceedsFile},
    {State::fields, on(Symbol::long_varint),            State::resume,  Recovery::skip, &kVarintTooLong},
    {State::fields, on(Symbol::overflow),               State::resume,  Recovery::skip, &kVarintOverflow},
    {State::fields, on(Symbol::invalid_wire_type),      State::resume,  Recovery::skip, &kWireTypeInvalid},
    {State::fields, on(Symbol::group),                  State::resume,  Recovery::skip, &kWireTypeGroup},
    {State::fields, on(Symbol::number_zero),            State::resume,  Recovery::skip, &kFieldNumberZero},
    {State::fields, on(Symbol::large_number),           State::resume,  Recovery::skip, &kFieldNumberTooLarge},
    {State::fields, on(Symbol::long_prefix),            State::resume,  Recovery::skip, &kPrefixTooLong},
    {State::fields, on(Symbol::type_mismatch),          State::resume,  Recovery::skip, &kWireTypeMismatch},
    {State::fields, on(Symbol::nested_fault),           State::resume},
    {State::fields, on(Symbol::nothing),                State::stopped, Recovery::stop, &kEmptyFile},
    {State::fields, on(Symbol::end_of_file),            State::stopped, Recovery::stop},
    {State::fields, kAfterFault,                        State::fields,  Recovery::impossible},
    {State::resume, on(Symbol::plausible),              State::fields},
    {State::resume, on(Symbol::implausible),            State::stopped, Recovery::stop},
    {State::resume, kRead | kFaulty | on(Symbol::large_field, Symbol::nothing, Symbol::end_of_file), State::resume, Recovery::impossible},
};
// clang-format on
inline constexpr Machine<State, Symbol> kMachine = make_machine(kEdges, State::fields, State::stopped);

inline constexpr RuleList kMachineRules =
    rules<&kEmptyFile, &kFieldExceedsFile, &kFieldExceedsMessage, &kVarintTooLong, &kVarintOverflow, &kWireTypeInvalid,
          &kWireTypeGroup, &kFieldNumberZero, &kFieldNumberTooLarge, &kPrefixTooLong, &kWireTypeMismatch,
          &kPackedTruncated, &kUnknownField, &kFieldRepeated, &kVarintOverlong, &kConcatenatedProfile,
          &kBoolNotBoolean>;

}  // namespace tracelint::pprof
