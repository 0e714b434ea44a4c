// nettrace, section 4.2: the state machine of files of objects, versions 1 to 5, and the rules about objects.
#pragma once

#include "validator/tables/machine.hpp"
#include "validator/tables/rule.hpp"

namespace tracelint::nettrace {

namespace objects {

enum class State : uint8_t { start, object, named, walked, end, rescan, blocks, stopped, count_ };
inline constexpr std::string_view kStateNames[] = {"start",         "object", "named object",        "walked block",
                                                   "end of object", "rescan", "blocks of version 6", "stopped"};

enum class Symbol : uint8_t {
    // The header of the file
    header,
    plain_header,
    unreadable_header,
    // Where an object begins
    object,
    damaged_tag,
    damaged_length,
    foreign_object,
    damaged_tags,
    no_object,
    end_of_stream,
    cut_object,
    cut_damaged_object,
    end_of_file,
    // Objects by their names
    trace,
    second_trace,
    file,
    block,
    negative_size,
    cut_payload,
    // How the walk of a block ended
    whole,
    left,
    cut,
    cut_in_doubt,
    file_ended,
    unended_file,
    // Behind a block
    end_tag,
    wrong_end,
    lost_end,
    cut_end,
    cut_end_in_doubt,
    // What a rescan finds
    found,
    nothing_found,
    count_
};
inline constexpr std::string_view kSymbolNames[] = {"header of versions 1 to 5",
                                                    "header of version 6",
                                                    "unreadable header",
                                                    "object header",
                                                    "object header with one wrong tag",
                                                    "object header with a wrong length of the name",
                                                    "object of an unknown type",
                                                    "damaged object header",
                                                    "no object header",
                                                    "end of stream",
                                                    "object header cut by the end of the file",
                                                    "damaged object header cut by the end of the file",
                                                    "end of file",
                                                    "Trace",
                                                    "second Trace",
                                                    "file of version 1 or 2",
                                                    "block",
                                                    "block with a negative size",
                                                    "payload cut by the end of the file",
                                                    "block was walked",
                                                    "block was left by a framing fault",
                                                    "block is cut by the end of the file",
                                                    "block in doubt is cut by the end of the file",
                                                    "events of version 1 or 2 have ended",
                                                    "events of version 1 or 2 have no end",
                                                    "end tag",
                                                    "another tag, and an object near",
                                                    "another tag",
                                                    "end tag cut by the end of the file",
                                                    "end tag cut by the end of the file, in doubt",
                                                    "undamaged object header or end of stream",
                                                    "end of file without one"};

}  // namespace objects

inline constexpr Rule kTruncatedObject{
    .id = "nettrace/truncated-object",
    .severity = Severity::error,
    .statement = "an object or block header, a Trace, and the end of an object are whole",
    .message = "the file ends {0 byte|bytes} into an object",
    .why = "TraceEvent stops with 'Read past end of stream.', and PerfView and Visual Studio show nothing of the file",
    .spec = "4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kBadObjectTag{
    .id = "nettrace/bad-object-tag",
    .severity = Severity::error,
    .statement = "the tags of an object header are those of its container",
    .message = "tag {0} where {1} is expected",
    .why = "readers refuse the file here",
    .spec = "3.1 Objects; 4.2 Objects",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true, .file_size = true},
};

inline constexpr Rule kTypeNameLength{
    .id = "nettrace/type-name-length",
    .severity = Severity::error,
    .statement = "the length of a type name is 1 to 38 and leads to the end tag of the type",
    .message = "a type name of {0d} bytes does not lead to its end tag",
    .why = "readers refuse the file; a negative length ended TraceEvent's process until 2026",
    .spec = "3.1 Objects; 4.2 Objects",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true, .file_size = true},
};

