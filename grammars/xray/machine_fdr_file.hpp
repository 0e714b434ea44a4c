// XRay, section 4.1: the state machine that goes from buffer to buffer in an FDR file, and the rules that its edges
// raise.
#pragma once

#include "grammars/xray/machine_fdr_buffer.hpp"

namespace tracelint::xray {

// --- rules -------------------------------------------------------------------------------------------------

inline constexpr Rule kTruncatedBuffer{
    .id = "xray/truncated-buffer",
    .severity = Severity::error,
    .statement = "in version 1, the last buffer has buffer_size bytes",
    .message = "the file ends {0 byte|bytes} into a buffer of {1}",
    .why = "readers accept it silently; the end of the last buffer is missing, or buffer_size is wrong",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kBufferExtentsMissing{
    .id = "xray/buffer-extents-missing",
    .severity = Severity::error,
    .statement = "from version 2 on, a BufferExtents precedes each NewBuffer",
    .message = "NewBuffer without a BufferExtents before it",
    .why = "LLVM 7 and earlier refuse the file; where the buffer ends has to be guessed",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kGarbageBeforeBuffer{
    .id = "xray/garbage-before-buffer",
    .severity = Severity::error,
    .statement = "from version 2 on, a buffer directly follows the previous one",
    .message = "{0 byte|bytes} of garbage before the next buffer",
    .why = "llvm-xray drops them silently, whatever records they hold",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .depends_on = {.later_records = true, .resynchronisation = true},
    .severity_override =
        SeverityOverride{.severity = Severity::error,
                         .when = "the bytes are one record",
                         .message = "{0 byte|bytes} before the next buffer that are not counted, a {text}",
                         .why = "llvm-xray drops them silently; the runtime wrote the record, but the count of the "
                                "buffer before it ends too early"},
};

inline constexpr Rule kTrailingGarbage{
    .id = "xray/trailing-garbage",
    .severity = Severity::error,
    .statement = "nothing follows the last buffer",
    .message = "{0 byte|bytes} of garbage after the last buffer",
    .why = "llvm-xray refuses the whole file",
    .spec = "3.2 Buffers and FDR versions",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kExtentsExceedFile{
    .id = "xray/extents-exceed-file",
    .severity = Severity::error,
    .statement = "the file holds all bytes that a BufferExtents counts",
    .message = "the count of the buffer is {0}, which exceeds the rest of the file or 32 bits",
    .why =
        "LLVM keeps the low 32 bits of the count; it refuses a file that ends too early, or silently loses the end of "
        "the buffer",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .about_end = true,
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kExtentsTooSmall{
    .id = "xray/extents-too-small",
    .severity = Severity::error,
    .statement = "a buffer has room for NewBuffer, WallClock and NewCPUId: 48 bytes",
    .message = "the count of the buffer is {0}, but the preamble alone has 48 bytes",
    .why = "the records of the buffer are lost: readers expect the next buffer where the count says that this one ends",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
    .depends_on = {.resynchronisation = true},
};

inline constexpr Rule kEmptyBuffer{
    .id = "xray/empty-buffer",
    .severity = Severity::note,
    .statement = "a buffer holds records",
    .message = "the buffer is empty",
    .why = "readers skip it; the runtime's file writer leaves out such buffers",
    .spec = "3.4.8 BufferExtents Records",
    .since = "0.1.0",
};

// --- states and symbols --------------------------------------------------------------------------------------

enum class Stage : uint8_t {
    boundary,  // a buffer is due
    quiet,     // the same, but the walk may be out of step: what is not a buffer is skipped silently
    inside,    // of a buffer
    stopped,
    count_,
};
inline constexpr std::string_view kStageNames[] = {"Boundary", "Quiet", "inside", "stopped"};

enum class FileEvent : uint8_t {
    // what is where a buffer is due
    extents,               // BufferExtents
    overclaiming_extents,  // its count is beyond what a reader keeps
    empty_extents,         // its count is 0
    small_extents,         // its count has no room for a preamble
    cut_extents,           // the file ends inside it
    new_buffer,            // in version 2
    any_byte,              // in version 1, where a buffer begins at each multiple of buffer_size
    garbage,               // anything else, up to the next plausible BufferExtents
    trailing_bytes,        // anything else, up to the end of the file
    end_of_file,
    // how the walk through a buffer ended
    ended,
    ended_with_bad_preamble,
    found_extents,  // at the BufferExtents of the next buffer
    left,           // at a record that cannot be there; the rest is skipped
    cut,            // the file ends before the buffer
    over,           // nothing after it can be found, or its count was reported
    count_,
};
inline constexpr std::string_view kFileEventNames[] = {"BufferExtents",
                                                       "BufferExtents above 32 bits",
                                                       "empty BufferExtents",
                                                       "small BufferExtents",
                                                       "cut BufferExtents",
                                                       "NewBuffer",
                                                       "any byte",
                                                       "garbage",
                                                       "trailing bytes",
                                                       "end of file",
                                                       "buffer ended",
                                                       "buffer ended with a bad preamble",
                                                       "BufferExtents inside",
                                                       "buffer left",
                                                       "buffer cut by the file's end",
                                                       "rest unknown"};

// --- the tables ----------------------------------------------------------------------------------------------

namespace file_edges {

using enum FileEvent;
using E = Edge<Stage, FileEvent>;

inline constexpr uint32_t kOfBuffer = on(ended, ended_with_bad_preamble, found_extents, left, cut, over);
inline constexpr uint32_t kBetween = on(extents, overclaiming_extents, empty_extents, small_extents, cut_extents,
                                        new_buffer, any_byte, garbage, trailing_bytes, end_of_file);

// clang-format off
// Version 1 (section 3.2): buffers of a fixed size, and nothing between them.
inline constexpr E kVersion1[] = {
    {Stage::boundary, on(any_byte),        Stage::inside},
    {Stage::boundary, on(end_of_file),     Stage::stopped,  Recovery::stop},
    {Stage::boundary, kOfBuffer | (kBetween & ~on(any_byte, end_of_file)), Stage::stopped, Recovery::impossible},

    {Stage::quiet,    kBetween | kOfBuffer, Stage::stopped, Recovery::impossible},

    {Stage::inside,   on(ended, ended_with_bad_preamble, left), Stage::boundary},
    {Stage::inside,   on(over),            Stage::stopped,  Recovery::stop},
    {Stage::inside,   on(cut),             Stage::stopped,  Recovery::stop, &kTruncatedBuffer},
    {Stage::inside,   kBetween | on(found_extents), Stage::stopped, Recovery::impossible},
};

// Versions 2 to 5: a BufferExtents before each buffer. Only version 2 has the symbol new_buffer.
inline constexpr E kVersion2[] = {
    {Stage::boundary, on(extents),         Stage::inside},
    {Stage::boundary, on(overclaiming_extents), Stage::inside, Recovery::accept, &kExtentsExceedFile},
    {Stage::boundary, on(empty_extents),   Stage::boundary, Recovery::skip, &kEmptyBuffer},
    {Stage::boundary, on(small_extents),   Stage::inside,   Recovery::accept, &kExtentsTooSmall},
    {Stage::boundary, on(cut_extents),     Stage::stopped,  Recovery::stop, &kTruncatedRecord},
    {Stage::boundary, on(new_buffer),      Stage::inside,   Recovery::accept, &kBufferExtentsMissing},
    {Stage::boundary, on(garbage),         Stage::boundary, Recovery::skip, &kGarbageBeforeBuffer},
    {Stage::boundary, on(trailing_bytes),  Stage::stopped,  Recovery::stop, &kTrailingGarbage},
    {Stage::boundary, on(end_of_file),     Stage::stopped,  Recovery::stop},
    {Stage::boundary, kOfBuffer | on(any_byte), Stage::stopped, Recovery::impossible},

    {Stage::quiet,    on(extents),         Stage::inside},
    {Stage::quiet,    on(overclaiming_extents), Stage::inside, Recovery::accept, &kExtentsExceedFile},
    {Stage::quiet,    on(empty_extents),   Stage::quiet,    Recovery::skip, &kEmptyBuffer},
    {Stage::quiet,    on(small_extents),   Stage::inside,   Recovery::accept, &kExtentsTooSmall},
    {Stage::quiet,    on(cut_extents),     Stage::stopped,  Recovery::stop, &kTruncatedRecord},
    {Stage::quiet,    on(garbage),         Stage::boundary, Recovery::skip},
    {Stage::quiet,    on(trailing_bytes, end_of_file), Stage::stopped, Recovery::stop},
    {Stage::quiet,    kOfBuffer | on(new_buffer, any_byte), Stage::stopped, Recovery::impossible},

    {Stage::inside,   on(ended, found_extents), Stage::boundary},
    {Stage::inside,   on(ended_with_bad_preamble, left), Stage::quiet},
    {Stage::inside,   on(cut),             Stage::stopped,  Recovery::stop, &kExtentsExceedFile},
    {Stage::inside,   on(over),            Stage::stopped,  Recovery::stop},
    {Stage::inside,   kBetween,            Stage::stopped,  Recovery::impossible},
};
// clang-format on

}  // namespace file_edges

using FileMachine = Machine<Stage, FileEvent>;
inline constexpr FileMachine kFileMachine1 = make_machine(file_edges::kVersion1, Stage::boundary, Stage::stopped);
inline constexpr FileMachine kFileMachine2 = make_machine(file_edges::kVersion2, Stage::boundary, Stage::stopped);

inline constexpr RuleList kFileMachineRules =
    rules<&kTruncatedBuffer, &kBufferExtentsMissing, &kGarbageBeforeBuffer, &kTrailingGarbage, &kExtentsExceedFile,
          &kExtentsTooSmall, &kEmptyBuffer>;

}  // namespace tracelint::xray
