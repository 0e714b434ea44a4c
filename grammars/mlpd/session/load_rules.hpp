// mlpd, section 5, rules 77 to 82: what is loaded, used and unloaded.
#pragma once

#include "validator/rule.hpp"

namespace tracelint::mlpd {

inline constexpr Rule kUndefinedClass{.id = "mlpd/undefined-class",
                                      .severity = Severity::warning,
                                      .statement = "a class that is used is loaded somewhere in the file",
                                      .message = "no event of the file loads class {0x}",
                                      .why = "reports show a placeholder instead of the class",
                                      .spec = "4.3.8 Loads and unloads",
                                      .since = "0.1.0",
                                      .about_end = true,
                                      .decided_later = true};

inline constexpr Rule kUndefinedVtable{.id = "mlpd/undefined-vtable",
                                       .severity = Severity::warning,
                                       .statement = "a vtable that is used is loaded somewhere in the file",
                                       .message = "no event of the file loads vtable {0x}",
                                       .why = "nobody can tell the class of the object: reports show a placeholder",
                                       .spec = "4.3.8 Loads and unloads",
                                       .since = "0.1.0",
                                       .about_end = true,
                                       .decided_later = true};

inline constexpr Rule kUndefinedImage{.id = "mlpd/undefined-image",
                                      .severity = Severity::warning,
                                      .statement = "an image that is used is loaded somewhere in the file",
                                      .message = "no event of the file loads image {0x}",
                                      .why = "nobody can tell the file that the class or assembly comes from",
                                      .spec = "4.3.8 Loads and unloads",
                                      .since = "0.1.0",
                                      .about_end = true,
                                      .decided_later = true};

inline constexpr Rule kUndefinedDomain{
    .id = "mlpd/undefined-domain",
    .severity = Severity::warning,
    .statement = "an application domain that is used, other than the root domain 0, is loaded somewhere in the file",
    .message = "no event of the file loads domain {0x}",
    .why = "nobody can tell the application domain that the vtable or context belongs to",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .about_end = true,
    .decided_later = true};

inline constexpr Rule kLoadedInLaterWindow{
    .id = "mlpd/loaded-in-later-window",
    .severity = Severity::warning,
    .statement = "what is used is loaded before the next sync point at the latest",
    .message = "{0x} is loaded only at {1x}, behind a sync point that follows this first use",
    .why = "a reader that sorts the events between two sync points by time meets the use before the load",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .decided_later = true};

inline constexpr Rule kDuplicateLoad{
    .id = "mlpd/duplicate-load",
    .severity = Severity::warning,
    .statement = "nothing is loaded again before it is unloaded",
    .message = "{0x} is loaded again and was not unloaded since",
    .why = "readers replace the first by the second, or keep both: objects are counted for the wrong one",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note,
                         "vtables, whose addresses come again, and data versions 1 to 10, which know no unload",
                         {},
                         {}}};

inline constexpr Rule kUnloadWithoutLoad{
    .id = "mlpd/unload-without-load",
    .severity = Severity::warning,
    .statement = "what is unloaded was loaded before",
    .message = "{0x} is unloaded, and no event before it loads it",
    .why = "readers have nothing to end; the load is missing or comes out of order",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override =
        SeverityOverride{Severity::note, "threads", {}, "the thread ran before the profiler was told of it"}};

inline constexpr Rule kDoubleUnload{
    .id = "mlpd/double-unload",
    .severity = Severity::warning,
    .statement = "what is unloaded is loaded again before it is unloaded once more",
    .message = "{0x} is unloaded again and was not loaded since",
    .why = "readers have nothing to end; a load is missing or comes out of order",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0",
    .severity_override = SeverityOverride{Severity::note, "threads", {}, "thread ids are used again all the time"}};

inline constexpr Rule kUseAfterUnload{
    .id = "mlpd/use-after-unload",
    .severity = Severity::note,
    .statement = "objects have a class that is still loaded",
    .message = "{0x} was unloaded before the last sync point, and an object still has it",
    .why = "readers may have dropped the name by then, or show that of whatever is loaded at the address next",
    .spec = "4.3.8 Loads and unloads",
    .since = "0.1.0"};

inline constexpr const Rule* kLoadRules[] = {
    &kUndefinedClass, &kUndefinedVtable,   &kUndefinedImage, &kUndefinedDomain, &kLoadedInLaterWindow,
    &kDuplicateLoad,  &kUnloadWithoutLoad, &kDoubleUnload,   &kUseAfterUnload,
};

}  // namespace tracelint::mlpd
