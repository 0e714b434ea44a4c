// samply, sections 5.1 (S13 to S19) and 5.4 (P1, P2): a record as a whole, and its LOAD.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::samply {

inline constexpr Rule kInfo2Superseded{.id = "samply/info2-superseded",
                                       .severity = Severity::warning,
                                       .statement = "one DEBUG_INFO2 comes before a LOAD",
                                       .message = "another DEBUG_INFO2 follows before the LOAD",
                                       .why = "readers take the last one, and nobody sees this one",
                                       .spec = "4.1 End of the wait",
                                       .since = "0.1.0",
                                       .decided_later = true};

inline constexpr Rule kInfo2WithoutLoad{.id = "samply/info2-without-load",
                                        .severity = Severity::warning,
                                        .statement = "the LOAD of the function follows its DEBUG_INFO2",
                                        .message = "no LOAD follows before CLOSE or the end of the file",
                                        .why = "the record is about no function, and nobody sees it",
                                        .spec = "4.1 End of the wait",
                                        .since = "0.1.0",
                                        .about_end = true,
                                        .decided_later = true};

inline constexpr Rule kBothDebugInfos{
    .id = "samply/both-debug-infos",
    .severity = Severity::note,
    .statement = "a LOAD has a DEBUG_INFO or a DEBUG_INFO2, not both",
    .message = "a DEBUG_INFO waits for the same LOAD",
    .why = "useful, as perf reads only DEBUG_INFO; samply then ignores that, also where DEBUG_INFO2 has no answer",
    .spec = "4.1 End of the wait",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kOpaqueRecord{
    .id = "samply/opaque-record",
    .severity = Severity::note,
    .statement = "no record is of a kind whose layout is not defined",
    .message =
        "a record of id {0}, whose layout is not defined: it is not checked; {1 such record|such records} in all",
    .why = "no reader is known that looks into it",
    .spec = "3.5 Opaque records",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kIdConflict{
    .id = "samply/id-conflict",
    .severity = Severity::warning,
    .statement = "a record of id 827346260 can be recognised as a DEBUG_INFO2 of positions",
    .message = "the record is not recognised as positions, so its body of {0 byte|bytes} is not checked",
    .why =
        "the number has two owners, this and JIT_TIER; samply's reader fails at another layout and the function has no "
        "lines. --samply-260 says which it is",
    .spec = "2.1 Id 827346260",
    .since = "0.1.0",
    .decided_later = true,
    .severity_override = SeverityOverride{Severity::note, "it is too short for positions",
                                          "the body has {0 byte|bytes}, too few for positions, and is not checked",
                                          "the number has two owners; this is taken for the other one, JIT_TIER"}};

inline constexpr Rule kInlineInfoExperimental{
    .id = "samply/inline-info-experimental",
    .severity = Severity::note,
    .statement = "no record is of the experimental inline info, id 5",
    .message = "a record of id 5, of which two layouts exist: it is not checked; {0 such record|such records} in all",
    .why = "no released reader looks into it, and perf may use the number for something else",
    .spec = "3.5 Opaque records",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kTrackingLimit{
    .id = "samply/tracking-limit",
    .severity = Severity::note,
    .statement = "the record can be looked at within the limits of this run",
    .message = "the record has {0 byte|bytes}, above what this run may hold: not all of it is checked",
    .why = "not a fault of the file; --max-memory and --max-record raise the limits",
    .spec = "4.3 Limits",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kInfo2CodeAddrMismatch{
    .id = "samply/info2-code-addr-mismatch",
    .severity = Severity::error,
    .statement = "code_addr of a positions record is that of the LOAD that follows",
    .message = "code_addr is {0x}, and the LOAD that follows has {1x}",
    .why = "readers give the lines and frames to that LOAD's function anyway",
    .spec = "3.2 SAMPLY_JIT_CODE_DEBUG_INFO2 (positions); 4.1 End of the wait",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kInfo2AfterLoad{.id = "samply/info2-after-load",
                                      .severity = Severity::error,
                                      .statement = "a positions record comes before the LOAD of its function",
                                      .message = "the function at {0x} was loaded before this record",
                                      .why = "readers lose the record, or give it to the function that is loaded next",
                                      .spec = "3.2 SAMPLY_JIT_CODE_DEBUG_INFO2 (positions); 4.1 End of the wait",
                                      .since = "0.1.0",
                                      .about_end = true,
                                      .decided_later = true};

// S13 to S19 and P1, P2; their neighbours stand between them in the catalogue.
inline constexpr const Rule* kPendingRules[] = {&kInfo2Superseded, &kInfo2WithoutLoad, &kBothDebugInfos,
                                                &kOpaqueRecord,    &kIdConflict,       &kInlineInfoExperimental,
                                                &kTrackingLimit};
inline constexpr const Rule* kBindingRules[] = {&kInfo2CodeAddrMismatch, &kInfo2AfterLoad};

}  // namespace tracelint::samply
