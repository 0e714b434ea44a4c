// nettrace, section 3: rules about the layout of blocks that several walks report.
#pragma once

#include "validator/tables/rule.hpp"

namespace tracelint::nettrace {

inline constexpr Rule kBlockHeaderSize{
    .id = "nettrace/block-header-size",
    .severity = Severity::error,
    .statement = "the header of a block has its fixed fields and ends inside the block",
    .message = "a header of {0 byte|bytes} in a block of {1}, expected at least {2}",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file",
    .spec = "3.4 Event and metadata blocks; 3.10 Metadata of version 6",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kEmptyBlock{
    .id = "nettrace/empty-block",
    .severity = Severity::error,
    .statement = "a block has an event, or a metadata row",
    .message = "the block has no event",
    .why = "TraceEvent reads an event past its end and stops with an exception",
    .spec = "3.4 Event and metadata blocks",
    .since = "0.2.0",
    .depends_on = {.later_records = true},
    .severity_override = SeverityOverride{.severity = Severity::warning,
                                          .when = "it is a block of metadata",
                                          .message = "the block has no metadata row",
                                          .why = "readers accept it; no runtime writes it"},
};

inline constexpr Rule kPaddingNonzero{
    .id = "nettrace/padding-nonzero",
    .severity = Severity::warning,
    .statement = "the bytes that align a block or an event are zero",
    .message = "the {0 byte|bytes} of padding are not zero",
    .why = "readers skip them; the bytes around them may be damaged",
    .spec = "3.1 Objects; 3.6 Uncompressed event headers; 3.7 Events of versions 1 to 3",
    .since = "0.2.0",
};

inline constexpr Rule kEventSizeMismatch{
    .id = "nettrace/event-size-mismatch",
    .severity = Severity::error,
    .statement = "the size of an event is the sum of its parts",
    .message = "a size of {0d} bytes; the event needs {1}",
    .why = "readers refuse the file, or read the next event from the wrong place",
    .spec = "3.6 Uncompressed event headers; 3.7 Events of versions 1 to 3",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kEventOverrunsBlock{
    .id = "nettrace/event-overruns-block",
    .severity = Severity::error,
    .statement = "an event ends inside its block",
    .message = "an event of {0 byte|bytes} or more, with {1} left in the block",
    .why = "TraceEvent stops with a FormatException and drops the rest of the file, others show a part of the event",
    .spec = "3.5 Compressed event headers; 4.4 Events",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kStackSize{
    .id = "nettrace/stack-size",
    .severity = Severity::error,
    .statement = "a stack ends inside its block or event",
    .message = "a stack of {0d} bytes, with {1 byte|bytes} left for it",
    .why = "TraceEvent stops with an exception, and up to 2026 read outside of its memory",
    .spec = "3.7 Events of versions 1 to 3; 3.8 Stacks, sequence points, threads and labels",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kBlockResidue{
    .id = "nettrace/block-residue",
    .severity = Severity::note,
    .statement = "nothing follows the last item of a block",
    .message = "{0 byte|bytes} follow the last item of the block",
    .why = "readers skip them; a later version may use the room",
    .spec = "3.2 Blocks of version 6",
    .since = "0.2.0",
};

}  // namespace tracelint::nettrace