inline constexpr Rule kUnknownObjectType{
    .id = "nettrace/unknown-object-type",
    .severity = Severity::error,
    .statement = "the type of an object is one of those of its container",
    .message = "the type name of {0 byte|bytes} is not known here",
    .why = "TraceEvent refuses the file here, other readers skip the block and lose what it defines",
    .spec = "3.1 Objects; 4.2 Objects",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kDuplicateTrace{
    .id = "nettrace/duplicate-trace",
    .severity = Severity::error,
    .statement = "a file has one Trace",
    .message = "a second Trace",
    .why = "readers take its times as the base of the events before and behind it",
    .spec = "3.3 Trace; 4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
};

inline constexpr Rule kBlockSizeNegative{
    .id = "nettrace/block-size-negative",
    .severity = Severity::error,
    .statement = "the size of a block is not negative",
    .message = "a block of {0d} bytes",
    .why = "readers allocate by this number and fail",
    .spec = "3.1 Objects",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kTruncatedBlock{
    .id = "nettrace/truncated-block",
    .severity = Severity::error,
    .statement = "a block ends before the file does",
    .message = "a block of {0 byte|bytes}, and {1} are there",
    .why =
        "TraceEvent stops with 'Read past end of stream.': this block is lost, and PerfView and Visual Studio show "
        "nothing of the file",
    .spec = "4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kMissingEndOfStream{
    .id = "nettrace/missing-end-of-stream",
    .severity = Severity::error,
    .statement = "a file ends with the end of its stream",
    .message = "the stream does not end: the process was killed, or the transport broke",
    .why =
        "PerfView and Visual Studio show nothing of the file although every block before is intact; dotnet-trace "
        "convert keeps "
        "what came before",
    .spec = "4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
    .about_end = true,
};

inline constexpr Rule kTrailingData{
    .id = "nettrace/trailing-data",
    .severity = Severity::warning,
    .statement = "nothing follows the end of the stream",
    .message = "{0 byte|bytes} follow the end of the stream",
    .why = "most readers ignore them, the Go reader fails",
    .spec = "4.2 Objects; 4.3 Blocks",
    .since = "0.2.0",
    .depends_on = {.file_size = true},
};

inline constexpr Rule kMissingEndTag{
    .id = "nettrace/missing-end-tag",
    .severity = Severity::error,
    .statement = "the end tag follows the last byte of a block",
    .message = "tag {0} behind the block, expected 6",
    .why = "readers refuse the file here",
    .spec = "3.1 Objects; 4.2 Objects",
    .since = "0.2.0",
    .depends_on = {.resynchronisation = true, .file_size = true},
};

namespace objects {

inline constexpr uint32_t kHeaders = on(Symbol::header, Symbol::plain_header, Symbol::unreadable_header);
inline constexpr uint32_t kObjects =
    on(Symbol::object, Symbol::damaged_tag, Symbol::damaged_length, Symbol::foreign_object, Symbol::damaged_tags,
       Symbol::no_object, Symbol::end_of_stream, Symbol::cut_object, Symbol::cut_damaged_object, Symbol::end_of_file);
inline constexpr uint32_t kNamed =
    on(Symbol::trace, Symbol::second_trace, Symbol::file, Symbol::block, Symbol::negative_size, Symbol::cut_payload);
inline constexpr uint32_t kWalked =
    on(Symbol::whole, Symbol::left, Symbol::cut, Symbol::cut_in_doubt, Symbol::file_ended, Symbol::unended_file);
inline constexpr uint32_t kEnds =
    on(Symbol::end_tag, Symbol::wrong_end, Symbol::lost_end, Symbol::cut_end, Symbol::cut_end_in_doubt);
inline constexpr uint32_t kFound = on(Symbol::found, Symbol::nothing_found);
inline constexpr uint32_t kAll = kHeaders | kObjects | kNamed | kWalked | kEnds | kFound;

// clang-format off
inline constexpr Edge<State, Symbol> kEdges[] = {
    {State::start,  on(Symbol::header),             State::object},
    {State::start,  on(Symbol::plain_header),       State::blocks},
    {State::start,  on(Symbol::unreadable_header),  State::stopped, Recovery::stop},
    {State::start,  kAll & ~kHeaders,               State::start,   Recovery::impossible},

    {State::object, on(Symbol::object),             State::named},
    {State::object, on(Symbol::damaged_tag),        State::named,   Recovery::accept, &kBadObjectTag},
    {State::object, on(Symbol::damaged_length),     State::named,   Recovery::accept, &kTypeNameLength},
    {State::object, on(Symbol::foreign_object),     State::named,   Recovery::accept, &kUnknownObjectType},
    {State::object, on(Symbol::damaged_tags),       State::rescan,  Recovery::skip,   &kBadObjectTag},
    {State::object, on(Symbol::no_object),          State::rescan,  Recovery::skip,   &kTypeNameLength},
    {State::object, on(Symbol::end_of_stream),      State::stopped, Recovery::stop},
    {State::object, on(Symbol::cut_object),         State::stopped, Recovery::stop,   &kTruncatedObject},
    {State::object, on(Symbol::cut_damaged_object), State::stopped, Recovery::stop,   &kBadObjectTag},
    {State::object, on(Symbol::end_of_file),        State::stopped, Recovery::stop,   &kMissingEndOfStream},
    {State::object, kAll & ~kObjects,               State::object,  Recovery::impossible},

    {State::named,  on(Symbol::trace, Symbol::block), State::walked},
    {State::named,  on(Symbol::file),               State::walked},
    {State::named,  on(Symbol::second_trace),       State::walked,  Recovery::accept, &kDuplicateTrace},
    {State::named,  on(Symbol::negative_size),      State::rescan,  Recovery::skip,   &kBlockSizeNegative},
    {State::named,  on(Symbol::cut_payload),        State::stopped, Recovery::stop,   &kTruncatedObject},
    {State::named,  kAll & ~kNamed,                 State::named,   Recovery::impossible},

    {State::walked, on(Symbol::whole),              State::end},
    {State::walked, on(Symbol::left),               State::rescan},
    {State::walked, on(Symbol::cut),                State::stopped, Recovery::stop,   &kTruncatedBlock},
    {State::walked, on(Symbol::cut_in_doubt),       State::stopped, Recovery::stop},
    {State::walked, on(Symbol::file_ended),         State::stopped, Recovery::stop},
    {State::walked, on(Symbol::unended_file),       State::stopped, Recovery::stop,   &kMissingEndOfStream},
    {State::walked, kAll & ~kWalked,                State::walked,  Recovery::impossible},

    {State::end,    on(Symbol::end_tag),            State::object},
    {State::end,    on(Symbol::wrong_end),          State::object,  Recovery::accept, &kMissingEndTag},
    {State::end,    on(Symbol::lost_end),           State::rescan,  Recovery::skip,   &kMissingEndTag},
    {State::end,    on(Symbol::cut_end),            State::stopped, Recovery::stop,   &kTruncatedObject},
    {State::end,    on(Symbol::cut_end_in_doubt),   State::stopped, Recovery::stop},
    {State::end,    kAll & ~kEnds,                  State::end,     Recovery::impossible},

    {State::rescan, on(Symbol::found),              State::object},
    {State::rescan, on(Symbol::nothing_found),      State::stopped, Recovery::stop},
    {State::rescan, kAll & ~kFound,                 State::rescan,  Recovery::impossible},

    {State::blocks, on(Symbol::end_of_file),        State::stopped, Recovery::stop},
    {State::blocks, kAll & ~on(Symbol::end_of_file), State::blocks, Recovery::impossible},
};
// clang-format on

}  // namespace objects

inline constexpr auto kObjectMachine = make_machine(objects::kEdges, objects::State::start, objects::State::stopped);

inline constexpr RuleList kObjectMachineRules =
    rules<&kTruncatedObject, &kBadObjectTag, &kTypeNameLength, &kUnknownObjectType, &kDuplicateTrace,
          &kBlockSizeNegative, &kTruncatedBlock, &kMissingEndOfStream, &kTrailingData, &kMissingEndTag>;

}  // namespace tracelint::nettrace
